package resource

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// SetItems are those that fields have in the list of a set.
func SetItems(t *Type, fields map[string]any) []any {
	list, _ := fields[t.SetField].([]any)
	return list
}

// ItemReference is the reference that the items of a set hold, with its place in them;
// false where they are values.
func ItemReference(t *Type) (ref Reference, at value.Path, ok bool) {
	for _, ref := range t.References {
		if inside, found := strings.CutPrefix(ref.Field, t.SetField+"."); found {
			return ref, value.ParsePath(inside), true
		}
	}
	return ref, nil, false
}

// ItemKey tells the items of a set apart: by what they refer to, else by their value.
func ItemKey(t *Type, item any) string {
	if _, at, refers := ItemReference(t); refers {
		return strings.Join(value.TextsAt(item, at), " ")
	}
	return string(value.Canonical(Folded(t, t.SetField, item)))
}

// ItemsBut are the items of a set that are not among others.
func ItemsBut(t *Type, items, others []any) []any {
	return slices.DeleteFunc(slices.Clone(items), func(x any) bool {
		return slices.ContainsFunc(others, func(y any) bool { return ItemKey(t, x) == ItemKey(t, y) })
	})
}
