package choose

import (
	"github.com/kongctl/kongctl/internal/resource"
)

// alone tells that a declared resource is not for this plan to touch: it is left
// out, or others own it.
func (s *Selection) alone(r *resource.Resource) bool { return s.LeftOut(r) || s.Others[r] }

// active tells that something is left out, so that it must be looked after.
func (s *Selection) active() bool {
	return len(s.Patterns) > 0 || len(s.Unplanned) > 0 || len(s.Others) > 0
}

// Maybe returns the resource that is left out and that an object may be which
// nothing declares; nil where there is no such resource.
func (s *Selection) Maybe(t *resource.Type, o *resource.Object, parent *resource.Resource) *resource.Resource {
	for _, r := range s.Unsure {
		if r.Type == t && resource.Same(s.snap, r.Parent, parent) && (parent != nil || o.Owner.Namespace == r.Namespace) {
			return r
		}
	}
	return nil
}
