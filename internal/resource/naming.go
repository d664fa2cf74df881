package resource

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// Naming is fields that hold the names of resources of a kind with the same parent.
// What they name may also exist without being declared, so they are no references:
// they only say what comes first.
type Naming struct {
	Kind   string
	Fields []string
}

// NamedIn goes through what the fields of a resource name.
func (t *Type) NamedIn(fields map[string]any, each func(kind, name string)) {
	for _, n := range t.Namings {
		for _, f := range n.Fields {
			for _, name := range value.TextsAt(fields, value.ParsePath(f)) {
				each(n.Kind, name)
			}
		}
	}
}

// NamedAt is the kind whose names a field holds, "" where it holds none.
func (t *Type) NamedAt(path value.Path) string {
	for _, n := range t.Namings {
		if slices.Contains(n.Fields, path.String()) {
			return n.Kind
		}
	}
	return ""
}

// NameIn is what others call a resource by in such fields: its identity, where that
// is a text.
func (t *Type) NameIn(fields map[string]any) string {
	if len(t.Identity) != 1 {
		return ""
	}
	name, _ := fields[t.Identity[0]].(string)
	return name
}
