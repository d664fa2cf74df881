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
	wide := []string{"NAME", "NAMESPACE", "DESCRIPTION", "IMPLEMENTATION MODE", "ID"}
	long := [][]string{{"payments-and-invoices-of-the-airline", "default", "what is paid and what is not", "service", "0a1b2c3d-0000-4000-8000-000000000000"}}
	for width, want := range map[int]string{
		200: "payments-and-invoices-of-the-airline  default    what is paid and what is not  service              0a1b2c3d-0000-4000-8000-000000000000",
		120: "payments-and-invoices-of-the-airline  default    what is paid and what is not  service              0a1b2c3d-0000-4000-…",
		80:  "payments-and-invoices-of-the-airline  default    what is paid a…  servi…  0a1b2…",
		60:  "payments-and-invoices-of-th…  defau…  what…   servi…  0a1b2…",
	} {
		var b strings.Builder
		if err := view.WriteTable(&b, wide, long, width, view.Style{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(b.String(), "\n")[1]; got != want {
			t.Errorf("at %d:\n%s\nwant\n%s", width, got, want)
		}
	}
	cells := [][]string{{"flüge", "日本語の説明とその続き", "0a1b2c3d-0000"}, {"bücher", "plain", "1"}}
	for width, want := range map[int]string{
		0:  "NAME    DESCRIPTION             ID\nflüge   日本語の説明とその続き  0a1b2c3d-0000\nbücher  plain                   1\n",
		34: "NAME    DESCRIPTION         ID\nflüge   日本語の説明とそ…   0a1b2…\nbücher  plain               1\n",
	} {
		var b strings.Builder
		if err := view.WriteTable(&b, header, cells, width, view.Style{}); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("at %d:\n%s\nwant\n%s", width, b.String(), want)
		}
	}
	var b strings.Builder
	if err := view.WriteTable(&b, header, rows, 3, view.Style{}); err != nil || !strings.Contains(b.String(), "a por…") {
		t.Errorf("a column became too narrow: %v\n%s", err, b.String())
	}
}
