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
