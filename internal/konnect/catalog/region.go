package catalog

import (
	"slices"
	"strings"
)

// Abroad reports whether what a field refers to may lie in another region: a field beside
// it says in which, as control_plane_geo does.
func Abroad(b *Bound, path []string) bool {
	if b.write == nil || len(path) == 0 {
		return false
	}
	return slices.ContainsFunc(b.write.At(path[:len(path)-1], nil).Object(nil).Names(), func(name string) bool {
		return strings.HasSuffix(name, "_geo") || strings.HasSuffix(name, "_region")
	})
}
