package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkMissing reports references to fields that what they lead to does not have,
// where no change of the plan could give it one.
func checkMissing(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, r := range b.Links.Sorted() {
		if r.External != nil || b.selection.LeftOut(r) {
			continue
		}
		for _, link := range b.Links.From(r) {
			if lacks(b, r, link) {
				wrongValue(b, r.Fields.Nearest(link.Path), fmt.Sprintf("The %s takes %s from %s of the %s, which has no value.", r.Describe(), link.Path, link.Field, link.Target.Source()), resource.OtherValue)
			}
		}
	}
}

// lacks reports whether what a reference leads to exists without the field.
// Externals are checked before.
func lacks(b *Draft, r *resource.Resource, link resource.Edge) bool {
	o := b.object(link.Target)
	if o == nil || link.Field == "id" || link.Target.External != nil || remade(b, link.Target) {
		return false
	}
	if c := b.changes[r]; c != nil && c.Action != plan.Delete {
		if ref, ok := c.References[link.Path.String()]; ok && ref.ID == plan.UnknownID && ref.Made == nil {
			_, has := link.Target.Type.Field(o, value.ParsePath(link.Field))
			return !has
		}
	}
	v, known := resource.EdgeValue(b.Snapshot, b.Links, link)
	return known && v == nil && b.changes[link.Target] == nil
}
