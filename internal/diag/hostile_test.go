package diag_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// Whatever a diagnostic is about, it has the lines that it says it has.
func TestDiagnosticsAreHarmless(t *testing.T) {
	for _, code := range diag.Codes() {
		x := testkit.HostileBytes
		d := diag.Warn(code, value.Pos{File: x, Line: 1, Column: 1}, "It is called "+x+".", "rename "+x+".")
		for _, text := range []string{d.String(), (&diag.ListError{List: diag.List{d, d}}).Error()} {
			if what := testkit.Unsafe(text, false); what != "" {
				t.Errorf("%s holds %s:\n%q", code, what, text)
			}
		}
	}
}
