package explain

import (
	"slices"
	"strings"
)

// among adds to the entry of a field that chooses among the variants of a mapping what
// else it can be.
func (s *sampler) among(o *Object, f *Field, e entry) entry {
	others := o.choices(f.Name)
	if !s.whole || len(f.Enum) > 1 || len(others) < 2 {
		return e
	}
	e.note = strings.Join(slices.DeleteFunc([]string{"one of: " + strings.Join(others, ", "), e.note}, func(x string) bool { return x == "" }), "; ")
	return e
}

// choices are the values that a field has in the variants of a mapping, where each of
// them that has the field says which.
func (o *Object) choices(name string) (out []string) {
	for _, v := range o.Variants {
		for _, f := range v.Fields {
			if f.Name != name {
				continue
			}
			if len(f.Enum) == 0 {
				return nil
			}
			for _, x := range f.Enum {
				if x := text(x); !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	return out
}
