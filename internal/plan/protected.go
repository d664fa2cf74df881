package plan

import "kongctl/internal/resource"

// protectedAbove reports whether a resource or one of its parents is protected.
func protectedAbove(b *Draft, r *resource.Resource) bool {
	for ; r != nil; r = r.Parent {
		if b.protected(r) {
			return true
		}
	}
	return false
}

// aboveAll lists what a resource is deleted with: its parents, and what it and
// they nest in.
func aboveAll(r *resource.Resource) []*resource.Resource {
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

// deleteOf is the change that deletes a declared resource; nil when none does.
func (b *Draft) deleteOf(r *resource.Resource) *Change {
	o := b.Snapshot.Object(r)
	if o == nil {
		return nil
	}
	return b.deletes[objectKey(r.Type, o.ID, b.knownAncestors(r))]
}

// protected reports whether a resource is protected, live or declared.
func (b *Draft) protected(r *resource.Resource) bool {
	o := b.Snapshot.Object(r)
	return r.Protected || o != nil && r.Type.Owned && o.Owner.Protected
}
