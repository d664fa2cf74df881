package diag_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
)

const page = "../../docs/diagnostics.md"

var row = regexp.MustCompile(`(?m)^\| ([A-Z]+[0-9]{3}) \| (.*) \|$`)

// TestDocs keeps docs/diagnostics.md and the table of codes equal.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	documented := map[diag.Code][]string{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		code := diag.Code(m[1])
		if documented[code] != nil {
			t.Errorf("%s has two lines", code)
		}
		documented[code] = strings.Split(m[2], " | ")
	}
	for _, code := range diag.Codes() {
		cells := documented[code]
		delete(documented, code)
		switch {
		case cells == nil:
			t.Errorf("%s (%s) has no line", code, diag.Summary(code))
		case len(cells) != 3:
			t.Errorf("%s has %d cells after its code, want summary, cause and what to do", code, len(cells))
		case cells[0] != diag.Summary(code):
			t.Errorf("%s is %q in the page and %q in the code", code, cells[0], diag.Summary(code))
		}
	}
	for code := range documented {
		t.Errorf("%s has a line and no such code exists", code)
	}
}
