package engine

import (
	"kongctl/internal/konnect/catalog"
)

// Adopt is what to take over: one resource by its name, or what a
// configuration declares.
type Adopt struct {
	Kind            *catalog.Bound
	Word, Namespace string
	// Overwrite takes over what belongs to another namespace, too.
	Overwrite bool
}

// ByName reports whether it is one resource that is named.
func (a Adopt) ByName() bool { return a.Kind != nil }
