package terminal_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestLine(t *testing.T) {
	for got, want := range map[string]string{
		"plain":                     "plain",
		"grüße, 世界 \u00a0🙂":         "grüße, 世界 \u00a0🙂",
		"a\tb":                      "a  b",
		"a\nb\r\n":                  `a\nb\r\n`,
		"\x1b[31mred\x07\b\x7f":     `\x1b[31mred\a\b\x7f`,
		"c1 \u009b and byte \x9b.":  `c1 \u009b and byte \x9b.`,
		"\u202eorder\u2066\u2028 x": `\u202eorder\u2066\u2028 x`,
	} {
		if line := terminal.Line(got); line != want {
			t.Errorf("Line(%q) is %q, want %q", got, line, want)
		}
	}
	if what := testkit.Unsafe(terminal.Line(testkit.HostileBytes), false); what != "" {
		t.Errorf("a line holds %s", what)
	}
}

func TestBlock(t *testing.T) {
	if got, want := terminal.Block("a\n fix: x\nerror: y"), "a\n     fix: x\n    error: y"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := terminal.Block("a\nb\n\n    c\r\n\x1bd\n"), "a\n  b\n\n    c\n  \\x1bd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestArgs(t *testing.T) {
	got := terminal.Args([]any{"a\nb", errors.New("c\r"), 1, nil})
	if got[0] != `a\nb` || got[1] != `c\r` || got[2] != 1 || got[3] != nil {
		t.Errorf("got %q", got)
	}
}

// A document means the same, and nothing in it moves a cursor.
func TestJSON(t *testing.T) {
	raw, err := json.Marshal(map[string]string{testkit.Hostile: testkit.Hostile})
	if err != nil {
		t.Fatal(err)
	}
	safe := terminal.JSON(raw)
	if what := testkit.Unsafe(string(safe), false); what != "" {
		t.Errorf("the document holds %s", what)
	}
	var back map[string]string
	if err := json.Unmarshal(safe, &back); err != nil || back[testkit.Hostile] != testkit.Hostile {
		t.Errorf("%v: %q", err, back)
	}
}

// However the writes are cut, the result is the same.
func TestWriter(t *testing.T) {
	const colour, redraw = "\x1b[31mx\x1b[0m", "\x1b[12A\r\x1b[J"
	text := "grüße 世界\t🙂\r\n" + colour + redraw + "\x1b[2J\x1b[35m\x1b]0;t\x07\r\b\x7f\u009b\u202e\xff\xe4\xb8"
	for name, tc := range map[string]struct {
		allow terminal.Allow
		want  string
	}{
		"text": {terminal.Allow{}, "grüße 世界\t🙂" + `\u000d` + "\n" + `\u001b[31mx\u001b[0m\u001b[12A\u000d\u001b[J\u001b[2J\u001b[35m\u001b]0;t\u0007\u000d\u0008\u007f\u009b\u202e\xff\xe4\xb8`},
		"ours": {terminal.Allow{Own: true}, "grüße 世界\t🙂" + `\u000d` + "\n" + colour + redraw + `\u001b[2J\u001b[35m\u001b]0;t\u0007\u000d\u0008\u007f\u009b\u202e\xff\xe4\xb8`},
		"data": {terminal.Allow{Data: true}, "grüße 世界\t🙂\r\n" + `\u001b[31mx\u001b[0m\u001b[12A\u000d\u001b[J\u001b[2J\u001b[35m\u001b]0;t\u0007\u000d\u0008\u007f\u009b` + "\u202e" + `\xff\xe4\xb8`},
	} {
		for size := 1; size <= len(text); size++ {
			var b strings.Builder
			w := terminal.NewWriter(&b, func() terminal.Allow { return tc.allow })
			for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
				part := rest[:min(size, len(rest))]
				if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatalf("%s: wrote %d: %v", name, n, err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if b.String() != tc.want {
				t.Fatalf("%s, %d bytes a write: got\n%q, want\n%q", name, size, b.String(), tc.want)
			}
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestWriterThatIsGone(t *testing.T) {
	w := terminal.NewWriter(broken{}, func() terminal.Allow { return terminal.Allow{} })
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("no error")
	}
}
