package derive

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
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

// byName lets changes wait for those that make what their fields name, below the same
// parent or inside it.
func byName(v *Undoing, add func(c, first *plan.Change)) {
	for _, c := range v.b.Plan.Changes {
		t := v.Types.Kind(c.ResourceType)
		if t == nil || c.Action == plan.Delete {
			continue
		}
		if t.NamesInside() {
			add(c, parentOf(v, c))
		}
		t.NamedIn(c.Fields, func(kind, name string) {
			for _, other := range v.b.Plan.Changes {
				if other.Action == plan.Create && other.ResourceType == kind && v.Types.Kind(kind).NameIn(other.Fields) == name && sameParent(c, other) {
					add(c, other)
				}
			}
		})
	}
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
