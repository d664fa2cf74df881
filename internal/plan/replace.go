package plan

import "slices"

// A replace is one thing: a DELETE and the CREATE that follows it. Both are
// carried out, or neither.

// join makes a delete and a create the halves of one replace.
func join(del, create *Change) {
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
	before := map[*Change][]*Change{}
	for _, n := range b.needs {
		before[n.change] = append(before[n.change], n.before)
	}
	for _, c := range b.plan.Changes {
		for _, del := range removedFor(b, c) {
			for _, x := range toAwait(before, del, c) {
				b.need(del, x)
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
	for _, d := range b.plan.Changes {
		t := b.Types.Kind(d.ResourceType)
		if d.Action != Delete || d.Half != nil || d.Parent == nil || t == nil || !t.RefersByIdentity() {
			continue
		}
		for _, c := range b.plan.Changes {
			if c.Action == Create && c.Half == nil && c.ResourceType == d.ResourceType && sameParent(c, d) && !b.waitsFor(c, d) {
				b.need(d, c)
			}
		}
	}
}

// removedFor lists the deletes that make room for a create.
func removedFor(b *Draft, c *Change) []*Change {
	if c.Action != Create {
		return nil
	}
	if c.Half != nil {
		return []*Change{c.Half}
	}
	if !b.nameless[c] {
		return nil
	}
	var out []*Change
	for _, d := range b.plan.Changes {
		if d.Action == Delete && d.Half == nil && d.ResourceType == c.ResourceType && sameParent(c, d) {
			out = append(out, d)
		}
	}
	return out
}

// toAwait lists what a delete has to wait for so that a create has nothing left
// to wait for but the delete.
func toAwait(before map[*Change][]*Change, del, create *Change) []*Change {
	var out []*Change
	seen := map[*Change]bool{del: true}
	var add func(*Change)
	add = func(c *Change) {
		for _, x := range before[c] {
			switch {
			case seen[x]:
			case reaches(before, x, del):
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

// reaches reports whether a change waits for another, through any number of
// steps.
func reaches(before map[*Change][]*Change, c, other *Change) bool {
	seen := map[*Change]bool{}
	var visit func(*Change) bool
	visit = func(x *Change) bool {
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
