package contract

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// Undeclared lists the places in a value that a schema has no name for, also where
// it takes any field. Of a union it knows the names of all branches.
func (s *Schema) Undeclared(v any) []value.Path { return s.undeclared(nil, v) }

func (s *Schema) undeclared(at value.Path, v any) (out []value.Path) {
	if s = s.Deref(); s == nil {
		return nil
	}
	switch x := v.(type) {
	case []any:
		for i, e := range x {
			out = append(out, s.Item().undeclared(at.Index(i), e)...)
		}
	case map[string]any:
		o := s.Object(nil)
		for _, name := range slices.Sorted(maps.Keys(x)) {
			below := at.Child(name)
			switch field := o.Field(name); {
			case field != nil:
				out = append(out, field.Schema.undeclared(below, x[name])...)
			case len(o.Names()) > 0:
				out = append(out, below)
			case o.Values != nil:
				out = append(out, o.Values.undeclared(below, x[name])...)
			}
		}
	}
	return out
}
