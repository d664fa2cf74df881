package catalog_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// Every type is found by what people call it.
func TestWord(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		for _, word := range append([]string{b.Kind, b.Word(), b.Root()}, b.Aliases...) {
			if got := cat.Word(word); got != b {
				t.Errorf("%s leads to %v, want %s", word, got, b.Kind)
			}
		}
	}
	if got := cat.Word("nothing"); got != nil {
		t.Errorf("a word that is no type leads to %s", got.Kind)
	}
}
