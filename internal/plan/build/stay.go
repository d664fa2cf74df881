package build

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// What a delete is refused for stays, and a plan does nothing for the sake of a delete
// that is not made: it neither detaches what refers to the resource nor deletes its
// parts by themselves. Guards judge a plan that is made, so it is made again until it
// knows all that stays.

// stay is a refused delete, or one that waits for what is refused.
type stay struct {
	message string
	// itself: it is refused itself. name is then what the plan calls it.
	itself bool
	name   plan.Blocked
}

// refusal is what one guard refused in a former draft, by the place of the resource.
type refusal struct {
	guard int // its place in the list, ofTarget for what a target refuses
	by    string
	stays map[string]stay
}

// ofTarget stands for the rules of targets, which have names alone.
const ofTarget = -1

// drafted is the draft of a plan that knows what it may not delete.
func drafted(in Input) *Draft {
	b := draft(in)
	for b.learned {
		in.refusals = b.refusals
		asks := b.asks
		b = draft(in)
		b.asks = slices.Concat(asks, b.asks)
	}
	return b
}

// staying reports whether a delete is known to be refused.
func (b *Draft) staying(c *plan.Change) bool {
	if c == nil || c.Action != plan.Delete || c.Replace {
		return false
	}
	return slices.ContainsFunc(b.refusals, func(x refusal) bool { _, stays := x.stays[placeOf(c)]; return stays })
}

// deletes reports whether the plan deletes an object by a change of its own, as far as is
// known.
func (b *Draft) deletes(t *resource.Type, id string, ancestors []string) bool {
	c := b.Deletes[ObjectKey(t, id, ancestors)]
	return c != nil && !b.staying(c)
}

// placeOf is where the resource of a change is.
func placeOf(c *plan.Change) string {
	return plan.PlaceKey(c.ResourceType, plan.AncestorsOf(c), c.ResourceID)
}

// refuse takes what a guard refuses out of the plan, now and in former drafts, with what
// waits for it, and notes what stays therefore.
func (b *Draft) refuse(guard int, by string, refused map[*plan.Change]string) {
	for _, x := range b.refusals {
		if x.guard == guard && (guard != ofTarget || x.by == by) {
			by, refused = x.by, b.again(x, true, refused)
		}
	}
	if len(refused) == 0 {
		return
	}
	found, deletes := refusal{guard, by, map[string]stay{}}, maps.Clone(refused)
	maps.DeleteFunc(deletes, func(c *plan.Change, _ string) bool { return c.Action != plan.Delete })
	for c, first := range waitingFor(slices.Concat(b.Needs, halves(b.Plan.Changes)), deletes) {
		message, itself := refused[c]
		if !itself {
			message = waitsFor(b.Sequence, first)
		}
		if c.Action == plan.Delete && !c.Replace && !b.staying(c) {
			found.stays[placeOf(c)] = stay{message, itself, plan.Blocked{ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Action: c.Action, By: by, Message: message}}
		}
	}
	if len(found.stays) > 0 {
		b.refusals, b.learned = append(slices.Clone(b.refusals), found), true
	}
	Refuse(b.Sequence, by, refused)
}

// again adds what a former draft found refused. What only a delete needed that is
// refused, too, is not planned any more, and is listed all the same.
func (b *Draft) again(x refusal, itself bool, refused map[*plan.Change]string) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for _, place := range slices.Sorted(maps.Keys(x.stays)) {
		s, c := x.stays[place], b.Deletes[place]
		switch {
		case s.itself != itself:
		case slices.Contains(b.Plan.Changes, c):
			out[c] = s.message
		case itself && c == nil:
			b.Plan.Blocked = append(b.Plan.Blocked, s.name)
		}
	}
	maps.Copy(out, refused)
	return out
}

// refuseRest refuses what waited for a refused delete in a former draft and still may
// not be made.
func (b *Draft) refuseRest() {
	for _, x := range b.refusals {
		if refused := b.again(x, false, nil); len(refused) > 0 {
			Refuse(b.Sequence, x.by, refused)
		}
	}
}

// onlyWaiting are the blocked deletes that are not refused themselves: they may be made
// after all, once all that refers to what the plan deletes is known.
func onlyWaiting(b *Draft) []*plan.Change {
	var out []*plan.Change
	for _, place := range slices.Sorted(maps.Keys(b.Deletes)) {
		itself := slices.ContainsFunc(b.refusals, func(x refusal) bool { return x.stays[place].itself })
		if c := b.Deletes[place]; !itself && !c.Replace && !slices.Contains(b.Plan.Changes, c) {
			out = append(out, c)
		}
	}
	return out
}
