package plan

import (
	"maps"
	"slices"
	"sort"

	"github.com/kongctl/kongctl/internal/resource"
)

// Join widens the scope to what two plans looked at.
func (s *Scope) Join(o Scope) {
	width := []string{"", resource.PruneNone, resource.PruneDeclared, resource.PruneFull}
	if slices.Index(width, o.Prune) > slices.Index(width, s.Prune) {
		s.Prune = o.Prune
	}
	s.Namespaces = Union(append([]string{}, s.Namespaces...), o.Namespaces)
	s.ResourceTypes = Union(append([]string{}, s.ResourceTypes...), o.ResourceTypes)
	sort.Strings(s.Namespaces)
	s.Existing = max(s.Existing, o.Existing) // both may count the same ones
	s.NotPruned = Union(append([]string(nil), s.NotPruned...), o.NotPruned)
	sort.Strings(s.ResourceTypes)
	sort.Strings(s.NotPruned)
	if len(o.Narrowed) > 0 {
		both := maps.Clone(o.Narrowed)
		maps.Copy(both, s.Narrowed)
		s.Narrowed = both
	}
	s.joinOthers(o)
}

// joinOthers keeps what is in none of the namespaces of both scopes. The lists
// that they counted may be the same ones, so counts are not added.
func (s *Scope) joinOthers(o Scope) {
	others := map[string]int{}
	for _, counts := range []map[string]int{s.OtherNamespaces, o.OtherNamespaces} {
		for ns, n := range counts {
			if !slices.Contains(s.Namespaces, ns) {
				others[ns] = max(others[ns], n)
			}
		}
	}
	s.OtherNamespaces = nil
	if len(others) > 0 {
		s.OtherNamespaces = others
	}
}

// Union adds what a list lacks of another.
func Union[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}
