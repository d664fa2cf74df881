package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/value"
)

// maxLine bounds the characters of a line of a changed text; around is how many
// of them are shown beside what changes in a longer one.
const (
	maxLine = 400
	around  = 60
)

// long reports whether a text is shown by its changed lines.
func long(s string) bool {
	return strings.Contains(strings.TrimSuffix(s, "\n"), "\n") || utf8.RuneCountInString(s) > 2*maxInline
}

func extent(s string) string {
	if s == "" {
		return `""`
	}
	return fmt.Sprintf("%s (%s)", count(lineCount(s), "line"), size(len(s)))
}

// texts renders what changes in a text: by its parts where it is a document, by
// its lines elsewhere.
func (d Diff) texts(p value.Path, old, now string) []line {
	name := printable(p.String())
	if form, a, b := documents(old, now); form != "" {
		inside := d
		inside.sent = nil
		switch parts := inside.difference(nil, a, b); {
		case len(parts) > 0:
			return append(plain(fmt.Sprintf("%s (%s): %s -> %s", name, form, extent(old), extent(now))), below(parts)...)
		case form == formJSON && !d.Full:
			return plain(fmt.Sprintf("%s (%s): the same content, formatted differently", name, form))
		}
	}
	head := plain(fmt.Sprintf("%s: %s -> %s", name, extent(old), extent(now)))
	if a, b := lineEnds(old), lineEnds(now); a != b && a != "" && b != "" {
		old, now = strings.ReplaceAll(old, "\r\n", "\n"), strings.ReplaceAll(now, "\r\n", "\n")
		head = append(head, line{text: fmt.Sprintf("  line ends: %s -> %s", a, b)})
		if old == now {
			return head
		}
	}
	if strings.TrimSuffix(old, "\n") == strings.TrimSuffix(now, "\n") {
		return append(head, line{text: "  only the line break at the end differs"})
	}
	lines := append(head, below(d.hunks(textLines(old), textLines(now)))...)
	if text := lineBreak(old, now); text != "" {
		lines = append(lines, line{text: "  " + text})
	}
	return lines
}

// lineEnds is how all lines of a text end; "" where they differ.
func lineEnds(s string) string {
	switch all, crlf := strings.Count(s, "\n"), strings.Count(s, "\r\n"); {
	case all > 0 && crlf == 0:
		return "LF"
	case all > 0 && crlf == all:
		return "CRLF"
	default:
		return ""
	}
}

// textLines are the lines of a text; an empty text has none.
func textLines(s string) []string {
	if s == "" {
		return nil
	}
	return splitLines(s)
}

// hunks renders changed lines with those around them.
func (d Diff) hunks(old, now []string) []line {
	context := d.Context
	if d.Full {
		context = len(old) + len(now)
	}
	changed := compareLines(old, now)
	var out []line
	for len(changed) > 0 {
		n := 1
		for n < len(changed) && changed[n].Start-changed[n-1].End <= 2*context {
			n++
		}
		out = append(out, d.hunk(old, now, changed[:n], context)...)
		changed = changed[n:]
	}
	return out
}

// hunk renders changes that are close to each other.
func (d Diff) hunk(old, now []string, changed []replaced, context int) []line {
	first, last := changed[0], changed[len(changed)-1]
	lead := min(context, first.Start)
	end := min(last.End+context, len(old))
	var out []line
	if len(old) > 1 || len(now) > 1 {
		head := fmt.Sprintf("@@ -%s +%s @@", lineRange(first.Start-lead, end), lineRange(first.ReplStart-lead, last.ReplEnd+end-last.End))
		out = append(out, line{text: head, color: dim, kind: lineHunk})
	}
	at := first.Start - lead
	for _, r := range changed {
		out = append(out, d.kept(old[at:r.Start])...)
		out = append(out, d.pairs(old[r.Start:r.End], now[r.ReplStart:r.ReplEnd])...)
		at = r.End
	}
	return append(out, d.kept(old[at:end])...)
}

// lineRange is where lines are, as in a unified diff: the first and how many.
func lineRange(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, to-from)
	}
}

// kept renders lines that stay.
func (d Diff) kept(lines []string) []line {
	out := make([]line, len(lines))
	for i, text := range lines {
		out[i] = line{text: strings.TrimRight("  "+d.cut(printable(text)), " "), kind: lineKept}
	}
	return out
}

// pairs renders lines that go, then those that come. Of long ones that take each
// other's place, it shows where they differ.
func (d Diff) pairs(old, now []string) []line {
	a, b := tabbed(old, now), tabbed(now, old)
	for _, list := range [][]string{a, b} {
		for i, text := range list {
			list[i] = visible(printable(text))
		}
	}
	for i := range min(len(a), len(b)) {
		if !d.Full && (utf8.RuneCountInString(a[i]) > maxLine || utf8.RuneCountInString(b[i]) > maxLine) {
			a[i], b[i] = narrowed(a[i], b[i])
		}
	}
	for _, list := range [][]string{a, b} {
		for i, text := range list {
			list[i] = d.cut(text)
		}
	}
	return append(signed("-", a...), signed("+", b...)...)
}

// visible shows the blanks at the end of a line.
func visible(text string) string {
	kept := strings.TrimRight(text, " ")
	return kept + strings.Repeat("·", len(text)-len(kept))
}

// cut bounds a line, unless all of it is shown.
func (d Diff) cut(text string) string {
	if d.Full || utf8.RuneCountInString(text) <= maxLine {
		return text
	}
	return fmt.Sprintf("%s (%s)", shorten(text, maxLine), size(len(text)))
}

// narrowed leaves out most of what two lines begin and end with alike.
func narrowed(old, now string) (before, after string) {
	a, b := []rune(old), []rune(now)
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	part := func(r []rune) string {
		from, to := max(head-around, 0), min(len(r)-tail+around, len(r))
		text := string(r[from:to])
		if from > 0 {
			text = "…" + text
		}
		if to < len(r) {
			text += "…"
		}
		return text
	}
	return part(a), part(b)
}
