package view_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/view"
)

func TestTable(t *testing.T) {
	header := []string{"NAME", "DESCRIPTION", "ID"}
	rows := [][]string{{"dev", "a portal with a rather long description of itself", "7f0a…"}, {"évèn\x1b[2J", "", "1"}}
	for name, c := range map[string]struct {
		width int
		want  string
	}{
		"without a bound": {0, "NAME         DESCRIPTION                                        ID\n" +
			"dev          a portal with a rather long description of itself  7f0a…\n" +
			"évèn\\x1b[2J                                                     1\n"},
		"in 40 columns": {40, "NAME         DESCRIPTION           ID\n" +
			"dev          a portal with a rat…  7f0a…\n" +
			"évèn\\x1b[2J                        1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := view.WriteTable(&b, header, rows, c.width, view.Style{}); err != nil {
				t.Fatal(err)
			}
			if b.String() != c.want {
				t.Errorf("got\n%swant\n%s", b.String(), c.want)
			}
			for _, line := range strings.Split(b.String(), "\n") {
				if n := utf8.RuneCountInString(line); c.width > 0 && n > c.width {
					t.Errorf("%d characters in %q", n, line)
				}
			}
		})
	}
	var b strings.Builder
	if err := view.WriteTable(&b, header, rows, 3, view.Style{}); err != nil || !strings.Contains(b.String(), "a por…") {
		t.Errorf("a column became too narrow: %v\n%s", err, b.String())
	}
}
