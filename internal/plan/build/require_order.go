package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// orderRequired lets what needs others be written after those have what it needs,
// and lets those lose it after nothing needs it any more.
func orderRequired(b *Draft) {
	for _, c := range b.Plan.Changes {
		t := b.Types.Kind(c.ResourceType)
		if t == nil {
			continue // decK's
		}
		for _, q := range t.Requires {
			for _, x := range b.Plan.Changes {
				if x.ResourceType != q.Kind || !sameOwner(c, x, b.Types.Kind(q.Kind).Parent) {
					continue
				}
				switch {
				case LeavesFirst(t, c, x):
					b.forget(func(n Need) bool { return n.Change == c && n.Before == x })
					needUnless(b, x, c)
				case c.Action != plan.Delete && gainsValue(x, q.Has):
					needUnless(b, c, x)
				}
			}
		}
	}
	for _, r := range b.Links.Sorted() {
		for _, q := range r.Type.Requires {
			if b.object(r) != nil && endsWith(b, r, q.When) == yes {
				handOver(b, q)
			}
		}
	}
}

// handOver lets one resource lose what others need after another one has it.
func handOver(b *Draft, q resource.Requirement) {
	above := b.Types.Kind(q.Kind).Parent
	for _, from := range b.Plan.Changes {
		for _, to := range b.Plan.Changes {
			if from.ResourceType == q.Kind && to.ResourceType == q.Kind && dropsValue(from, q.Has) && gainsValue(to, q.Has) && sameOwner(from, to, above) {
				needUnless(b, from, to)
			}
		}
	}
}

func needUnless(b *Draft, c, first *plan.Change) {
	if !b.WaitsFor(first, c) {
		b.Need(c, first)
	}
}

// LeavesFirst reports whether a change of a type ends a need that another change
// would leave without what it needs.
func LeavesFirst(t *resource.Type, c, other *plan.Change) bool {
	return slices.ContainsFunc(t.Requires, func(q resource.Requirement) bool {
		return q.Kind == other.ResourceType && dropsValue(c, q.When) && dropsValue(other, q.Has)
	})
}

// sameOwner reports whether what two changes are about belongs to the same resource
// of a type; nil stands for the organization.
func sameOwner(x, y *plan.Change, above *resource.Type) bool {
	if above == nil {
		return true
	}
	a, c := ownerOf(x, above), ownerOf(y, above)
	return a != nil && a == c
}

// ownerOf is what a change's resource belongs to: the change that makes it, else its
// id.
func ownerOf(c *plan.Change, above *resource.Type) any {
	depth := above.Depth()
	for c.ParentChange != nil {
		if c = c.ParentChange; c.ResourceType == above.Kind {
			return c
		}
	}
	if ids := plan.AncestorsOf(c); len(ids) > depth {
		return ids[depth]
	}
	return nil
}
