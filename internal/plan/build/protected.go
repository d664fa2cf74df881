package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// shielded reports whether protection keeps the plan from deleting a user with what it
// uses; r is its declaration, nil where it has none.
func shielded(b *Draft, u resource.User, r *resource.Resource) bool {
	return r != nil && b.protected(r) || plan.Shielded(u, b.Set.Namespaces)
}

// ShieldedRoots names the roots of others, protected, below which something refers to what
// an attached change deletes.
func (b *Draft) ShieldedRoots(c *plan.Change) []string {
	var out []string
	for _, s := range b.stranded[c] {
		if shielded(b, s.user, nil) {
			out = append(out, "the "+s.user.Type.Top().Describe(s.user.Root)+plan.Owner(s.user))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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
