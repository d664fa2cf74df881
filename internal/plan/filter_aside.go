package plan

import (
	"kongctl/internal/resource"
)

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
