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
	s.aside = map[*config.Resource]bool{}
	for r := range b.pending {
		s.aside[r] = true
	}
	for r := range b.broken {
		s.aside[r] = true
	}
	for _, r := range b.Set.Resources {
		if r.External == nil && s.leftOut(r) && b.Snapshot.Object(r) == nil && identityMoved(r, b.resolve(r)) {
			s.unsure = append(s.unsure, r)
		}
	}
}

// active tells that something is left out, so that it must be looked after.
func (s *selection) active() bool { return len(s.patterns) > 0 || len(s.aside) > 0 }

// maybe tells of an object that nothing declares that it may be a resource that
// is left out.
func (s *selection) maybe(t *catalog.Bound, o *target.Object, parent *config.Resource) bool {
	for _, r := range s.unsure {
		if r.Type == t && r.Parent == parent && (parent != nil || o.Labels[live.NamespaceLabel] == r.Namespace) {
			return true
		}
	}
	return false
}
