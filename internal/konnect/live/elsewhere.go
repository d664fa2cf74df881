package live

import (
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
)

// Elsewhere counts the managed roots that the lists hold in other namespaces
// than the given ones, by namespace; nil when there are none.
func (s *Snapshot) Elsewhere(cat *catalog.Catalog, namespaces []string) map[string]int {
	declared := map[*resource.Object]bool{}
	for r, o := range s.objects {
		if r.External == nil {
			declared[o] = true // taken over from another namespace, or left to it with a warning
		}
	}
	var out map[string]int
	for _, t := range cat.All() {
		if !t.HasLabels() {
			continue
		}
		for _, o := range s.scopes[scopeKey(t, nil)] {
			ns := remote.Labels(o)[label.Namespace]
			if ns == "" || declared[o] || slices.Contains(namespaces, ns) {
				continue
			}
			if out == nil {
				out = map[string]int{}
			}
			out[ns]++
		}
	}
	return out
}
