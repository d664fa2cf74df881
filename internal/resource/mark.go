package resource

import "strings"

// MarkPrefix starts the names of what kongctl writes into a target about itself.
const MarkPrefix = "KONGCTL-"

// The marks that people declare in a kongctl block.
const (
	NamespaceMark = MarkPrefix + "namespace"
	ProtectedMark = MarkPrefix + "protected"
)

// IsMark reports whether a name is one of a mark.
func IsMark(name string) bool { return strings.HasPrefix(name, MarkPrefix) }
