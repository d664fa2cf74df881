//go:build unix

package cli

import (
	"bufio"
	"io"
	"testing"

	"github.com/creack/pty"
)

// TestQuestionAnsweredBefore: what was typed before the plan was shown is no
// approval of it.
func TestQuestionAnsweredBefore(t *testing.T) {
	t.Parallel()
	for name, stdin := range map[string]bool{"on standard input": true, "on the terminal, next to input": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keyboard, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = keyboard.Close(), tty.Close() }()
			typed := func(text string) {
				if _, err := io.WriteString(keyboard, text); err != nil {
					t.Error(err)
				}
			}
			typed("y\n")
			if _, err := bufio.NewReader(keyboard).ReadString('\n'); err != nil { // its echo: it has arrived
				t.Fatal(err)
			}
			c := newConsole(t)
			c.env["TERM"] = "dumb"
			c.atTerminal("a: {}\n")
			s, args := c.factory.world.streams, []string{"sync", "-f", "-"}
			if stdin {
				s.in, args = tty, []string{"sync"}
			}
			s.terminal = func() (io.ReadCloser, error) { return tty, nil }
			s.err = &trigger{buffer: c.err, on: "[y/N]", do: func() { typed("n\n") }}
			c.want(exitFailed, args...)
			contains(t, "standard error", c.err, "error: not approved: nothing was changed")
			if len(c.engine.runs) > 0 {
				t.Error("the plan was carried out")
			}
		})
	}
}
