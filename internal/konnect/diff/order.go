package diff

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// order compares a declared order of ids with the one that exists. What is not
// declared keeps its place while the declared order does not change, and comes last
// where it does, unless it goes anyway. A written order comes first as a whole, with
// what it does not list behind it. What is created again has the place that it had.
func (c *comparer) order(p value.Path, desired, have any) {
	want, _ := desired.([]any)
	now, _ := have.([]any)
	was := c.formerly(want)
	stay := slices.DeleteFunc(slices.Clone(now), func(id any) bool { return !slices.Contains(was, id) && !c.stays(id) })
	first, then := was, stay
	if inOrder(was, stay) && (!c.Ordered || c.leads(was, stay)) {
		first, then = stay, was
	}
	to := joined(first, then)
	if !c.Ordered && slices.Equal(to, c.unwritten(was, stay)) || slices.Equal(to, now) && len(c.Former) == 0 {
		return
	}
	c.add(p, have, nil)
	change := &c.delta.Changes[len(c.delta.Changes)-1]
	change.New, change.Places = c.places(want, was, to)
}

// formerly is a declared order with the ids that exist of what is created again.
func (c *comparer) formerly(want []any) []any {
	out := slices.Clone(want)
	for i, id := range c.Former {
		out[i] = id
	}
	return out
}

// stays reports whether what has an id and is not declared stays, in a place that is
// ours to choose.
func (c *comparer) stays(id any) bool {
	text, ok := id.(string)
	return c.unlisted(id) || c.mode == Merge && (!ok || !slices.Contains(c.Gone, text))
}

// unwritten is the order that comes of itself: what is created, or created again,
// comes last, one after the other.
func (c *comparer) unwritten(was, stay []any) []any {
	again := func(id any) bool {
		for _, x := range c.Former {
			if id == any(x) {
				return true
			}
		}
		return false
	}
	out := slices.DeleteFunc(slices.Clone(stay), again)
	return joined(out, was)
}

// joined is a list with what another one has more.
func joined(list, more []any) []any {
	out := slices.Clone(list)
	for _, x := range more {
		if !slices.Contains(list, x) {
			out = append(out, x)
		}
	}
	return out
}

// places is the order that is sent: what is created again has no id yet. The numbers
// are the places in it of what is declared.
func (c *comparer) places(want, was, to []any) (sent []any, at []int) {
	sent, at = slices.Clone(to), make([]int, len(want))
	taken := make([]bool, len(to))
	for i, id := range was {
		for place, x := range to {
			if x == id && !taken[place] {
				at[i], taken[place] = place, true
				sent[place] = want[i]
				break
			}
		}
	}
	return sent, at
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
