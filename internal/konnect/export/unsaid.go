package export

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// unsaid lists the secrets that a resource may have and that nothing tells of:
// they need not be given, and what stands beside them is in use.
func unsaid(t *catalog.Bound, body map[string]any) []value.Path {
	var out []value.Path
	var visit func(at value.Path, s *contract.Schema, fields map[string]any)
	visit = func(at value.Path, s *contract.Schema, fields map[string]any) {
		o := s.Object(fields)
		for _, n := range o.Names() {
			f := o.Field(n)
			v, said := fields[n]
			inner, isMap := v.(map[string]any)
			switch {
			case isMap:
				visit(at.Child(n), f.Schema, inner)
			case !said && f.Schema.Secret && !f.Schema.ReadOnly && beside(o, at, n, fields):
				out = append(out, at.Child(n))
			}
		}
	}
	visit(nil, t.Write(), body)
	return out
}

// beside tells that a text is set that belongs with a field: in the same
// mapping, or at the top with the same first word.
func beside(o *contract.Object, at value.Path, name string, fields map[string]any) bool {
	word, _, _ := strings.Cut(name, "_")
	for k, v := range fields {
		s, isText := v.(string)
		if !isText || s == "" || len(at) == 0 && !strings.HasPrefix(k, word+"_") {
			continue
		}
		if f := o.Field(k); f != nil && (!f.Schema.HasDefault() || !value.Equal(f.Schema.Default, v)) {
			return true
		}
	}
	return false
}
