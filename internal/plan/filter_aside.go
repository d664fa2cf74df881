package plan

import (
	"fmt"
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/value"
)

// setAside leaves resources out that wait or could not be looked for, and finds
// those of which nobody can say which object they are.
func setAside(b *Draft) {
	s := b.selection
	s.aside, s.others = map[*resource.Resource]bool{}, map[*resource.Resource]bool{}
	for r := range b.pending {
		s.aside[r] = true
	}
	for r := range b.broken {
		s.aside[r] = true
	}
	for _, r := range b.Set.Resources {
		switch o := b.Snapshot.Object(r); {
		case r.External == nil && s.leftOut(r) && o == nil && (!knows(b, r) || mayBeRenamed(b, r)):
			s.unsure = append(s.unsure, r)
		case r.External != nil && r.External.Made == nil && o != nil:
			// The bare id of a core entity may be that of nothing.
			if bare := r.External.Unnamed && r.Type.ReadOnly; !bare || !b.Snapshot.Absent(r) {
				s.others[r] = true
			}
		}
	}
}

// mayBeRenamed reports whether an ignored resource that was not found may exist
// with the identity that it had before: one below a parent, and a root whose
// identity comes from a reference.
func mayBeRenamed(b *Draft, r *resource.Resource) bool {
	if b.selection.isolate || b.selection.aside[r] || r.Type.Single {
		return false
	}
	return r.Parent != nil || slices.ContainsFunc(r.Type.Identity, func(f string) bool {
		_, refers := b.Links.At(r, value.ParsePath(f))
		return refers
	})
}

// alone tells that a declared resource is not for this plan to touch: it is left
// out, or others own it.
func (s *selection) alone(r *resource.Resource) bool { return s.leftOut(r) || s.others[r] }

// active tells that something is left out, so that it must be looked after.
func (s *selection) active() bool {
	return len(s.patterns) > 0 || len(s.aside) > 0 || len(s.others) > 0
}

// maybe returns the resource that is left out and that an object may be which
// nothing declares; nil where there is no such resource.
func (s *selection) maybe(t *resource.Type, o *resource.Object, parent *resource.Resource) *resource.Resource {
	for _, r := range s.unsure {
		if r.Type == t && resource.Same(s.snap, r.Parent, parent) && (parent != nil || o.Owner.Namespace == r.Namespace) {
			return r
		}
	}
	return nil
}

// mayBeIgnored warns of an object that stays because it may be an ignored
// resource that was not found.
func mayBeIgnored(b *Draft, t *resource.Type, o *resource.Object, parent *resource.Resource) {
	r := b.selection.maybe(t, o, parent)
	if r == nil || len(b.selection.patterns) == 0 || b.selection.aside[r] {
		return
	}
	b.plan.Warnings = append(b.plan.Warnings, Warning{
		Message: fmt.Sprintf("the %s stays, because it may be the %s, which the filter ignores and Konnect does not have", t.Describe(o), r.Describe()),
	})
}
