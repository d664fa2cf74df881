package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"kongctl/internal/value"
)

// maxChangedLines bounds what is shown of a changed text or list.
const maxChangedLines = 16

// difference renders what changes between two values, a line per part.
func difference(p value.Path, old, now any) []string {
	if value.Equal(old, now) {
		return nil
	}
	switch a := old.(type) {
	case map[string]any:
		if b, ok := now.(map[string]any); ok {
			return mapDifference(p, a, b)
		}
	case []any:
		if b, ok := now.([]any); ok {
			return listDifference(p, a, b)
		}
	case string:
		if b, ok := now.(string); ok && (long(a) || long(b)) {
			return textDifference(p, a, b)
		}
	}
	name := printable(p.String())
	before, after := side(old), side(now)
	if utf8.RuneCountInString(before)+utf8.RuneCountInString(after) <= 3*maxInline {
		return []string{name + ": " + before + " -> " + after}
	}
	return append([]string{name + ":"}, limited([]string{"- " + before, "+ " + after})...)
}

// side is a value on one side of an arrow.
func side(x any) string {
	if x == nil {
		return nothing
	}
	return compact(x)
}

func mapDifference(p value.Path, old, now map[string]any) []string {
	keys := slices.Concat(slices.Sorted(maps.Keys(old)), slices.Sorted(maps.Keys(now)))
	slices.Sort(keys)
	var lines []string
	for _, k := range slices.Compact(keys) {
		lines = append(lines, difference(p.Child(k), old[k], now[k])...)
	}
	return lines
}

func listDifference(p value.Path, old, now []any) []string {
	name := printable(p.String())
	if flat(old) && flat(now) {
		before, after := compact(old), compact(now)
		if utf8.RuneCountInString(before)+utf8.RuneCountInString(after) <= maxInline {
			return []string{name + ": " + before + " -> " + after}
		}
	} else if len(old) == len(now) {
		var lines []string
		for i := range old {
			lines = append(lines, difference(p.Index(i), old[i], now[i])...)
		}
		return lines
	}
	return append(
		[]string{fmt.Sprintf("%s: %s -> %s", name, count(len(old), "item"), count(len(now), "item"))},
		limited(compareLines(rendered(old), rendered(now)))...)
}

func rendered(list []any) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = shorten(compact(item), 2*maxInline)
	}
	return out
}

// long tells that a text is shown by its changed lines.
func long(s string) bool {
	return strings.Contains(strings.TrimSuffix(s, "\n"), "\n") || utf8.RuneCountInString(s) > 2*maxInline
}

func textDifference(p value.Path, old, now string) []string {
	head := fmt.Sprintf("%s: %s -> %s", printable(p.String()), extent(old), extent(now))
	return append([]string{head}, limited(compareLines(splitLines(old), splitLines(now)))...)
}

func extent(s string) string {
	if s == "" {
		return `""`
	}
	return fmt.Sprintf("%s (%s)", count(lineCount(s), "line"), size(len(s)))
}

// limited indents lines, makes them fit to be shown and bounds their number.
func limited(lines []string) []string {
	rest := 0
	if len(lines) > maxChangedLines {
		rest = len(lines) - maxChangedLines
		lines = lines[:maxChangedLines]
	}
	out := make([]string, 0, len(lines)+1)
	for _, line := range lines {
		out = append(out, "  "+shorten(printable(line), 2*maxInline))
	}
	if rest > 0 {
		out = append(out, fmt.Sprintf("  … %s more", count(rest, "changed line")))
	}
	return out
}

// maxCompared bounds the work of comparing two texts line by line.
const maxCompared = 400

// compareLines returns the lines that go, with "- ", and those that come, with
// "+ ", in order.
func compareLines(old, now []string) []string {
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	var out []string
	if len(old) > maxCompared || len(now) > maxCompared {
		for _, line := range old {
			out = append(out, "- "+line)
		}
		for _, line := range now {
			out = append(out, "+ "+line)
		}
		return out
	}
	common := commonLengths(old, now)
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		switch {
		case i < len(old) && j < len(now) && old[i] == now[j]:
			i, j = i+1, j+1
		case i < len(old) && (j == len(now) || common[i+1][j] >= common[i][j+1]):
			out = append(out, "- "+old[i])
			i++
		default:
			out = append(out, "+ "+now[j])
			j++
		}
	}
	return out
}

// commonLengths tells for every pair of beginnings how many lines the rests
// have in common.
func commonLengths(a, b []string) [][]int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
