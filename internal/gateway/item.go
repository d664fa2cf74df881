package gateway

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// knownBy lists, by the key of a list, the fields of which an entity needs one:
// decK's library takes for granted that it is there.
var knownBy = map[string][]string{
	"services":        {"name", "id"},
	"routes":          {"name", "id"},
	"upstreams":       {"name"},
	"snis":            {"name"},
	"plugins":         {"name"},
	"consumer_groups": {"name"},
	"groups":          {"name", "id"},
	"consumers":       {"username", "custom_id", "id"},
	"vaults":          {"prefix"},
	"key_sets":        {"name", "id"},
	"keys":            {"name", "kid", "id"},
}

// given stands for a value that an expression gives.
type given struct{}

// checkItems reports items of lists that are no entities: null, a text, empty,
// or without anything that decK could know them by.
func checkItems(root map[string]any, where func(...string) value.Pos) diag.List {
	c := itemCheck{where: where}
	c.lists(shapes, root, nil)
	return c.diags
}

// checkStateItems does the same for a state that stands in the configuration.
func checkStateItems(state value.Value) diag.List {
	plain := state.Plain(func(value.Path, *value.Expression) any { return given{} })
	where := func(path ...string) value.Pos { return state.Nearest(path) }
	return append(unsupported(asMap(plain), where), checkItems(asMap(plain), where)...)
}

type itemCheck struct {
	where func(...string) value.Pos
	diags diag.List
}

func (c *itemCheck) lists(list []shape, at map[string]any, path value.Path) {
	for _, s := range list {
		items, _ := at[s.key].([]any)
		for i, item := range items {
			c.item(s, item, path.Child(s.key).Index(i))
		}
	}
}

func (c *itemCheck) item(s shape, item any, path value.Path) {
	entity, isMap := item.(map[string]any)
	by := knownBy[s.key]
	fix := "remove the item, or write its fields."
	if len(by) > 0 {
		fix = fmt.Sprintf("remove the item, or add %s: ….", by[0])
	}
	_, variable := item.(given)
	switch {
	case variable:
	case item == nil:
		c.add(path, fmt.Sprintf("%s is null and must be a mapping.", path), fix)
	case !isMap:
		c.add(path, fmt.Sprintf("%s must be a mapping.", path), fix)
	case len(entity) == 0:
		c.add(path, fmt.Sprintf("%s is empty.", path), fix)
	case len(by) > 0 && !anyOf(entity, by):
		c.add(path, fmt.Sprintf("%s has no %s.", path, diag.Join(by, "or")), fmt.Sprintf("add %s: ….", by[0]))
	default:
		c.lists(s.nested, entity, path)
	}
}

func (c *itemCheck) add(path value.Path, detail, fix string) {
	c.diags.Add(diag.DeckEntity, c.where(path...), detail, fix)
}

// anyOf reports whether an entity has a value in one of the fields.
func anyOf(entity map[string]any, fields []string) bool {
	for _, f := range fields {
		if v := entity[f]; v != nil && v != "" {
			return true
		}
	}
	return false
}
