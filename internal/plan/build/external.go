package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkValues tells of values of externals that do not fit where they are
// taken: nothing that comes later would make them fit.
func checkValues(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, r := range b.Links.Sorted() {
		if r.External != nil || b.selection.LeftOut(r) {
			continue
		}
		for _, link := range b.Links.From(r) {
			o := b.Snapshot.Object(link.Target)
			if link.Target.External == nil || o == nil || link.Field == "id" {
				continue
			}
			v, _ := link.Target.Type.Field(o, value.ParsePath(link.Field))
			why := r.Type.Misfit(link.Path, v)
			if why == "" {
				continue
			}
			wrongValue(b, r.Fields.Nearest(link.Path), fmt.Sprintf("The %s takes %s from %s of the %s, which %s.", r.Describe(), link.Path, link.Field, link.Target.Source(), why),
				resource.OtherValue)
		}
	}
}

// externals are the resources of others that the plan builds on.
func externals(b *Draft) []plan.External {
	var out []plan.External
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); r.External != nil && o != nil && o.ID != "" {
			name, _ := o.Fields[r.Type.NameField].(string)
			out = append(out, plan.External{Ref: r.Ref, Type: r.Type.Kind, ID: o.ID, Name: name})
		}
	}
	return out
}
