package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
)

// TestSchemaKnowsTypesOfExternals: a name is a resource_type for the schema where it is
// one for the loader, for all names of all types and for what is near to them. Neither
// takes a word that is cut short (strategie, dn).
func TestSchemaKnowsTypesOfExternals(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	var words []string
	wrong := map[string]bool{}
	for _, b := range cat.All() {
		for _, key := range append([]string{b.Root()}, b.Aliases...) {
			if cut, is := strings.CutSuffix(key, "s"); is && (strings.HasSuffix(key, "ies") || strings.HasSuffix(b.Kind, "s")) {
				wrong[cut] = true
			}
		}
		for _, name := range slices.Concat([]string{b.Kind, b.Word(), b.Root(), b.Key}, b.Aliases, b.Former, cat.Names(b)) {
			words = append(words, name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "ies")+"y", strings.ToUpper(name), name+"s")
		}
	}
	slices.Sort(words)
	takes := 0
	for _, word := range slices.Compact(words) {
		text := fmt.Sprintf("external_resources: [{ref: r, resource_type: %q, id: x}]", word)
		refused := false
		for _, d := range loads(cat, source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir()}) {
			refused = refused || d.Code == diag.ExtType
		}
		if !refused {
			takes++
		}
		if !refused && wrong[word] {
			t.Errorf("%s is no word, and it is taken", word)
		}
		if err := s.Validate(seen(t, text)[0]); (err != nil) != refused {
			t.Errorf("%s: the loader refuses it: %v; the schema: %v", word, refused, err)
		}
	}
	if takes < len(cat.All()) || len(wrong) < 10 {
		t.Errorf("only %d names are taken, and %d are no words", takes, len(wrong))
	}
}
