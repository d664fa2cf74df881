package resource

import (
	"maps"
	"strings"
)

// MarkPrefix starts the names of what kongctl writes into a target about itself.
const MarkPrefix = "KONGCTL-"

// The marks that people declare in a kongctl block.
const (
	NamespaceMark = MarkPrefix + "namespace"
	ProtectedMark = MarkPrefix + "protected"
)

// IsMark reports whether a name is one of a mark.
func IsMark(name string) bool { return strings.HasPrefix(name, MarkPrefix) }

// Unmarked is the value of a field as others get it: without marks.
func Unmarked(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := maps.Clone(m)
	maps.DeleteFunc(out, func(k string, _ any) bool { return IsMark(k) })
	return out
}
