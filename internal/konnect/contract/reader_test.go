package contract

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is read of the embedded contract is what another reader of JSON finds there,
// and no key of a schema is overlooked.
func TestReaderReadsAll(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	names := c.SchemaNames()
	if len(names) < 1000 {
		t.Fatalf("only %d schemas", len(names))
	}
	for _, name := range names {
		r := &reader{text: c.raw[name]}
		got := r.schema()
		if r.err != nil || r.at != len(r.text) {
			t.Errorf("%s: read to %d of %d: %v", name, r.at, len(r.text), r.err)
			continue
		}
		if diff := cmp.Diff(plainly(t, c.raw[name]), rewritten(got)); diff != "" {
			t.Errorf("%s -want +got:\n%s", name, diff)
		}
	}
	for _, op := range c.Operations() {
		f := op.facts
		for _, raw := range append(slices.Collect(maps.Values(f.rawResponses)), f.rawBody) {
			if raw == "" {
				continue
			}
			r := &reader{text: raw}
			if diff := cmp.Diff(plainly(t, raw), rewritten(r.schema())); diff != "" || r.err != nil {
				t.Errorf("%s: %v -want +got:\n%s", op.Key(), r.err, diff)
			}
		}
	}
}

func plainly(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return normal(out)
}

// normal writes numbers as numbers and leaves out what says nothing: marks that are
// false, and lists of types. True is the schema that says nothing.
func normal(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for key, x := range m {
		switch key {
		case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minimum", "maximum", "multipleOf":
			m[key], _ = x.(json.Number).Float64()
		case "uniqueItems", "nullable", "readOnly", "writeOnly", "deprecated", "computed", "secret":
			if x == false {
				delete(m, key)
			}
		case "type":
			if _, several := x.([]any); several {
				delete(m, key)
			}
		case "sensitive", "encrypted": // what gen knows secrets by
			delete(m, key)
		case "items", "additionalProperties":
			if m[key] = normal(x); x == true {
				m[key] = map[string]any{}
			}
		case "properties":
			for _, p := range x.(map[string]any) {
				normal(p)
			}
		case "oneOf", "anyOf", "allOf":
			for _, b := range x.([]any) {
				normal(b)
			}
		}
	}
	return m
}

// rewritten is a schema in the form that gen writes.
func rewritten(s *Schema) any {
	if s.never {
		return false
	}
	out := map[string]any{}
	put := func(key string, given bool, v any) {
		if given {
			out[key] = v
		}
	}
	list := func(key string, of []*Schema) {
		var all []any
		for _, s := range of {
			all = append(all, rewritten(s))
		}
		put(key, of != nil, all)
	}
	put("$ref", s.Ref != "", s.Ref)
	put("type", s.Type != "", string(s.Type))
	if s.Properties != nil {
		all := map[string]any{}
		for name, p := range s.Properties {
			all[name] = rewritten(p)
		}
		out["properties"] = all
	}
	var required []any
	for _, name := range s.Required {
		required = append(required, name)
	}
	put("required", s.Required != nil, required)
	if s.Items != nil {
		out["items"] = rewritten(s.Items)
	}
	if s.Additional != nil {
		out["additionalProperties"] = rewritten(s.Additional)
	}
	list("oneOf", s.OneOf)
	list("anyOf", s.AnyOf)
	list("allOf", s.AllOf)
	if d := s.Discriminator; d != nil {
		of := map[string]any{"propertyName": d.Property}
		if d.Mapping != nil {
			mapping := map[string]any{}
			for value, name := range d.Mapping {
				mapping[value] = name
			}
			of["mapping"] = mapping
		}
		out["discriminator"] = of
	}
	put("enum", s.Enum != nil, s.Enum)
	put("const", s.Const != nil, s.Const)
	put("default", s.hasDefault, s.Default)
	put("pattern", s.Pattern != "", s.Pattern)
	put("format", s.Format != "", s.Format)
	put("exclusiveMinimum", s.ExclMinimum != nil, s.ExclMinimum)
	put("exclusiveMaximum", s.ExclMaximum != nil, s.ExclMaximum)
	for key, n := range map[string]*int{
		"minLength": s.MinLength, "maxLength": s.MaxLength, "minItems": s.MinItems, "maxItems": s.MaxItems,
		"minProperties": s.MinProperties, "maxProperties": s.MaxProperties,
	} {
		if n != nil {
			out[key] = float64(*n)
		}
	}
	for key, n := range map[string]*float64{"minimum": s.Minimum, "maximum": s.Maximum, "multipleOf": s.MultipleOf} {
		if n != nil {
			out[key] = *n
		}
	}
	for key, is := range map[string]bool{
		"uniqueItems": s.UniqueItems, "nullable": s.Nullable, "readOnly": s.ReadOnly, "writeOnly": s.WriteOnly,
		"deprecated": s.Deprecated, "computed": s.Computed, "secret": s.Secret,
	} {
		put(key, is, true)
	}
	return out
}

func TestReaderRefuses(t *testing.T) {
	for _, text := range []string{
		``, `{`, `[]`, `{"ops"}`, `{"ops": [`, `{"ops": {}}`, `{"ops": [{"id": 1}]}`, `{"ops": [{"id": "a}]}`,
		`{"ops": [{"id": "\x"}]}`, `{"schemas": {"a": {}`, `{"schemas": {"a" {}}}`,
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s is taken for a contract", text)
		}
	}
	r := &reader{text: `{"minLength": "a"}`}
	if r.schema(); r.err == nil {
		t.Error("a text is taken for a number")
	}
	r = &reader{text: " {\"pattern\" : \"\\\\d\\u00e9\" , \"enum\": [1.50, {\"a\": [null]}], \"minimum\": null} "}
	if s := r.schema(); r.err != nil || s.Pattern != `\dé` || s.Minimum != nil || !cmp.Equal(s.Enum, []any{json.Number("1.50"), map[string]any{"a": []any{nil}}}) {
		t.Errorf("%v %v %+v", r.err, r.text[r.at:], s)
	}
}
