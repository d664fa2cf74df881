package diff_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// What means the same is equal, whatever it looks like.
func TestMeaning(t *testing.T) {
	spec := func(text string) map[string]any { return map[string]any{"spec": map[string]any{"content": text}} }
	ttl := func(v any) map[string]any {
		return map[string]any{"configs": map[string]any{"key-auth": map[string]any{"ttl": map[string]any{"value": v, "unit": "days"}}}}
	}
	pem := "-----BEGIN CERTIFICATE-----\nAAAA\nBBBB\n-----END CERTIFICATE-----"
	for _, r := range []struct {
		name, kind string
		a, b       map[string]any
		same       bool
	}{
		{"YAML and JSON", "api_version", spec("openapi: 3.0.0\ninfo: {title: x, version: '1.0'}\n"), spec(`{"info":{"version":"1.0","title":"x"},"openapi":"3.0.0"}`), true},
		{"another order and comments", "api_version", spec("a: 1\nb: [1, 2] # two\n"), spec("b:\n- 1\n- 2\na: 1"), true},
		{"an alias and what it stands for", "api_version", spec("a: &x {k: v}\nb: *x\n"), spec("a: {k: v}\nb: {k: v}\n"), true},
		{"a date is a text in JSON", "api_version", spec("d: 2020-01-01\n"), spec(`{"d":"2020-01-01"}`), true},
		{"a number is not a text", "api_version", spec("v: 1.0\n"), spec("v: '1.0'\n"), false},
		{"1.10 is not 1.1", "api_version", spec("v: 1.10\n"), spec("v: 1.1\n"), false},
		{"a whole number in JSON", "api_version", spec(`{"n":1}`), spec(`{"n":1.0}`), true},
		{"an exponent in JSON", "api_version", spec(`{"n":[1000.0,-0.5]}`), spec(`{"n":[1e3,-5E-1]}`), true},
		{"zeros at the end in JSON", "api_version", spec(`{"n":1.10}`), spec(`{"n":1.1}`), true},
		{"another number in JSON", "api_version", spec(`{"n":1}`), spec(`{"n":1.01}`), false},
		{"a number is not a text in JSON", "api_version", spec(`{"n":1}`), spec(`{"n":"1"}`), false},
		{"texts of numbers in JSON", "api_version", spec(`{"n":"1"}`), spec(`{"n":"1.0"}`), false},
		{"big numbers in JSON", "api_version", spec(`{"n":9007199254740993}`), spec(`{"n":9007199254740992}`), false},
		{"long fractions in JSON", "api_version", spec(`{"n":0.10000000000000000001}`), spec(`{"n":0.1}`), false},
		{"huge exponents in JSON", "api_version", spec(`{"n":1e999999999}`), spec(`{"n":2e999999999}`), false},
		{"JSON and YAML with the same numbers", "api_version", spec(`{"n":1.0}`), spec("n: 1.0\n"), true},
		{"a key without a value in YAML", "api_version", spec("a: 1\nx-a: null\n"), spec("a: 1\n"), false},
		{"a key without a value in JSON", "api_version", spec(`{"a":{"n":1,"default":null}}`), spec(`{"a":{"n":1}}`), false},
		{"nulls in other forms", "api_version", spec("a: {default: ~, const: }\n"), spec(`{"a":{"const":null,"default":null}}`), true},
		{"null is not a text", "api_version", spec("a: null\n"), spec("a: 'null'\n"), false},
		{"null is not empty", "api_version", spec("a: null\n"), spec("a: {}\n"), false},
		{"null in a list", "api_version", spec("a: [null, 1]\n"), spec("a: [1]\n"), false},
		{"nothing but nulls", "api_version", spec("x-a: null\n"), spec("{}\n"), false},
		{"an order of a list", "api_version", spec("a: [1, 2]\n"), spec("a: [2, 1]\n"), false},
		{"another value", "api_version", spec("a: 1\n"), spec("a: 2\n"), false},
		{"texts that are no documents", "api_version", spec("hello"), spec("hello "), false},
		{"several documents", "api_version", spec("a: 1\n---\nb: 1\n"), spec("a: 1\n---\nb: 2\n"), false},
		{"a number as a text", "application_auth_strategy", ttl(json.Number("7")), ttl("7"), true},
		{"another number as a text", "application_auth_strategy", ttl(json.Number("7")), ttl("8"), false},
		{"a port as a text", "event_gateway_listener", map[string]any{"ports": []any{json.Number("9092")}}, map[string]any{"ports": []any{"9092"}}, true},
		{"another port as a text", "event_gateway_listener", map[string]any{"ports": []any{json.Number("9092")}}, map[string]any{"ports": []any{"9093"}}, false},
		{"a range of ports", "event_gateway_listener", map[string]any{"ports": []any{json.Number("9092")}}, map[string]any{"ports": []any{"9092-9093"}}, false},
		{"a boolean as a text", "portal", map[string]any{"rbac_enabled": true}, map[string]any{"rbac_enabled": "true"}, true},
		{"a text that is a number", "portal", map[string]any{"description": "8080"}, map[string]any{"description": json.Number("8080")}, true},
		{"markdown is compared by its letters", "portal_page", map[string]any{"content": "a: 1"}, map[string]any{"content": "a:  1"}, false},
		{"line ends of a certificate", "portal_page", map[string]any{"content": pem}, map[string]any{"content": strings.ReplaceAll(pem, "\n", "\r\n") + "\n"}, true},
		{"a page around a certificate", "portal_page", map[string]any{"content": "Use this:\n" + pem}, map[string]any{"content": "Use that:\n" + pem}, false},
		{"another certificate", "portal_page", map[string]any{"content": pem}, map[string]any{"content": strings.Replace(pem, "AAAA", "AAAB", 1)}, false},
	} {
		t.Run(r.name, func(t *testing.T) {
			for _, mode := range []diff.Mode{diff.Merge, diff.Whole} {
				for _, d := range []diff.Delta{diff.Compare(kind(t, r.kind), r.a, r.b, mode), diff.Compare(kind(t, r.kind), r.b, r.a, mode)} {
					if d.Empty() != r.same {
						t.Errorf("mode %d: %v", mode, lines(d))
					}
				}
			}
		})
	}
}

