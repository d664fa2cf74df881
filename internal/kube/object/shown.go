package object

import (
	"slices"
	"strings"
)

// Shows reports whether the value at a path of an object surely holds no secret:
// what it is, what it is called, and the annotations that say how it is applied.
func Shows(path []string) bool {
	switch {
	case len(path) == 1:
		return slices.Contains([]string{"apiVersion", "kind", "type"}, path[0])
	case len(path) == 0 || path[0] != "metadata":
		return false
	case len(path) == 2:
		return slices.Contains([]string{"name", "namespace", "labels", "annotations"}, path[1])
	case len(path) == 3 && path[1] == "labels":
		return true
	default:
		return len(path) == 3 && path[1] == "annotations" && (strings.HasPrefix(path[2], "config.kubernetes.io/") || strings.HasPrefix(path[2], "cli-utils.sigs.k8s.io/"))
	}
}
