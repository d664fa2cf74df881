package policy

import (
	"maps"
	"slices"
	"strings"
)

// alsoDeletes lists what is deleted with the resource of a delete and has no change of
// its own: children, and resources that refer to it. Only the latter have names in a plan.
func alsoDeletes(change map[string]any) []any {
	out := []any{}
	counted := map[string]int64{}
	add := func(kind, id, name string) {
		counted[kind]++
		out = append(out, map[string]any{"resource_type": kind, "resource_id": id, "resource_name": name})
	}
	referring := map[string]bool{}
	cascades, _ := change["cascades"].([]any)
	for _, one := range cascades {
		m := mapping(one)
		referring[text(m, "type")+"/"+text(m, "id")] = true
		out = append(out, map[string]any{"resource_type": text(m, "type"), "resource_id": text(m, "id"), "resource_name": text(m, "name")})
	}
	for _, key := range slices.Sorted(maps.Keys(mapping(mapping(change["expect"])["along"]))) {
		kind, ids, _ := strings.Cut(key, "/")
		id := ids[strings.LastIndex(ids, "/")+1:]
		if !referring[kind+"/"+id] {
			add(kind, id, "")
		}
	}
	// Plans of other programs may have counts alone.
	along := mapping(change["takes_along"])
	for _, kind := range slices.Sorted(maps.Keys(along)) {
		n, _ := along[kind].(int64)
		for counted[kind] < n {
			add(kind, "", "")
		}
	}
	return out
}
