package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// setAside leaves resources out that wait or could not be looked for, and finds
// those of which nobody can say which object they are.
func setAside(b *Draft) {
	s := b.selection
	s.Unplanned, s.Others = map[*resource.Resource]bool{}, map[*resource.Resource]bool{}
	for r := range b.pending {
		s.Unplanned[r] = true
	}
	for r := range b.broken {
		s.Unplanned[r] = true
	}
	for _, r := range b.Set.Resources {
		switch o := b.Snapshot.Object(r); {
		case r.External == nil && s.LeftOut(r) && o == nil && (!knows(b, r) || mayBeRenamed(b, r)):
			s.Doubt(r)
		case r.External != nil && r.External.Made == nil && o != nil && !goesWithParent(r):
			// The bare id of a core entity may be that of nothing.
			if bare := r.External.Unnamed && r.Type.ReadOnly; !bare || !b.Snapshot.Absent(r) {
				s.Others[r] = true
			}
		}
	}
}

// goesWithParent reports whether an external is part of a resource that is declared:
// nobody else owns it, and it does not keep its parent.
func goesWithParent(r *resource.Resource) bool {
	return r.Type.Derived != nil && r.Parent != nil && r.Parent.External == nil
}

// mayBeRenamed reports whether an ignored resource that was not found may exist
// with the identity that it had before: one below a parent, and a root whose
// identity comes from a reference.
func mayBeRenamed(b *Draft, r *resource.Resource) bool {
	if b.selection.Isolate || b.selection.Unplanned[r] || r.Type.Single {
		return false
	}
	return r.Parent != nil || slices.ContainsFunc(r.Type.Identity, func(f string) bool {
		_, refers := b.Links.At(r, value.ParsePath(f))
		return refers
	})
}

// mayBeIgnored warns of an object that stays because it may be an ignored
// resource that was not found.
func mayBeIgnored(b *Draft, t *resource.Type, o *resource.Object, parent *resource.Resource) {
	r := b.selection.Maybe(t, o, parent)
	if r == nil || len(b.selection.Patterns) == 0 || b.selection.Unplanned[r] {
		return
	}
	b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{
		Message: fmt.Sprintf("the %s stays, because it may be the %s, which the filter ignores and Konnect does not have", described(b, t, o, nil), r.Describe()),
	})
}

// isSpared reports whether a filter keeps an object that nothing declares from being
// deleted, and warns where no pattern says so.
func isSpared(b *Draft, t *resource.Type, o *resource.Object, parent *resource.Resource) bool {
	s := b.selection
	if s.Spares(t, o, parent) {
		mayBeIgnored(b, t, o, parent)
		return true
	}
	var ancestors []string
	if parent != nil {
		ancestors = append(b.KnownAncestors(parent), b.Snapshot.Object(parent).ID)
	}
	who := s.Keeps(t, o, ancestors)
	if who != "" {
		keep(b, described(b, t, o, ancestors), who)
	}
	return who != ""
}

// keep warns of something that stays because of what is ignored.
func keep(b *Draft, what, because string) {
	why := "the filter ignores the " + because
	if len(b.selection.Patterns) == 0 {
		why = fmt.Sprintf("the %s is left alone", because)
	}
	b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("the %s stays, because %s", what, why)})
}
