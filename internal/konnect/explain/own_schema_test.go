package explain_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// compileOf compiles the schema that explain prints of what was found.
func compileOf(t *testing.T, x *explain.Explainer, found *explain.Found) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	raw, err := json.Marshal(x.Schema(found))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("type.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("type.json")
	if err != nil {
		t.Fatal(err)
	}
	printed, _ := doc.(map[string]any)
	return s, printed
}

// valuesAt are the values at a path such as portals[].pages[] of a document.
func valuesAt(doc any, path string) []any {
	at := []any{doc}
	for _, segment := range strings.Split(path, ".") {
		name, list := strings.CutSuffix(segment, "[]")
		var next []any
		for _, v := range at {
			m, _ := v.(map[string]any)
			inner, ok := m[name]
			items, isList := inner.([]any)
			switch {
			case !ok:
			case list && isList:
				next = append(next, items...)
			default:
				next = append(next, inner)
			}
		}
		at = next
	}
	return at
}

// TestOwnSchemaTakesExample: the JSON that explain prints of a type takes what the same
// command shows as the example: at the path that the JSON names, and in the list at the
// root, beside the key of its parent.
func TestOwnSchemaTakesExample(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		s, printed := compileOf(t, x, found)
		place, _ := printed["x-kongctl-path"].(string)
		tried := 0
		for _, doc := range seen(t, x.Example(found.Type)) {
			for _, v := range valuesAt(doc, place) {
				tried++
				if err := s.Validate(v); err != nil {
					t.Errorf("%s: what stands at %s: %v", b.Kind, place, err)
				}
				for _, key := range found.Type.ParentKeys {
					if err := s.Validate(flatForm(v, b.Set, key)); err != nil {
						t.Errorf("%s: the flat form with %s: %v", b.Kind, key, err)
					}
				}
			}
		}
		if tried == 0 {
			t.Errorf("%s: the example has nothing at %s", b.Kind, place)
		}
	}
}

// flatForm is a value as an item of the list at the root, with the key of its parent; set
// is the field that a list alone stands for.
func flatForm(v any, set, key string) any {
	out := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		maps.Copy(out, v)
	case []any:
		out[set] = v
	default:
		return v
	}
	out[key] = "my-parent"
	return out
}
