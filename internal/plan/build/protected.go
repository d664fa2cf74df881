package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// protectedAbove reports whether a resource or one of its parents is protected.
func protectedAbove(b *Draft, r *resource.Resource) bool {
	for ; r != nil; r = r.Parent {
		if b.protected(r) {
			return true
		}
	}
	return false
}

// AboveAll lists what a resource is deleted with: its parents, and what it and
// they nest in.
func AboveAll(r *resource.Resource) []*resource.Resource {
	var out []*resource.Resource
	for x := r; x != nil; x = x.Parent {
		if x != r {
			out = append(out, x)
		}
		for above := x.Above; above != nil; above = above.Above {
			out = append(out, above)
		}
	}
	return out
}

// DeleteOf is the change that deletes a declared resource; nil when none does.
func (b *Draft) DeleteOf(r *resource.Resource) *plan.Change {
	o := b.Snapshot.Object(r)
	if o == nil {
		return nil
	}
	return b.Deletes[ObjectKey(r.Type, o.ID, b.KnownAncestors(r))]
}

// protected reports whether a resource is protected, live or declared.
func (b *Draft) protected(r *resource.Resource) bool {
	o := b.Snapshot.Object(r)
	return r.Protected || o != nil && r.Type.Owned && o.Owner.Protected
}
