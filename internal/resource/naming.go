package resource

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// Naming is fields that hold the names of resources of a kind with the same parent, as
// texts. What they name may also exist without being declared.
type Naming struct {
	Kind   string
	Fields []string
	// Open: a name may also come from elsewhere, so that what it names need not exist.
	Open bool
	// Inside is the field of the parent that the names stand in, as phases.key, where
	// they are those of its items: Kind is "" then.
	Inside string
}

// NamesInside reports whether fields of a type name items of the parent, which must
// have them first.
func (t *Type) NamesInside() bool {
	return slices.ContainsFunc(t.Namings, func(n Naming) bool { return n.Inside != "" })
}

// NamedIn goes through what the fields of a resource name.
func (t *Type) NamedIn(fields map[string]any, each func(kind, name string)) {
	for _, n := range t.Namings {
		if n.Inside != "" {
			continue
		}
		for _, f := range n.Fields {
			for _, name := range value.TextsAt(fields, value.ParsePath(f)) {
				each(n.Kind, name)
			}
		}
	}
}

// NamedAt is what a field holds the names of; its kind is "" where it holds none.
func (t *Type) NamedAt(path value.Path) Naming {
	for _, n := range t.Namings {
		if slices.Contains(n.Fields, path.String()) {
			return n
		}
	}
	return Naming{}
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
