package resource

import "slices"

// Referring lists the references to a kind that lead nowhere once a resource of it is
// deleted: those of Uses, and where another target writes the kind, those that stay as
// they are.
func (t *Types) Referring(kind string) []Use { return slices.Concat(t.uses[kind], t.left[kind]) }
