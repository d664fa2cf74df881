package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// findUncounted finds what the contract has directly below resources and no type stands for:
// it is created, changed and deleted there, goes with its resource, and no plan reads it.
func findUncounted(cat *Catalog, c *contract.Contract) {
	known, all := map[string]bool{}, map[string]bool{}
	for _, b := range cat.all {
		for _, op := range []*contract.Operation{b.Create, b.List} {
			if op != nil {
				known[anyIDs(op.Path)] = true
			}
		}
	}
	for _, op := range c.Operations() {
		at, id, isItem := cutLast(op.Path)
		if isItem && op.Method == "DELETE" && c.Operation("POST", at) != nil && changeOf(c, at+"/"+id) != nil {
			all[anyIDs(at)] = true
		}
	}
	for _, b := range cat.all {
		if b.Delete == nil || b.ReadOnly {
			continue
		}
		for _, at := range slices.Sorted(maps.Keys(all)) {
			rest, below := strings.CutPrefix(at, anyIDs(b.Delete.Path)+"/")
			if below && !known[at] && !strings.Contains(rest, "{") {
				b.Uncounted = append(b.Uncounted, strings.ReplaceAll(rest[strings.LastIndexByte(rest, '/')+1:], "-", " "))
			}
		}
	}
}

// anyIDs is a path without the names of its parameters, which operations call differently.
func anyIDs(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, "/")
}

// cutLast takes the parameter at the end of a path off; false where none is there.
func cutLast(path string) (before, param string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	return path[:i], path[i+1:], strings.HasPrefix(path[i+1:], "{")
}
