package plan

import "kongctl/internal/resource"

// parts lists what goes with the resource of a delete and is not deleted by a
// change of its own.
func parts(b *Draft, c *Change) []resource.Part {
	all := b.Snapshot.Below(b.Types.Kind(c.ResourceType), AncestorsOf(c), c.ResourceID)
	return without(all, func(t *resource.Type, ancestors []string, id string) bool {
		own := b.deletes[objectKey(t, id, ancestors)]
		return own != nil && own != c
	})
}

// takeAlong says of every delete what goes with it.
func takeAlong(b *Draft) {
	for _, c := range b.plan.Changes {
		if c.Action == Delete {
			c.Take(parts(b, c))
		}
	}
}
