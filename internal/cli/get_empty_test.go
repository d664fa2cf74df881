package cli

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// On an empty Konnect every list is an empty list, in JSON and in YAML, and never
// null.
func TestGetOfNothing(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.command().want(0, "local", "start")
	words := []string{"pat"}
	for _, typ := range catalog.Types() {
		if typ.ChildOf == nil && typ.Shape != catalog.Singleton {
			words = append(words, typ.Kind)
		}
	}
	lists := 0
	for i, word := range words {
		form := []string{"json", "yaml"}[i%2]
		c := m.command()
		c.want(0, "get", word, "--local", "-o", form)
		text := strings.TrimSpace(c.out.String())
		if text == "[]" {
			lists++
		}
		if text == "null" || text == "" {
			t.Errorf("get %s -o %s: %q", word, form, text)
		}
	}
	if lists < 20 {
		t.Errorf("%d lists are empty: the law was hardly tried", lists)
	}
}
