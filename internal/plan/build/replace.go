package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// A replace is one thing: a DELETE and the CREATE that follows it. Both are
// carried out, or neither.

// join makes a delete and a create the halves of one replace.
func join(del, create *plan.Change) {
	if del != nil {
		del.Half, create.Half = create, del
	}
}

// waitTogether lets the DELETE of a replace wait for everything that its CREATE
// waits for: what fails before them leaves the live resource alone. Where that
// is not possible, because something in between waits for the DELETE itself, the
// DELETE waits for what that waits for. An undeclared resource that a resource
// with an unknown identity may take the place of waits in the same way.
func waitTogether(b *Draft) {
	before := map[*plan.Change][]*plan.Change{}
	for _, n := range b.Needs {
		before[n.Change] = append(before[n.Change], n.Before)
	}
	for _, c := range b.Plan.Changes {
		for _, del := range removedFor(b, c) {
			for _, x := range toAwait(before, del, c) {
				b.Need(del, x)
				before[del] = append(before[del], x)
			}
		}
	}
}

// createFirst lets the deletion of an undeclared child wait for the creates of
// its type below the same parent, where the identity of the type holds a
// reference: a resource that refers to something else is another one, and when
// the new one cannot be created the old one must stay. Konnect allows both at
// once.
func createFirst(b *Draft) {
	for _, d := range b.Plan.Changes {
		t := b.Types.Kind(d.ResourceType)
		if d.Action != plan.Delete || d.Half != nil || d.Parent == nil || t == nil || !t.RefersByIdentity() {
			continue
		}
		for _, c := range b.Plan.Changes {
			if c.Action == plan.Create && c.Half == nil && c.ResourceType == d.ResourceType && plan.SameParent(c, d) && !b.WaitsFor(c, d) {
				b.Need(d, c)
			}
		}
	}
}

// removedFor lists the deletes that make room for a create.
func removedFor(b *Draft, c *plan.Change) []*plan.Change {
	if c.Action != plan.Create {
		return nil
	}
	if c.Half != nil {
		return []*plan.Change{c.Half}
	}
	if !b.nameless[c] {
		return nil
	}
	var out []*plan.Change
	for _, d := range b.Plan.Changes {
		if d.Action == plan.Delete && d.Half == nil && d.ResourceType == c.ResourceType && plan.SameParent(c, d) {
			out = append(out, d)
		}
	}
	return out
}

// toAwait lists what a delete has to wait for so that a create has nothing left
// to wait for but the delete.
func toAwait(before map[*plan.Change][]*plan.Change, del, create *plan.Change) []*plan.Change {
	var out []*plan.Change
	seen := map[*plan.Change]bool{del: true}
	var add func(*plan.Change)
	add = func(c *plan.Change) {
		for _, x := range before[c] {
			switch {
			case seen[x]:
			case Reaches(before, x, del):
				seen[x] = true
				add(x)
			default:
				seen[x] = true
				if !slices.Contains(before[del], x) {
					out = append(out, x)
				}
			}
		}
	}
	add(create)
	return out
}

// Reaches reports whether a change waits for another, through any number of
// steps.
func Reaches(before map[*plan.Change][]*plan.Change, c, other *plan.Change) bool {
	seen := map[*plan.Change]bool{}
	var visit func(*plan.Change) bool
	visit = func(x *plan.Change) bool {
		if x == other {
			return true
		}
		if seen[x] {
			return false
		}
		seen[x] = true
		return slices.ContainsFunc(before[x], visit)
	}
	return visit(c)
}
