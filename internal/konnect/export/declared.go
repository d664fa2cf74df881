package export

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// Declared is what a configuration would say of an object: what can be declared,
// without kongctl's own labels, references as ids. Secrets are taken from a
// variable.
func Declared(t *catalog.Bound, live map[string]any, variable string) map[string]value.Value {
	m := &repairer{t: t, body: projector{t: t}.body(live)}
	dropOwnLabels(m.body)
	m.repair(live)
	out := map[string]value.Value{}
	for k, v := range m.body {
		out[k] = declared(v, variable)
	}
	return out
}

func declared(x any, variable string) value.Value {
	var at value.Pos
	switch v := x.(type) {
	case secretMark:
		env := value.ExprAt(at, value.Expression{Op: value.OpEnv, Name: variable})
		return value.ExprAt(at, value.Expression{Op: value.OpSecret, Parts: []value.Value{env}})
	case unreadMark:
		return value.StringAt(at, catalog.Placeholder)
	case []any:
		items := make([]value.Value, len(v))
		for i, y := range v {
			items[i] = declared(y, variable)
		}
		return value.ListAt(at, items)
	case map[string]any:
		var entries []value.Entry
		for _, k := range slices.Sorted(maps.Keys(v)) {
			entries = append(entries, value.Entry{Key: k, Value: declared(v[k], variable)})
		}
		return value.MapAt(at, entries...)
	default:
		return value.From(at, x)
	}
}
