package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestPager asserts which output goes to a pager: on a terminal, if it does not
// fit, unless somebody says otherwise.
func TestPager(t *testing.T) {
	for _, row := range []struct {
		name    string
		prepare func(*console)
		args    []string
		want    []string // the pager, nil for none
	}{
		{"a long list", func(*console) {}, nil, []string{"less"}},
		{"a pager of one's own", func(c *console) { c.env["PAGER"] = "more -s" }, nil, []string{"more", "-s"}},
		{"a list that fits", func(c *console) { c.factory.world.streams.height = func() int { return 50 } }, nil, nil},
		{"a file or a pipe", func(c *console) { c.factory.world.streams.outTerminal = false }, nil, nil},
		{"CI", func(c *console) { c.env["CI"] = "true" }, nil, nil},
		{"no pager by flag", func(*console) {}, []string{"--no-pager"}, nil},
		{"no pager by variable", func(c *console) { c.env["PAGER"] = "" }, nil, nil},
		{"cat", func(c *console) { c.env["PAGER"] = "cat" }, nil, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := newConsole(t)
			s := c.factory.world.streams
			s.outTerminal, s.height = true, func() int { return 5 }
			var command []string
			text := ""
			c.factory.world.pager = func(with []string, shown []byte) error {
				command, text = with, string(shown)
				return nil
			}
			row.prepare(c)
			c.want(exitDone, append([]string{"get", "regions"}, row.args...)...)
			if !slices.Equal(command, row.want) {
				t.Errorf("pager %q, want %q", command, row.want)
			}
			if got := text + c.out.String(); strings.Count(got, "https://eu.api.konghq.com") != 1 {
				t.Errorf("shown: %q", got)
			}
			if row.want != nil && c.out.String() != "" {
				t.Errorf("standard output has %s, too", c.out)
			}
		})
	}
	// Without the program, output is written as it is.
	c := newConsole(t)
	s := c.factory.world.streams
	s.outTerminal, s.height = true, func() int { return 5 }
	c.factory.world.pager = func([]string, []byte) error { return errors.New("not found") }
	c.want(exitDone, "get", "regions")
	contains(t, "standard output", c.out, "https://eu.api.konghq.com")
}
