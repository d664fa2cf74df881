package diff

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// order compares a declared order of ids with the one that exists. What is not
// declared has no place in it: where the order changes it comes last, unless what
// is not declared goes anyway.
func (c *comparer) order(p value.Path, desired, have any) {
	want, _ := desired.([]any)
	now, _ := have.([]any)
	if inOrder(want, now) {
		return
	}
	if c.mode == Merge {
		want = slices.Clone(want)
		for _, id := range now {
			if !slices.Contains(want, id) {
				want = append(want, id)
			}
		}
	}
	c.add(p, have, want)
}

// inOrder reports whether what exists has the declared order, when what does not
// exist yet is created after it, one after the other.
func inOrder(want, now []any) bool {
	at, open := -1, false
	for _, id := range want {
		place := slices.Index(now, id)
		switch {
		case place < 0:
			open = true
		case open || place < at:
			return false
		default:
			at = place
		}
	}
	return true
}
