package plan

import "slices"

// guardUnbounded refuses an attached change that deletes what nothing bounds: what
// it does not know may be somebody else's.
func guardUnbounded(b *Draft) (by string, out map[*Change]string) {
	out = map[*Change]string{}
	for r, c := range b.attachedBy {
		j := b.attachedTo(r)
		if n := c.PartDeletes(); n > 0 && j.Unbounded != nil && !slices.Contains(b.AllowEmpty, j.Type.Kind) && !slices.Contains(b.AllowEmpty, "*") {
			by, out[c] = j.Unbounded(n, c.partsDeleted())
		}
	}
	return by, out
}
