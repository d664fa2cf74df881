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
