package choose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
)

// AttachedLeftOut reports whether the filter leaves out what is attached to a
// resource.
func (s *Selection) AttachedLeftOut(r *resource.Resource) bool {
	named := slices.ContainsFunc(s.set.Types.All(), func(t *resource.Type) bool { return t.Attached && s.kinds[t.Kind] })
	switch {
	case len(s.Patterns) == 0:
		return false
	case s.Isolate:
		return !named && !s.chosen[r]
	default:
		return named || s.LeftOut(r)
	}
}
