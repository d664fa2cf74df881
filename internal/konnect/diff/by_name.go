package diff

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// asNamed is a value that exists in the form of the declared one: Konnect may
// answer with id and name of what a declaration names by one of the two.
func (c *comparer) asNamed(path []string, desired, have any) any {
	if len(c.t.References) == 0 {
		return have
	}
	switch d := desired.(type) {
	case []any:
		list, ok := have.([]any)
		if !ok || len(list) != len(d) {
			return have
		}
		out := make([]any, len(d))
		for i := range d {
			out[i] = c.asNamed(path, d[i], list[i])
		}
		return out
	case map[string]any:
		m, ok := have.(map[string]any)
		if !ok {
			return have
		}
		_, either := catalog.ByName(c.t, append(slices.Clone(path), "name"))
		out := map[string]any{}
		for k, x := range m {
			if want, declared := d[k]; declared {
				out[k] = c.asNamed(append(slices.Clone(path), k), want, x)
			} else if !either || len(d) != 1 {
				out[k] = x
			}
		}
		return out
	}
	return have
}
