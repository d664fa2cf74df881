package explain_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// What sync deletes of a type, and what an order leaves out, is said of every type that
// it is true of, and of no other.
func TestTextSaysWhatSyncLeaves(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		text := x.Text(found, explain.TextOptions{})
		below := !b.ReadOnly && b.Parent != nil && b.Parent.ReadOnly && b.Optional()
		for says, want := range map[string]bool{
			"never deletes them, because their":              below,
			"deletes undeclared ones only where":             !below && b.KeyedPrune && !b.ReadOnly,
			"that it does not list stay active, after":       catalog.OrderField(b) != "",
			"without this key, the order of the nested list": catalog.OrderField(b) != "",
		} {
			if strings.Contains(text, says) != want {
				t.Errorf("%s: says %q: %v, want %v", b.Kind, says, !want, want)
			}
		}
	}
}

// Protection lasts in Konnect only where a label keeps it: of every other type the text
// says that the declaration alone does.
func TestTextSaysHowLongProtectionLasts(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(x.Text(found, explain.TextOptions{})), " ")
		protects := strings.Contains(text, "protected: true")
		if got, want := strings.Contains(text, "replacement, only while it is declared"), protects && (b.Parent != nil || !b.HasLabels()); got != want {
			t.Errorf("%s: says that protection ends with the declaration: %v, want %v", b.Kind, got, want)
		}
	}
}
