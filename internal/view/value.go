package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

const (
	maxInline = 72 // characters of a value on one line
	nothing   = "(none)"
	unknown   = "(known after apply)"
	secret    = "(secret)"
	// What the plan writes where a value came from the environment.
	hiddenText = "[hidden]"
	hidden     = "(hidden)"
	// What stands for a secret.
	secretText = "[secret]"
	// What stands for a former value that may be there and that Konnect does not return.
	unreturnedText = "[not returned]"
	unreturnedMark = "(not returned)"
)

// marker stands in plain data where the plan holds no value, in people's words.
type marker struct {
	text string
	id   string // that a reference leads to, or another value of it, where it is known
}

var otherScalar = pattern.New(`^(?i:true|false|null|[-+]?[0-9.]+(e[-+]?[0-9]+)?)$`)

// scalar renders what has no parts on one line. ok is false for maps and lists.
func scalar(x any) (text string, ok bool) {
	switch v := x.(type) {
	case nil:
		return "null", true
	case marker:
		return v.text, true
	case value.Unknown:
		return unknown, true
	case bool:
		return fmt.Sprint(v), true
	case string:
		return text1(v), true
	case map[string]any, []any:
		return "", false
	default:
		return number(v), true
	}
}

func number(x any) string {
	raw, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprint(x)
	}
	return printable(string(raw))
}

// text1 renders a string on one line: a long one by its beginning and size.
func text1(s string) string {
	switch {
	case s == hiddenText:
		return hidden
	case s == secretText:
		return secret
	case s == unreturnedText:
		return unreturnedMark
	case strings.Contains(strings.TrimSuffix(s, "\n"), "\n"):
		first, _, _ := strings.Cut(strings.TrimLeft(s, "\n"), "\n")
		return fmt.Sprintf("%s (%s, %s)", quote(shorten(first, maxInline/2)), count(lineCount(s), "line"), size(len(s)))
	case utf8.RuneCountInString(s) > 2*maxInline:
		return fmt.Sprintf("%s (%s)", quote(shorten(s, maxInline/2)), size(len(s)))
	default:
		return quote(strings.TrimSuffix(s, "\n"))
	}
}

// quote puts quotes where a string could be taken for something else.
func quote(s string) string {
	clean := printable(s)
	switch {
	case s == "", clean != s, strings.TrimSpace(s) != s,
		strings.ContainsAny(s[:1], "\"'("), strings.ContainsAny(s, ",[]{}"),
		strings.Contains(s, " -> "), strings.Contains(s, ": "), otherScalar.MatchString(s):
		return `"` + strings.ReplaceAll(clean, `"`, `\"`) + `"`
	default:
		return s
	}
}

func lineCount(s string) int { return len(splitLines(s)) }

func splitLines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// printableLines are the lines of a text, fit to be shown.
func printableLines(s string) []string {
	lines := splitLines(s)
	for i, text := range lines {
		lines[i] = printable(text)
	}
	return lines
}

// compact renders any value on one line.
func compact(x any) string {
	switch v := x.(type) {
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, printable(k)+": "+compact(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = compact(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		text, _ := scalar(v)
		return text
	}
}

// block renders a value below its key. Where it fits on the key's own line,
// that line comes alone and inline is true.
func (d Diff) block(x any) (lines []string, inline bool) {
	switch v := x.(type) {
	case map[string]any:
		if len(v) == 0 {
			return []string{"{}"}, true
		}
		return d.entries(v), false
	case []any:
		if text := compact(v); flat(v) && utf8.RuneCountInString(text) <= maxInline {
			return []string{text}, true
		}
		for _, item := range v {
			sub, _ := d.block(item)
			lines = append(lines, hang(sub)...)
		}
		return lines, false
	case string:
		if d.Full && long(v) {
			return printableLines(v), false
		}
		return []string{text1(v)}, true
	default:
		text, _ := scalar(v)
		return []string{text}, true
	}
}

// entries renders a mapping, a line or a block for each key.
func (d Diff) entries(m map[string]any) []string {
	var lines []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		sub, inline := d.block(m[k])
		if inline {
			lines = append(lines, printable(k)+": "+sub[0])
			continue
		}
		lines = append(lines, printable(k)+":")
		lines = append(lines, indent(sub)...)
	}
	return lines
}

// flat tells that a list holds no parts of its own.
func flat(list []any) bool {
	for _, item := range list {
		if _, ok := scalar(item); !ok {
			return false
		}
	}
	return true
}

// hang puts a dash in front of the first line and the others below it.
func hang(lines []string) []string {
	out := indent(lines)
	if len(out) > 0 {
		out[0] = "- " + lines[0]
	}
	return out
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "  " + line
	}
	return out
}

// Short is a value on one line, for messages.
func Short(x any) string { return compact(x) }
