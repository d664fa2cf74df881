package contract

import (
	"fmt"
	"maps"
	"slices"
)

// Direction says which way a value travels: what is read-only has no place in
// a request, what is write-only need not be in a response.
type Direction string

// The directions.
const (
	Request  Direction = "request"
	Response Direction = "response"
)

// emitter writes schemas in JSON Schema draft 7, a language of the validator: what
// they say needs nothing newer, and the validator compiles it in half the time.
type emitter struct {
	dir Direction
}

func (e emitter) schema(s *Schema) any {
	if s == nil {
		return true
	}
	if s.never {
		return false
	}
	out := map[string]any{}
	if s.Ref != "" {
		if s.Nullable {
			return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, e.ref(s.Ref)}}
		}
		return e.ref(s.Ref)
	}
	e.constraints(s, out)
	e.object(s, out)
	if s.Items != nil {
		out["items"] = e.schema(s.Items)
	}
	if len(s.AllOf) > 0 {
		out["allOf"] = e.list(s.AllOf)
	}
	if len(s.AnyOf) > 0 {
		out["anyOf"] = e.list(s.AnyOf)
	}
	if len(s.OneOf) > 0 {
		e.union(s, out)
	}
	if s.Nullable || s.nullInAny() {
		return nullable(s, out)
	}
	if s.Type != "" {
		out["type"] = string(s.Type)
	}
	return out
}

func (e emitter) ref(name string) map[string]any {
	return map[string]any{"$ref": schemaURL(e.dir, name)}
}

func (e emitter) list(schemas []*Schema) []any {
	out := make([]any, len(schemas))
	for i, s := range schemas {
		out[i] = e.schema(s)
	}
	return out
}

// nullInAny reports whether several variants take null: taken by its letter, null
// would fit none, for it fits more than one.
func (s *Schema) nullInAny() bool {
	n := 0
	for _, b := range s.OneOf {
		if b.Deref().Nullable {
			n++
		}
	}
	return n > 1
}

func nullable(s *Schema, out map[string]any) any {
	if enum, ok := out["enum"].([]any); ok && !slices.Contains(enum, nil) {
		out["enum"] = append(append([]any{}, enum...), nil)
	}
	for _, union := range []string{"oneOf", "anyOf", "allOf"} {
		if _, ok := out[union]; ok {
			if s.Type != "" {
				out["type"] = string(s.Type)
			}
			return map[string]any{"if": map[string]any{"not": map[string]any{"type": "null"}}, "then": out}
		}
	}
	if s.Type != "" {
		out["type"] = []any{string(s.Type), "null"}
	}
	if len(s.Enum) == 1 && s.Enum[0] == nil { // nothing of that type fits
		out["type"] = "null"
	}
	return out
}

func (e emitter) constraints(s *Schema, out map[string]any) {
	ints := map[string]*int{
		"minLength": s.MinLength, "maxLength": s.MaxLength, "minItems": s.MinItems, "maxItems": s.MaxItems,
		"minProperties": s.MinProperties, "maxProperties": s.MaxProperties,
	}
	for k, v := range ints {
		if v != nil {
			out[k] = *v
		}
	}
	floats := map[string]*float64{"minimum": s.Minimum, "maximum": s.Maximum, "multipleOf": s.MultipleOf}
	for k, v := range floats {
		if v != nil {
			out[k] = *v
		}
	}
	if s.ExclMinimum != nil && s.ExclMinimum != true {
		out["exclusiveMinimum"] = s.ExclMinimum
	}
	if s.ExclMaximum != nil && s.ExclMaximum != true {
		out["exclusiveMaximum"] = s.ExclMaximum
	}
	if s.UniqueItems {
		out["uniqueItems"] = true
	}
	if s.Pattern != "" {
		out["pattern"] = s.Pattern
	}
	if s.Format != "" {
		out["format"] = s.Format
	}
	if len(s.Enum) > 0 {
		out["enum"] = s.Enum
	}
	if s.Const != nil {
		out["const"] = s.Const
	}
}

func (e emitter) object(s *Schema, out map[string]any) {
	if len(s.Properties) > 0 {
		props := map[string]any{}
		for name, p := range s.Properties {
			if p.tabled {
				continue // Konnect takes anything
			}
			if e.hidden(p) {
				if s.closed() && e.dir == Request {
					continue // additionalProperties refuses it
				}
				props[name] = e.dir == Response
				continue
			}
			props[name] = e.schema(p)
			if takesAll, _ := props[name].(map[string]any); e.dir == Request && slices.Contains(s.Required, name) && len(takesAll) == 0 {
				props[name] = map[string]any{"not": map[string]any{"type": "null"}} // null is no value there
			}
		}
		out["properties"] = props
	}
	var required []any
	for _, r := range s.Required {
		p := s.Properties[r]
		if p != nil && (e.hidden(p) || (e.dir == Response && p.Deref().WriteOnly)) {
			continue
		}
		required = append(required, r)
	}
	// A union may require read-only properties that its branches declare.
	if e.dir == Request && len(s.OneOf) > 0 {
		required = keepWritable(s, required)
	}
	if len(required) > 0 {
		out["required"] = required
	}
	if s.Additional != nil {
		out["additionalProperties"] = e.schema(s.Additional)
	}
}

func keepWritable(s *Schema, required []any) []any {
	o := s.Object(nil)
	var kept []any
	for _, r := range required {
		if f := o.Field(fmt.Sprint(r)); f == nil || !f.Schema.ReadOnly {
			kept = append(kept, r)
		}
	}
	return kept
}

func (s *Schema) closed() bool { return s.Additional != nil && s.Additional.never }

// hidden properties have no place in this direction.
func (e emitter) hidden(p *Schema) bool {
	return e.dir == Request && p.Deref().ReadOnly
}

// union writes a oneOf whose branches a property tells apart as one condition
// per branch: so an error names what is wrong in the branch that was meant.
func (e emitter) union(s *Schema, out map[string]any) {
	property, branches := s.Selector()
	if property == "" {
		out["oneOf"] = e.list(s.OneOf)
		return
	}
	values := SelectorValues(branches)
	all, _ := out["allOf"].([]any)
	allowed := make([]any, len(values))
	for i, v := range values {
		allowed[i] = v
		all = append(all, map[string]any{
			"if": map[string]any{
				"required":   []any{property},
				"properties": map[string]any{property: map[string]any{"const": v}},
			},
			"then": e.branch(branches[v]),
		})
	}
	all = append(all, map[string]any{
		"if":   map[string]any{"required": []any{property}},
		"then": map[string]any{"properties": map[string]any{property: map[string]any{"enum": allowed}}},
		"else": map[string]any{"required": append([]any{property}, requiredByAll(property, branches)...)},
	})
	out["allOf"] = all
}

// requiredByAll are the fields besides the property that every branch requires: they
// are missing whichever one is meant.
func requiredByAll(property string, branches map[string]*Schema) []any {
	count := map[string]int{}
	for _, b := range branches {
		o := b.Object(nil)
		for _, name := range b.Deref().Required {
			if f := o.Field(name); f != nil && !f.Schema.ReadOnly && name != property {
				count[name]++
			}
		}
	}
	var out []any
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] == len(branches) {
			out = append(out, name)
		}
	}
	return out
}

func (e emitter) branch(b *Schema) any {
	if b.Name != "" {
		return e.ref(b.Name)
	}
	return e.schema(b)
}
