package catalog

import (
	"encoding/json"
	"fmt"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// SchemaAt is what a schema says of a place in a value: of an item where the path
// ends in a place of a list.
func SchemaAt(s *contract.Schema, p value.Path, v any) *contract.Schema { return s.At(p, v) }

// AsText turns a number or boolean into the text that a field takes.
func (k behaviour) AsText(p value.Path, v any) any { return AsText(SchemaAt(k.b.Write(), p, nil), v) }

// AsText turns a number or boolean into text where a schema takes text.
func AsText(s *contract.Schema, v any) any {
	if s == nil || s.Type != "string" {
		return v
	}
	switch x := v.(type) {
	case json.Number:
		return x.String()
	case bool, float64, int:
		return fmt.Sprint(x)
	}
	return v
}

// Gives are the kinds of values that others get from a field.
func (k behaviour) Gives(r *resource.Resource, p value.Path) resource.Kinds {
	if p.String() == k.b.MapKey {
		return resource.Texts
	}
	if r.External != nil {
		return Kinds(SchemaAt(k.b.Returned(), p, nil))
	}
	var out resource.Kinds
	for _, s := range fieldSchemas(k.b) {
		if at := SchemaAt(s, p, open(r)); at != nil {
			some := Kinds(at)
			if some == 0 {
				return 0
			}
			out |= some
		}
	}
	return out
}

// Takes are the kinds of values that a field can be given. Where text is wanted,
// numbers and booleans are written as such.
func (k behaviour) Takes(r *resource.Resource, p value.Path) resource.Kinds {
	if p.String() == k.b.MapKey {
		return resource.Texts
	}
	if k.b.Write() == nil {
		return 0
	}
	s := SchemaAt(k.b.Write(), p, open(r))
	out := Kinds(s)
	if s != nil && s.Type == "string" {
		out |= resource.Numbers | resource.Booleans
	}
	return out
}

// Fills reports whether Konnect may give a field a value that the resource does
// not declare. It gives none to a key that people choose, and none where a
// response may hold null and the contract has no default.
func (k behaviour) Fills(r *resource.Resource, p value.Path) bool {
	if len(p) == 0 || !k.b.Optional() || p.String() == k.b.MapKey || k.b.IsComputed(p.Generic()) {
		return true
	}
	s := SchemaAt(k.b.Write(), p, open(r))
	if s == nil || s.ReadOnly || s.HasDefault() && s.Default != nil {
		return true // what only responses have, or what has a default
	}
	above := SchemaAt(k.b.Write(), p[:len(p)-1], open(r))
	if above != nil && above.Object(nil).Field(p[len(p)-1]) == nil {
		return false
	}
	schemas := fieldSchemas(k.b)
	returned := SchemaAt(schemas[len(schemas)-1], p, nil)
	return returned == nil || !returned.Nullable || len(schemas) == 1
}

// open is a resource with stand-ins for what is not known.
func open(r *resource.Resource) any {
	return r.Fields.Plain(func(value.Path, *value.Expression) any { return value.UnknownText })
}

// Kinds are those of the values that a schema allows; none where it does not say.
func Kinds(s *contract.Schema) resource.Kinds {
	s = s.Deref()
	if s == nil {
		return 0
	}
	switch s.Type {
	case "string":
		return resource.Texts
	case "integer", "number":
		return resource.Numbers
	case "boolean":
		return resource.Booleans
	case "array":
		return resource.Lists
	case "object":
		return resource.Mappings
	}
	var out resource.Kinds
	for _, branch := range s.Branches() {
		some := Kinds(branch)
		if some == 0 {
			return 0
		}
		out |= some
	}
	if out == 0 && len(s.Properties) > 0 {
		return resource.Mappings
	}
	for i := 0; out == 0 && i < len(s.AllOf); i++ {
		out = Kinds(s.AllOf[i])
	}
	return out
}