// Over all types: a text that holds a certificate is the same with other line
// ends, and numbers and booleans are the same as texts, in every field.
func TestMeaningOfEveryField(t *testing.T) {
	pem := "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
	tried := 0
	for _, b := range testkit.Catalog(t).All() {
		if b.ReadOnly {
			continue
		}
		var visit func(at value.Path, s *contract.Schema, depth int)
		visit = func(at value.Path, s *contract.Schema, depth int) {
			o := s.Object(nil)
			for _, n := range o.Names() {
				f, p := o.Field(n).Schema, at.Child(n)
				var x, y any
				switch {
				case f.Type == "string" && len(f.Enum) == 0:
					x, y = pem, strings.ReplaceAll(pem, "\n", "\r\n")+"\r\n"
				case f.Type == "integer", f.Type == "number":
					x, y = json.Number("3"), "3"
				case f.Type == "boolean":
					x, y = true, "true"
				case f.Type == "object" && depth < 4:
					visit(p, f, depth+1)
					continue
				default:
					continue
				}
				tried++
				one, other := map[string]any{}, map[string]any{}
				value.Set(one, p, x)
				value.Set(other, p, y)
				if d := diff.Compare(b, one, other, diff.Merge); !d.Empty() {
					t.Errorf("%s: %v", b.Kind, lines(d))
				}
			}
		}
		visit(nil, b.Write(), 0)
	}
	if tried < 50 {
		t.Errorf("%d fields were tried", tried)
	}
}

// Over all types: a document in JSON is the same with its numbers in another form, and
// another one with a key more that has no value: null is a value in a document.
func TestEveryDocument(t *testing.T) {
	tried := 0
	for _, b := range testkit.Catalog(t).All() {
		for _, f := range b.Formats {
			if f.Is != catalog.Document {
				continue
			}
			tried++
			at := value.ParsePath(f.Field)
			with := func(text string) map[string]any {
				if catalog.Kinds(b.Write().At(at, nil)) == resource.Texts {
					return holding(b, at, text)
				}
				doc, ok := source.Parsed("document.yaml", text)
				if !ok {
					t.Fatalf("cannot read %s", text)
				}
				return holding(b, at, doc)
			}
			plain := with(`{"a":{"n":1000.0}}`)
			if d := diff.Compare(b, plain, with(`{"a":{"n":1e3}}`), diff.Merge); !d.Empty() {
				t.Errorf("%s: %v", b.Kind, lines(d))
			}
			for _, null := range []string{`{"a":{"n":1000.0,"default":null}}`, "a:\n  n: 1000.0\nx-a: null\n"} {
				if diff.Compare(b, plain, with(null), diff.Merge).Empty() || diff.Compare(b, with(null), plain, diff.Merge).Empty() {
					t.Errorf("%s: %s: a key without a value is not seen", b.Kind, f.Field)
				}
			}
		}
	}
	if tried < 10 {
		t.Errorf("%d documents were tried", tried)
	}
}

// holding is a resource with one value, in lists of one item each.
func holding(b *catalog.Bound, at value.Path, v any) map[string]any {
	for i := len(at) - 1; i >= 0; i-- {
		if s := b.Write().At(at[:i+1], nil).Deref(); s != nil && s.Type == "array" {
			v = []any{v}
		}
		v = map[string]any{at[i]: v}
	}
	fields, _ := v.(map[string]any)
	return fields
}
