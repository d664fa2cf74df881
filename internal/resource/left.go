package resource

import "slices"

// Referring lists the references to a kind that the deletion of a resource of it ends or
// leaves behind: those of Uses, and where another target writes the kind, those that stay
// as they are.
func (t *Types) Referring(kind string) []Use { return slices.Concat(t.uses[kind], t.left[kind]) }
