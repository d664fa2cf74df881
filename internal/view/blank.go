package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// sides are a value before and after, on the sides of an arrow. Where nothing but
// white space differs, it is spelled out.
func sides(old, now any) (before, after string) {
	before, after = side(old), side(now)
	if old != nil && now != nil && inked(before) == inked(after) {
		return spelled(old), spelled(now)
	}
	return before, after
}

// inked is a text without what cannot be seen, and without the quotes that may be
// around it.
func inked(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '"' {
			return -1
		}
		return r
	}, text)
}

// spelled renders a value on one line with the white space of its texts as escapes.
func spelled(x any) string {
	switch v := x.(type) {
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, printable(k)+": "+spelled(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		return "[" + strings.Join(rendered(v, spelled), ", ") + "]"
	case string:
		if v == hiddenText {
			return hidden
		}
		escaped := strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`, `"`, `\"`, `\`, `\\`).Replace(v)
		return `"` + printable(blanks(escaped)) + `"`
	default:
		return compact(v)
	}
}

// blanks spells out white space that looks like a plain blank: a no-break space.
func blanks(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r > unicode.MaxASCII && unicode.IsSpace(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// arrowOfTab stands for a tab where a line changes in white space alone.
const arrowOfTab = "→ "

// tabbed are lines that go or come, with the white space spelled out of those that the
// other side has with another one.
func tabbed(lines, others []string) []string {
	out := slices.Clone(lines)
	for i, text := range lines {
		if shown := blanks(strings.ReplaceAll(text, "\t", arrowOfTab)); shown != text && slices.ContainsFunc(others, func(o string) bool { return inked(o) == inked(text) }) {
			out[i] = shown
		}
	}
	return out
}

// lineBreak says how the end of a text changes besides its lines; "" where it does
// not.
func lineBreak(old, now string) string {
	had, has := strings.HasSuffix(old, "\n"), strings.HasSuffix(now, "\n")
	switch {
	case had == has || old == "" || now == "":
		return ""
	case had:
		return "the line break at the end is removed"
	default:
		return "a line break is added at the end"
	}
}
