package explain_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// Whatever may stand at the root of a document, and beside the fields of a resource,
// is described.
func TestWordsOfTheLanguage(t *testing.T) {
	x, _ := explainer(t)
	properties, _ := x.Language()["properties"].(map[string]any)
	words := append(slices.Sorted(maps.Keys(properties)), "kongctl", "_external", "_deck")
	for _, word := range words {
		w, isWord := x.Word(word)
		_, err := x.Find(word)
		switch {
		case !isWord && err != nil:
			t.Errorf("%s: %v", word, err)
		case isWord && (w.Schema == nil || !strings.Contains(w.Text(explain.TextOptions{}), word)):
			t.Errorf("%s: %q", word, w.Text(explain.TextOptions{}))
		case isWord && !strings.Contains(err.Error(), "word of the configuration language"):
			t.Errorf("%s is a type, too, or: %v", word, err)
		}
	}
	for _, word := range words {
		if w, isWord := x.Word(word); isWord && (w.Schema()["$schema"] != explain.Draft || w.Schema()["title"] != word || w.Schema()["x-kongctl-path"] != word) {
			t.Errorf("the JSON of %s is no JSON Schema with a title and its path: %v", word, w.Schema())
		}
	}
	for _, word := range []string{"moved", "kongctl"} {
		if w, _ := x.Word(word); w.Schema()["type"] == nil {
			t.Errorf("%s has the schema %v", word, w.Schema())
		}
	}
}
