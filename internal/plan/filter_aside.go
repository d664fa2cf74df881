package plan

import (
	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/live"
	"kongctl/internal/target"
)

// setAside leaves resources out that wait or could not be looked for, and finds
// those of which nobody can say which object they are.
func (b *builder) setAside() {
	s := b.selection
	s.aside, s.others = map[*config.Resource]bool{}, map[*config.Resource]bool{}
	for r := range b.pending {
		s.aside[r] = true
	}
	for r := range b.broken {
		s.aside[r] = true
	}
	for _, r := range b.Set.Resources {
		switch o := b.Snapshot.Object(r); {
		case r.External == nil && s.leftOut(r) && o == nil && !b.Snapshot.Knows(r, b.Links):
			s.unsure = append(s.unsure, r)
		case r.External != nil && r.External.Deck == nil && o != nil:
			// The bare id of a core entity may be that of nothing.
			if bare := r.External.Unnamed && r.Type.External; !bare || !b.Snapshot.Absent(r) {
				s.others[r] = true
			}
		}
	}
}

// alone tells that a declared resource is not for this plan to touch: it is left
// out, or others own it.
func (s *selection) alone(r *config.Resource) bool { return s.leftOut(r) || s.others[r] }

// active tells that something is left out, so that it must be looked after.
func (s *selection) active() bool {
	return len(s.patterns) > 0 || len(s.aside) > 0 || len(s.others) > 0
}

// maybe tells of an object that nothing declares that it may be a resource that
// is left out.
func (s *selection) maybe(t *catalog.Bound, o *target.Object, parent *config.Resource) bool {
	for _, r := range s.unsure {
		if r.Type == t && s.snap.Same(r.Parent, parent) && (parent != nil || o.Labels[live.NamespaceLabel] == r.Namespace) {
			return true
		}
	}
	return false
}
