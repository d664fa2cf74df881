package terminal_test

import (
	"bytes"
	"testing"

	"github.com/kongctl/kongctl/internal/terminal"
)

// TestInert asserts that no line of text is a command of GitHub Actions, however
// the text comes.
func TestInert(t *testing.T) {
	for text, want := range map[string]string{
		"::add-mask::x\n":          ":\\u003aadd-mask::x\n",
		"a\n \t ::error::x\n":      "a\n \t :\\u003aerror::x\n",
		"\u00a0::warning::x":       "\u00a0:\\u003awarning::x",
		"\ufeff::warning::x":       "\ufeff:\\u003awarning::x",
		":::x":                     ":\\u003a:x",
		"- a::b ::c\n+ ::d":        "- a::b ::c\n+ ::d",
		": :x":                     ": :x",
		"a ##[command]x ###[y":     "a ##\\u005bcommand]x ###\\u005by",
		"## [x] #[y] ## heading":   "## [x] #[y] ## heading",
		"\x1b[31m::error::x\n":     "\x1b[31m:\\u003aerror::x\n",
		"::error::a\n::error::b\n": ":\\u003aerror::a\n:\\u003aerror::b\n",
	} {
		for _, size := range []int{1, 2, len(text)} {
			var out bytes.Buffer
			w := terminal.NewWriter(&out, func() terminal.Allow { return terminal.Allow{Own: true, Inert: true} })
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				if _, err := w.Write(rest[:min(size, len(rest))]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if out.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, out.String(), want)
			}
		}
	}
	var out bytes.Buffer
	if _, err := terminal.NewWriter(&out, func() terminal.Allow { return terminal.Allow{} }).Write([]byte("::x ##[y")); err != nil || out.String() != "::x ##[y" {
		t.Errorf("elsewhere it becomes %q (%v)", out.String(), err)
	}
}
