package derive

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
)

// follow lets changes wait for those of kinds that must be there first, below the
// same parent.
func follow(v *Undoing, add func(c, first *plan.Change)) {
	for _, c := range v.b.Plan.Changes {
		t := v.Types.Kind(c.ResourceType)
		if t == nil || len(t.Follows) == 0 || c.Action == plan.Delete {
			continue
		}
		for _, other := range v.b.Plan.Changes {
			if other.Action != plan.Delete && slices.Contains(t.Follows, other.ResourceType) && sameParent(c, other) && !build.LeavesFirst(t, c, other) {
				add(c, other)
			}
		}
	}
}

// byName lets changes wait for those that give the names that their fields hold: to what
// lies below the same parent, or below one that they belong to, or inside of it.
func byName(v *Undoing, add func(c, first *plan.Change)) {
	for _, c := range v.b.Plan.Changes {
		t := v.Types.Kind(c.ResourceType)
		if t == nil || c.Action == plan.Delete {
			continue
		}
		if t.NamesInside() {
			add(c, parentOf(v, c))
		}
		resource.CalledIn(t, c.Fields, func(kind, name string) {
			for _, other := range v.b.Plan.Changes {
				if other.ResourceType == kind && nameGiven(v.Types.Kind(kind), other) == name && within(c, other) {
					add(c, other)
				}
			}
		})
	}
}

// nameGiven is the name that a change gives to its resource; "" where it leaves the name.
func nameGiven(t *resource.Type, c *plan.Change) string {
	switch c.Action {
	case plan.Create:
		return t.NameIn(c.Fields)
	case plan.Update:
		for _, field := range t.Identity {
			if _, changes := c.ChangedFields[field]; changes {
				return t.NameIn(c.Fields)
			}
		}
		return ""
	default:
		return ""
	}
}

// within reports whether a resource lies below what another one lies directly below.
func within(c, other *plan.Change) bool {
	for ; c != nil; c = c.ParentChange {
		if sameParent(c, other) {
			return true
		}
		if c.ParentChange == nil && c.Parent != nil && other.Parent != nil && other.ParentChange == nil {
			return slices.Contains(c.Parent.Ancestors, other.Parent.ID)
		}
	}
	return false
}

// parentOf is the change of the parent of a resource, nil where it does not change.
func parentOf(v *Undoing, c *plan.Change) *plan.Change {
	i := slices.IndexFunc(v.b.Plan.Changes, func(x *plan.Change) bool {
		return x.Action != plan.Delete && c.Parent != nil && x.ResourceType == c.Parent.Type && x.ResourceID != "" && x.ResourceID == c.Parent.ID
	})
	if i < 0 {
		return c.ParentChange
	}
	return v.b.Plan.Changes[i]
}

func sameParent(a, b *plan.Change) bool {
	switch {
	case a.Parent == nil || b.Parent == nil:
		return a.Parent == b.Parent
	case a.ParentChange != nil || b.ParentChange != nil:
		return a.ParentChange == b.ParentChange
	default:
		return a.Parent.ID == b.Parent.ID
	}
}
