package guard

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardUnbounded refuses an attached change that deletes what nothing bounds: what
// it does not know may be somebody else's.
func guardUnbounded(b *build.Draft) (by string, out map[*plan.Change]string) {
	out = map[*plan.Change]string{}
	for r, c := range b.AttachedBy {
		j := b.AttachedTo(r)
		if n := c.PartDeletes(); n > 0 && j.Unbounded != nil && !slices.Contains(b.AllowEmpty, j.Type.Kind) && !slices.Contains(b.AllowEmpty, "*") {
			by, out[c] = j.Unbounded(n, c.PartsDeleted())
		}
	}
	return by, out
}
