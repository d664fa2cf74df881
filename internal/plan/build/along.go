package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Parts lists what goes with the resource of a delete and is not deleted by a
// change of its own.
func Parts(b *Draft, c *plan.Change) []resource.Part {
	all := b.Snapshot.Below(b.Types.Kind(c.ResourceType), plan.AncestorsOf(c), c.ResourceID)
	return plan.Without(all, func(t *resource.Type, ancestors []string, id string) bool {
		own := b.Deletes[ObjectKey(t, id, ancestors)]
		return own != nil && own != c
	})
}

// takeAlong says of every delete what goes with it.
func takeAlong(b *Draft) {
	for _, c := range b.Plan.Changes {
		if c.Action == plan.Delete {
			c.Take(Parts(b, c))
		}
	}
}
