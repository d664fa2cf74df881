package explain

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
)

const fieldLabels = "labels"

// identity makes the one field required that a resource is found by: none loads
// without it, whatever Konnect would take.
func (t *Type) identity() {
	if t.bound.Shape == catalog.Singleton || len(t.Identity) != 1 {
		return
	}
	for _, f := range t.Object.all() {
		if f.Name == t.Identity[0] {
			f.Required = true
		}
	}
}

// loads adds what people may write of fields and the contract does not say.
func (t *Type) loads() {
	for _, l := range t.bound.Loads {
		for _, f := range t.Object.all() {
			if f.Name == l.Field {
				f.From, f.Free, f.Loads = l.From, l.Free, l.Says
				f.Required = f.Required && len(l.From) == 0
			}
		}
	}
	sortFields(t.Object.Fields)
}

// loadedKeys are the keys that the contract does not have.
func (t *Type) loadedKeys() []*Key {
	var out []*Key
	for _, l := range catalog.LoadedKeys(t.bound) {
		out = append(out, &Key{l.Field, l.Says, map[string]any{}})
	}
	return out
}

// labelKeys is the schema of the keys of labels.
func labelKeys() map[string]any {
	return map[string]any{
		"pattern": ecma(label.Pattern), "maxLength": label.MaxLength,
		"not": map[string]any{"pattern": "^(" + strings.Join(slices.Concat(label.Prefixes(), []string{label.Prefix}), "|") + ")"},
	}
}
