package plan

import (
	"slices"

	"kongctl/internal/resource"
)

// attachedLeftOut reports whether the filter leaves out what is attached to a
// resource.
func (s *selection) attachedLeftOut(r *resource.Resource) bool {
	named := slices.ContainsFunc(s.set.Types.All(), func(t *resource.Type) bool { return t.Attached && s.kinds[t.Kind] })
	switch {
	case len(s.patterns) == 0:
		return false
	case s.isolate:
		return !named && !s.chosen[r]
	default:
		return named || s.leftOut(r)
	}
}
