package catalog

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// operationsOf are the operations of a specification: method and path.
func operationsOf(text string) []map[string]any {
	var doc struct {
		Paths map[string]any `yaml:"paths"`
	}
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		return nil
	}
	var out []map[string]any
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item, _ := doc.Paths[path].(map[string]any)
		for _, method := range []string{"get", "post", "put", "delete", "patch", "options", "head", "trace"} {
			if item[method] != nil {
				out = append(out, map[string]any{"method": strings.ToUpper(method), "path": path})
			}
		}
	}
	return out
}
