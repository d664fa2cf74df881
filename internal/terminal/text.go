// Package terminal keeps text from elsewhere from taking over a terminal, and what
// was typed too early from answering a question.
//
// In: names, messages, file names, documents, whoever wrote them. Out: the same
// text with control characters shown as escapes. It must never import another
// package of this program.
package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/pattern"
)

// Line makes text fit for a place in one line: what is not graphic, line
// breaks included, is shown as an escape.
func Line(s string) string {
	clean := func(r rune) bool { return unicode.IsGraphic(r) && r != utf8.RuneError }
	if strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\t':
			b.WriteString("  ")
		case clean(r):
			b.WriteRune(r)
		case r == utf8.RuneError:
			_, size := utf8.DecodeRuneInString(s[i:])
			writeQuoted(&b, s[i:i+size])
		default:
			writeQuoted(&b, string(r))
		}
	}
	return b.String()
}

func writeQuoted(b *strings.Builder, s string) {
	quoted := fmt.Sprintf("%+q", s)
	b.WriteString(quoted[1 : len(quoted)-1])
}

// Block makes text fit to be shown over several lines: each is made fit by
// Line, and those after the first are indented, so that none looks like a line
// of our own.
func Block(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, line := range lines {
		if i == 0 {
			lines[i] = Line(strings.TrimSuffix(line, "\r"))
			continue
		}
		lines[i] = Further(line)
		if lines[i] != "" && !strings.HasPrefix(lines[i], "  ") {
			lines[i] = "  " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// ours is how lines of messages begin that text from elsewhere must not fake.
var ours = pattern.New(`^ *(fix:|-->|error[:\[]|warning[:\[])`)

// Further is Line for the second and later lines of a message: one that looks
// like a line of our own is indented more than that would be.
func Further(line string) string {
	line = Line(strings.TrimSuffix(line, "\r"))
	if ours.MatchString(line) {
		line = "    " + line
	}
	return line
}

// Args makes the arguments of a format fit for one line: text, errors and what
// prints as text.
func Args(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch x := a.(type) {
		case string:
			out[i] = Line(x)
		case error:
			out[i] = Line(x.Error())
		case fmt.Stringer:
			out[i] = Line(x.String())
		default:
			out[i] = a
		}
	}
	return out
}

// JSON escapes in a JSON document what encoders leave as it is though a
// terminal may act on it. The document means what it meant.
func JSON(raw []byte) []byte { return escape(raw, unsafeText) }

// unsafeControl reports whether a terminal may take a character for a command.
func unsafeControl(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t'
}

// unsafeText is unsafeControl with the characters that change the order or the
// lines of what is shown.
func unsafeText(r rune) bool {
	return unsafeControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u2028' || r == '\u2029'
}

// Unsafe reports whether a text has characters that JSON escapes.
func Unsafe(s string) bool { return strings.IndexFunc(s, unsafeText) >= 0 }

// escape shows unsafe characters the way JSON does, and bytes that are not
// UTF-8 in hexadecimal.
func escape(p []byte, unsafe func(rune) bool) []byte {
	out := make([]byte, 0, len(p))
	for len(p) > 0 {
		if n := harmless(p); n > 0 {
			out, p = append(out, p[:n]...), p[n:]
			continue
		}
		r, size := utf8.DecodeRune(p)
		switch {
		case r == utf8.RuneError && size == 1:
			out = fmt.Appendf(out, `\x%02x`, p[0])
		case unsafe(r):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, p[:size]...)
		}
		p = p[size:]
	}
	return out
}

// harmless counts the characters at the start that are safe in whatever way a text is
// shown: almost all of most documents.
func harmless(p []byte) int {
	for i, c := range p {
		if (c < ' ' || c > '~') && c != '\n' {
			return i
		}
	}
	return len(p)
}
