package explain

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// entry is a line of a document and what stands below it.
type entry struct {
	key string
	// note is a comment behind the value.
	note string
	// off entries are commented out.
	off bool
	val any
}

// What stands behind a key: a mapping, a list of mappings, a list of plain
// values, or a text that is YAML already.
type (
	block   []entry
	items   []block
	plains  []any
	literal string
)

// writeYAML writes entries at an indentation.
func writeYAML(b *strings.Builder, entries []entry, at int, off bool) {
	for _, e := range entries {
		e.write(b, at, off || e.off)
	}
}

func (e entry) write(b *strings.Builder, at int, off bool) {
	start := func(at int) string {
		if off {
			return strings.Repeat(" ", at) + "# "
		}
		return strings.Repeat(" ", at)
	}
	note := ""
	if e.note != "" {
		note = "  # " + e.note
	}
	if e.key == "" { // a comment alone
		fmt.Fprintf(b, "%s## %s\n", strings.Repeat(" ", at), e.note)
		return
	}
	switch v := e.val.(type) {
	case block:
		if len(v) == 0 {
			fmt.Fprintf(b, "%s%s: {}%s\n", start(at), e.key, note)
			return
		}
		fmt.Fprintf(b, "%s%s:%s\n", start(at), e.key, note)
		writeBelow(b, v, at, off)
	case items:
		fmt.Fprintf(b, "%s%s:%s\n", start(at), e.key, note)
		for _, item := range v {
			writeItem(b, item, at, off)
		}
	case plains:
		var parts []string
		for _, p := range v {
			parts = append(parts, scalarYAML(p))
		}
		fmt.Fprintf(b, "%s%s: [%s]%s\n", start(at), e.key, strings.Join(parts, ", "), note)
	case string:
		if strings.Contains(v, "\n") {
			writeBlock(b, start, at, e.key, v, note)
			return
		}
		fmt.Fprintf(b, "%s%s: %s%s\n", start(at), e.key, scalarYAML(v), note)
	default:
		fmt.Fprintf(b, "%s%s: %s%s\n", start(at), e.key, scalarYAML(v), note)
	}
}

// writeBelow writes a mapping below its key; in a comment the inner indentation
// stands behind the mark.
func writeBelow(b *strings.Builder, v block, at int, off bool) {
	var inner strings.Builder
	writeYAML(&inner, v, 2, false)
	writeLines(b, inner.String(), at, off)
}

func writeItem(b *strings.Builder, item block, at int, off bool) {
	var inner strings.Builder
	writeYAML(&inner, item, 0, false)
	first := true
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimRight(inner.String(), "\n"), "\n") {
		switch {
		case first && !strings.HasPrefix(strings.TrimSpace(line), "#"):
			out.WriteString("  - " + line + "\n")
			first = false
		default:
			out.WriteString("    " + line + "\n")
		}
	}
	writeLines(b, out.String(), at, off)
}

func writeBlock(b *strings.Builder, start func(int) string, at int, key, text, note string) {
	fmt.Fprintf(b, "%s%s: |%s\n", start(at), key, note)
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintf(b, "%s  %s\n", start(at), line)
	}
}

func writeLines(b *strings.Builder, text string, at int, off bool) {
	mark := strings.Repeat(" ", at)
	if off {
		mark += "# "
	}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if off { // what is off inside is off once
			line = onceOff(line)
		}
		b.WriteString(strings.TrimRight(mark+line, " ") + "\n")
	}
}

func onceOff(line string) string {
	trimmed := strings.TrimLeft(line, " ")
	if rest, ok := strings.CutPrefix(trimmed, "# "); ok {
		return line[:len(line)-len(trimmed)] + rest
	}
	return line
}

// scalarYAML is a plain value in YAML.
func scalarYAML(v any) string {
	switch x := v.(type) {
	case literal:
		return string(x)
	case string:
		return value.YAMLText(x)
	default:
		raw, err := json.Marshal(x)
		if err != nil {
			return fmt.Sprint(x)
		}
		return string(raw)
	}
}
