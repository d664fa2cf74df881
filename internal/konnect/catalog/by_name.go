package catalog

import (
	"slices"
	"strings"
)

// ByName finds the reference that a field can stand for that holds the name of
// another resource: destination.name, where destination.id is a reference and the
// contract takes either.
func ByName(b *Bound, path []string) (Reference, bool) {
	last := len(path) - 1
	if b.write == nil || last < 1 || path[last] != "name" {
		return Reference{}, false
	}
	ref, ok := b.Reference(append(slices.Clone(path[:last]), "id"))
	return ref, ok && hasField(b.write, path)
}

// Either has the paths of mappings that hold the id or the name of another resource.
func Either(b *Bound) map[string]Reference {
	out := map[string]Reference{}
	for _, ref := range b.References {
		above, ok := strings.CutSuffix(ref.Field, ".id")
		if _, named := ByName(b, strings.Split(above+".name", ".")); ok && named {
			out[above] = ref
		}
	}
	return out
}

// Mappings are those at a path, in lists as well.
func Mappings(v any, path []string) []map[string]any {
	switch x := v.(type) {
	case []any:
		var out []map[string]any
		for _, e := range x {
			out = append(out, Mappings(e, path)...)
		}
		return out
	case map[string]any:
		if len(path) == 0 {
			return []map[string]any{x}
		}
		return Mappings(x[path[0]], path[1:])
	}
	return nil
}
