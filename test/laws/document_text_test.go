package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// A text that holds no document is a warning wherever a document is a text, with !file
// where it looks like a path; Konnect takes it. A document is none.
func TestTextsThatAreNoDocuments(t *testing.T) {
	var seen tally
	afterAll(t, func() {
		if seen.of("path") < 3 {
			t.Errorf("too few: %s", &seen)
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if !slices.ContainsFunc(s.t.Formats, func(f catalog.Formatted) bool { return catalog.TakesDocument(s.t, strings.Split(f.Field, ".")) }) {
			return
		}
		below := ""
		if s.t.Parent != nil {
			below = s.parent(s.t)
		}
		full := sampler{t: s.t, n: 1, refs: s.reference}.everything(0)
		for _, at := range places(full) {
			if !catalog.TakesDocument(s.t, at.Generic()) {
				continue
			}
			for text, want := range map[string]string{
				"docs/o.yaml":     "did you mean !file docs/o.yaml?",
				"not: [yaml":      "write the document itself, or name the file that holds it with !file.",
				"openapi: 3.1.0":  "",
				`{"type":"text"}`: "",
			} {
				with, _ := value.Clone(full).(map[string]any)
				value.Set(with, at, text)
				got := ""
				for _, d := range s.problems(with, below) {
					if d.Severity == diag.Error {
						t.Errorf("%s: %q: %s", at, text, d)
					} else if d.Code == diag.ValFormat {
						got = d.Fix
					}
				}
				if got != want {
					t.Errorf("%s: %q: %q, want %q", at, text, got, want)
				}
			}
			seen.add("path", 1)
		}
	})
}
