package plan

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/diff"
	"kongctl/internal/konnect/live"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// compare compares a declaration with what exists. The field that a resource
// is known by differs only where it was found by its old name, or where this plan
// gives what it is taken from another value.
func (b *builder) compare(r *resource.Resource, desired resolved, o *resource.Object, mode diff.Mode) diff.Delta {
	d := diff.Compare(catalog.Of(r), desired.plain, o.Fields, mode)
	for _, p := range unknownIdentity(r, desired) {
		if !catalog.Of(r).Immutable(p.Generic()) {
			have, _ := value.Get(o.Fields, p)
			d.Changes = append([]diff.Change{{Path: p, Old: have, New: value.Unknown{}}}, d.Changes...)
		}
	}
	if _, moved := b.Set.Moved(r); !moved {
		return d
	}
	p := value.ParsePath(catalog.Of(r).Identity[0])
	have, _ := value.Get(o.Fields, p)
	want, _ := value.Get(desired.plain, p)
	if !live.SameText(want, have) {
		d.Changes = append([]diff.Change{{Path: p, Old: have, New: want}}, d.Changes...)
	}
	return d
}
