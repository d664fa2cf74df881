package diff

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// order compares a declared order of ids with the one that exists. What is not
// declared has no place in it: where the order changes it comes last, unless what
// is not declared goes anyway. A written order comes first as a whole, with what it
// does not list behind it.
func (c *comparer) order(p value.Path, desired, have any) {
	want, _ := desired.([]any)
	now, _ := have.([]any)
	if inOrder(want, now) && (!c.Ordered || c.leads(want, now)) {
		return
	}
	want = slices.Clone(want)
	for _, id := range now {
		if !slices.Contains(want, id) && (c.mode == Merge || c.unlisted(id)) {
			want = append(want, id)
		}
	}
	c.add(p, have, want)
}

// leads reports whether all of a written order exists, before what it does not list.
// What does not exist yet is created last, in the order of its list and not in this
// one.
func (c *comparer) leads(want, now []any) bool {
	last := -1
	for _, id := range want {
		at := slices.Index(now, id)
		if at < 0 {
			return false
		}
		last = max(last, at)
	}
	return !slices.ContainsFunc(now[:last+1], c.unlisted)
}

func (c *comparer) unlisted(id any) bool {
	text, ok := id.(string)
	return ok && slices.Contains(c.Unlisted, text)
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
