package terminal_test

import (
	"io"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/terminal"
)

func TestWrap(t *testing.T) {
	for name, tt := range map[string]struct {
		line  string
		width int
		want  string
	}{
		"it fits":              {"one two three four five", 40, "one two three four five"},
		"no width":             {strings.Repeat("word ", 40), 0, strings.Repeat("word ", 40)},
		"between words":        {"one two three four five six", 20, "one two three four\n  five six"},
		"below its key":        {"    key: one two three four", 20, "    key: one two\n      three four"},
		"below the text":       {"  + one two three four five", 20, "  + one two three\n    four five"},
		"below a replacement":  {"-/+ one two three four five", 20, "-/+ one two three\n    four five"},
		"below a number":       {"[1/2] one two three four", 20, "[1/2] one two three\n      four"},
		"colours take none":    {"\x1b[31mone\x1b[0m two three four\x1b[2m\x1b[0m five", 20, "\x1b[31mone\x1b[0m two three four\x1b[2m\x1b[0m\n  five"},
		"wide characters":      {"世界世界 世界世界 世界世界", 20, "世界世界 世界世界\n  世界世界"},
		"a word that is long":  {"see https://konnect.example.com/a/b/c for more", 20, "see\n  https://konnect.ex\n  ample.com/a/b/c\n  for more"},
		"only a long word":     {"    " + strings.Repeat("x", 30), 20, "    " + strings.Repeat("x", 16) + "\n      " + strings.Repeat("x", 14)},
		"deeply indented":      {strings.Repeat(" ", 30) + "one two", 20, strings.Repeat(" ", 10) + "one two"},
		"a source line":        {"   14 |     default_auth_strategy: partner-oidc", 20, "   14 |     default_auth_strategy: partner-oidc"},
		"a document":           {`{"level": "info", "msg": "a b c d e f"}`, 20, `{"level": "info", "msg": "a b c d e f"}`},
		"blanks before a word": {"one   two three  four five", 20, "one   two three\n  four five"},
		"too narrow a width":   {"one two three four five", 5, "one two three four\n  five"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := terminal.Wrap(tt.line, tt.width); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// At any width no line is wider, and no word is lost.
func TestWrapAnyWidth(t *testing.T) {
	line := "      content: " + strings.Repeat("some \x1b[32mwords\x1b[0m and 世界 ", 20) + strings.Repeat("z", 90) + " end"
	for width := 20; width <= 200; width++ {
		wrapped := terminal.Wrap(line, width)
		for _, part := range strings.Split(wrapped, "\n") {
			if n := terminal.Columns(part); n > width {
				t.Errorf("width %d: a line of %d columns: %q", width, n, part)
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(wrapped) != squeeze(line) {
			t.Errorf("width %d: the text is another: %q", width, wrapped)
		}
	}
}

// No word is cut that fits into a line: names of variables and commands can be copied.
func TestWrapKeepsWords(t *testing.T) {
	line := "error: no token: run `kongctl login --profile production`, or set --pat, the variable KONGCTL_PRODUCTION_KONNECT_PAT or konnect.pat in the profile"
	for width := 40; width <= 200; width++ {
		got := terminal.Wrap(line, width)
		if words := strings.Join(strings.Fields(got), " "); words != line {
			t.Errorf("width %d: %q", width, got)
		}
		for i, part := range strings.Split(got, "\n") {
			if i > 0 && !strings.HasPrefix(part, "  ") {
				t.Errorf("width %d: %q is not indented", width, part)
			}
		}
	}
}

// What is drawn and taken away again does not begin a line.
func TestWrapperAfterADisplay(t *testing.T) {
	for name, tt := range map[string]struct {
		before []string
		want   string
	}{
		"nothing":                   {nil, "one two three four\n  five\n"},
		"a display was taken away":  {[]string{"⠋ planning…\n", "\x1b[1A\r\x1b[J"}, "⠋ planning…\n\x1b[1A\r\x1b[Jone two three four\n  five\n"},
		"a line was taken back":     {[]string{"loading", "\r\x1b[J"}, "loading\r\x1b[Jone two three four\n  five\n"},
		"a line has begun":          {[]string{"Continue? "}, "Continue? one two three four five\n"},
		"a line has begun in color": {[]string{"\x1b[1mContinue?\x1b[0m "}, "\x1b[1mContinue?\x1b[0m one two three four five\n"},
	} {
		var b strings.Builder
		w := terminal.NewWrapper(&b, func() int { return 20 })
		for _, text := range append(tt.before, "one two three four five\n") {
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
		}
		if b.String() != tt.want {
			t.Errorf("%s: got %q, want %q", name, b.String(), tt.want)
		}
	}
}

func TestWrapper(t *testing.T) {
	var b strings.Builder
	w := terminal.NewWrapper(&b, func() int { return 20 })
	for _, part := range []string{"one two three four five\nsix ", "seven eight nine ten eleven\n", "Continue with all of this? [y/N] ", "\n"} {
		if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	want := "one two three four\n  five\nsix seven eight nine ten eleven\nContinue with all of\n  this? [y/N] \n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
