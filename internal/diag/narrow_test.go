package diag

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/value"
)

// A source line fits beside its number, whatever the width, and the marks stay below
// what they mark.
func TestNarrowExcerpts(t *testing.T) {
	line := "        - {name: first, description: a long text that needs room, visibility: pubic, status: published, labels: {team: a}}"
	at := strings.Index(line, "pubic")
	for _, columns := range []int{40, 60, 80, 100, 200} {
		d := Diagnostic{Severity: Error, Code: "VAL002", Pos: value.Pos{File: "a.yaml", Line: 1234, Column: at + 1}, Excerpt: Excerpt{Line: line, Start: at, End: at + 5}}
		lines := strings.Split(d.text(plain, columns), "\n")
		if len(lines) < 4 {
			t.Fatal(lines)
		}
		shown, marks := lines[2], lines[3]
		if n := terminal.Columns(shown); n > columns {
			t.Errorf("%d columns at a width of %d: %s", n, columns, shown)
		}
		from := len([]rune(marks[:strings.Index(marks, "^")]))
		if got := string([]rune(shown)[from : from+5]); got != "pubic" {
			t.Errorf("width %d: %q is marked:\n%s\n%s", columns, got, shown, marks)
		}
	}
}
