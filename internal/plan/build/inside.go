package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkInside reports texts that name no item of the parent: of one that others own, by
// what was read of it.
func checkInside(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, r := range b.Links.Sorted() {
		if r.Parent == nil || !r.Type.NamesInside() || !b.writes(r) {
			continue
		}
		desired, above := b.resolve(r), insideFields(b, r.Parent)
		for _, n := range r.Type.Namings {
			for _, f := range n.Fields {
				at := value.ParsePath(f)
				v, _ := value.Get(desired.Plain, at)
				name, isText := v.(string)
				if names := textsInside(above, n.Inside); isText && names != nil && !slices.Contains(names, name) {
					noSuchItem(b, r, desired, n, at, names)
				}
			}
		}
	}
}

// insideFields are what a parent has after the plan, as far as is known.
func insideFields(b *Draft, parent *resource.Resource) map[string]any {
	if parent.External == nil {
		return b.resolve(parent).Plain
	}
	if o := b.object(parent); o != nil {
		return o.Fields
	}
	return nil
}

// textsInside are the texts of a field in the items of a list, as phases.key; nil where not
// all are known.
func textsInside(fields map[string]any, inside string) []string {
	p := value.ParsePath(inside)
	last := len(p) - 1
	found, _ := value.Get(fields, p[:last])
	list, _ := found.([]any)
	var out []string
	for _, x := range list {
		item, _ := x.(map[string]any)
		text, isText := item[p[last]].(string)
		if !isText {
			return nil
		}
		out = append(out, text)
	}
	return out
}

func noSuchItem(b *Draft, r *resource.Resource, desired Desired, n resource.Naming, at value.Path, names []string) {
	v, _ := value.Get(desired.Plain, at)
	p := value.ParsePath(n.Inside)
	last := len(p) - 1
	what, fix := fmt.Sprintf("names %q in %s", v, at), "write one of: "+strings.Join(names, ", ")+"."
	if variable := desired.variableAt(at); variable != "" {
		what = fmt.Sprintf("takes %s from $%s", at, variable)
		fix = fmt.Sprintf("set %s to one of: %s.", variable, strings.Join(names, ", "))
	}
	b.diags.Add(diag.RefUnknown, r.Fields.Nearest(at), fmt.Sprintf("The %s %s, but none of the %s of the %s has that %s.", r.Describe(), what, p[:last], r.Parent.Describe(), p[last]), fix)
}
