package explain_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// pathsOf calls with every path of a schema, but for what other types and tags have.
func pathsOf(schema any, at []string, visit func(path []string)) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	properties, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		path := append(slices.Clone(at), name)
		visit(path)
		pathsOf(properties[name], path, visit)
	}
	if other, ok := s["additionalProperties"].(map[string]any); ok {
		path := append(slices.Clone(at), "x")
		visit(path)
		pathsOf(other, path, visit)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		forms, _ := s[key].([]any)
		for _, form := range forms {
			pathsOf(form, at, visit)
		}
	}
	for _, key := range []string{"items", "then", "else"} {
		pathsOf(s[key], at, visit)
	}
}

// TestEveryPathOfSchemaIsExplained: each path of the JSON of a type leads somewhere, and
// what it leads to says what it is, as text and as JSON.
func TestEveryPathOfSchemaIsExplained(t *testing.T) {
	x, cat := explainer(t)
	tried := 0
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		pathsOf(x.Schema(found), nil, func(path []string) {
			at := b.Kind + "." + strings.Join(path, ".")
			if known[at] {
				return
			}
			known[at] = true
			tried++
			one, err := x.Find(at)
			if err != nil {
				t.Errorf("%s: %v", at, err)
				return
			}
			text := x.Text(one, explain.TextOptions{})
			for _, says := range []string{"root key", "written at", "read-only"} {
				if strings.Contains(text, says) {
					return
				}
			}
			t.Errorf("%s: %s", at, text)
		})
	}
	t.Logf("%d paths", tried)
	if tried < 3000 {
		t.Errorf("only %d paths were tried", tried)
	}
}
