package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// keyMatchFields is the key of selectors below which the fields stand that are compared.
const keyMatchFields = "matchFields"

// comparable is the field that Konnect returns of a type, or of what a resource of it
// refers to, and that a selector compares.
func (x *Explainer) comparable(b *catalog.Bound, p value.Path) (*catalog.Bound, value.Path, catalog.Place) {
	at := b.ReturnedAt(p)
	if to, _, below := x.cat.Beside(b, p); !at.OK && to != nil && to.ReturnedAt(below).OK {
		return x.comparable(to, below)
	}
	return b, p, at
}

// compared describes a field in a selector: names lead to matchFields, which is written
// so, and field leads on.
func (x *Explainer) compared(t *Type, names, field []string, written string) (*Found, error) {
	in := t.Kind + "." + strings.Join(names, ".")
	b, p, at := x.comparable(t.bound, value.Path(field))
	switch {
	case !at.OK:
		return nil, &UnknownError{Message: fmt.Sprintf("%s has no field %q", in, strings.Join(field, ".")), Hint: at.Fix(p, "")}
	case at.Secret:
		return nil, &UnknownError{Message: fmt.Sprintf("%s: %s is secret, and nothing is found by it", in, strings.Join(field, ".")), Hint: "use another field."}
	}
	schema := map[string]any{"description": "the value that the field has"}
	if found, err := x.Type(b).At(p); err == nil {
		schema["type"] = found.Field.Type
		if values, ok := found.Field.schema()["enum"]; ok {
			schema["enum"] = values
		}
	}
	return &Found{Type: t, Path: slices.Concat(names, field), Key: schema, written: written + "." + strings.Join(field, ".")}, nil
}

// comparedNames are the fields that a selector compares, at the top of what Konnect
// returns.
func comparedNames(b *catalog.Bound) []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(b.Returned().Object(nil).Names())), func(name string) bool {
		return b.ReturnedAt(value.Path{name}).Secret
	})
}
