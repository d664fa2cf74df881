package explain

import (
	"fmt"
	"slices"
	"strings"
)

// plural is the plural of a kind: "strings (uuid)", "strings or mappings of strings".
func plural(kind string) string {
	parts := strings.Split(kind, " or ")
	for i, p := range parts {
		noun, rest, _ := strings.Cut(p, " ")
		switch {
		case strings.HasPrefix(p, "any "):
			noun, rest = p+"s", ""
		default:
			noun += "s"
		}
		parts[i] = strings.TrimSpace(noun + " " + rest)
	}
	return strings.Join(parts, " or ")
}

// anyValue is the kind of what takes all values.
const anyValue = "any value"

// kind is the type of a value in words.
func (f *Field) kind() string {
	switch {
	case len(f.Either) > 0:
		var parts []string
		for _, e := range f.Either {
			if k := e.kind(); !slices.Contains(parts, k) {
				parts = append(parts, k)
			}
		}
		return strings.Join(parts, " or ")
	case f.Type == "array" && f.Items != nil && (f.Items.Type != "" && f.Items.Type != "object" || len(f.Items.Either) > 0):
		return "list of " + plural(f.Items.kind())
	case f.Type == "array" && f.Items != nil && f.Items.Type == "object":
		return "list of mappings"
	case f.Type == "array":
		return "list"
	case f.Type == "object" && f.Object != nil && f.Object.Values != nil && len(f.Object.all()) == 0:
		return "mapping of " + plural(f.Object.Values.kind())
	case f.Type == "object":
		return "mapping"
	case f.Type == "":
		return anyValue
	case f.Format != "" && f.Type == "string":
		return fmt.Sprintf("string (%s)", f.Format)
	default:
		return f.Type
	}
}
