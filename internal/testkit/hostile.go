package testkit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hostile is text that would take over a terminal, or fake a line of output,
// if it were shown as it is. It is a valid file name.
const Hostile = "ev\x1b[31mil\x1b]0;title\x07\x1b[2J\r\b\x7f\u009b31m\u202eoverride\u2066isolate\nerror: fake\nDone: 9 created, 0 updated, 0 deleted.\n  fix: fake"

// HostileBytes is Hostile with a control that is not UTF-8.
const HostileBytes = Hostile + "\x9b2J"

// own are the escape sequences that this program writes: colours, and what
// redraws the lines of progress.
var own = regexp.MustCompile(`\x1b\[(0|1|2|31|32|33)m|\x1b\[[0-9]+A\r\x1b\[J`)

// Unsafe returns what in a text would reach a terminal and may not, "" for
// nothing. With colours our own escape sequences are fine, but not in front of
// what is hostile.
func Unsafe(text string, colours bool) string {
	if strings.Contains(text, "\x1b[31mil") {
		return "a colour that is not ours"
	}
	if colours {
		text = own.ReplaceAllString(text, "")
	}
	for i, r := range text {
		switch {
		case r == '\n' || r == '\t':
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return fmt.Sprintf("the byte %#x after %q", text[i], text[max(0, i-20):i])
			}
		case unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069':
			return fmt.Sprintf("%U after %q", r, text[max(0, i-20):i])
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "error: fake" || line == "Done: 9 created, 0 updated, 0 deleted." || line == "  fix: fake" {
			return fmt.Sprintf("the line %q", line)
		}
	}
	return ""
}
