package export

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// unsaid lists the secrets that a resource may have and that nothing tells of:
// they need not be given, the export has nothing in their place, and what they
// stand in is in use.
func unsaid(t *catalog.Bound, body, live map[string]any) []value.Path {
	var out []value.Path
	var visit func(at value.Path, s *contract.Schema, v any)
	visit = func(at value.Path, s *contract.Schema, v any) {
		s = s.Deref()
		if s == nil {
			return
		}
		if list, isList := v.([]any); isList {
			for i, item := range list {
				visit(at.Index(i), s.Items, item)
			}
			return
		}
		fields, isMap := v.(map[string]any)
		if !isMap {
			return
		}
		o := s.Object(variant(s, known(s, fields)))
		for _, n := range o.Names() {
			f, place := o.Field(n), at.Child(n)
			_, said := value.Get(body, place)
			switch {
			case f.Schema.ReadOnly, f.Schema.Tabled(): // Konnect returns the configuration of a plugin
			case !holdsSecret(f.Schema):
				visit(place, f.Schema, fields[n])
			case !said && (len(at) > 0 || !resident(t) || beside(o, n, fields)):
				out = append(out, place)
			}
		}
	}
	visit(nil, t.Write(), live)
	return out
}

// holdsSecret reports whether a field is a secret or a list of secrets.
func holdsSecret(s *contract.Schema) bool {
	s = s.Deref()
	return s.Secret || s.Items != nil && s.Items.Deref().Secret
}

// resident reports whether a resource is always there, used or not.
func resident(t *catalog.Bound) bool { return t.Shape == catalog.Singleton && !t.Optional() }

// beside reports whether a text is set whose name begins as that of a field.
func beside(o *contract.Object, name string, fields map[string]any) bool {
	word, _, _ := strings.Cut(name, "_")
	for k, v := range fields {
		s, isText := v.(string)
		if !isText || s == "" || !strings.HasPrefix(k, word+"_") {
			continue
		}
		if f := o.Field(k); f != nil && (!f.Schema.HasDefault() || !value.Equal(f.Schema.Default, v)) {
			return true
		}
	}
	return false
}
