package choose

import (
	"github.com/kongctl/kongctl/internal/resource"
)

// AttachedLeftOut reports whether the filter leaves out what is attached to a
// resource.
func (s *Selection) AttachedLeftOut(r *resource.Resource) bool {
	named := s.attached
	switch {
	case len(s.Patterns) == 0:
		return false
	case s.Isolate:
		return !named && !s.chosen[r]
	default:
		return named || s.LeftOut(r)
	}
}
