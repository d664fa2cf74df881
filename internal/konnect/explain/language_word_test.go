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
			t.Errorf("%s: %q, schema %v", word, w.Text(explain.TextOptions{}), w.Schema)
		case isWord && !strings.Contains(err.Error(), "word of the configuration language"):
			t.Errorf("%s is a type, too, or: %v", word, err)
		}
	}
}
