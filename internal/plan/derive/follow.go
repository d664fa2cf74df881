package derive

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
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
			if other.Action != plan.Delete && slices.Contains(t.Follows, other.ResourceType) && sameParent(c, other) {
				add(c, other)
			}
		}
	}
}

// byName lets changes wait for those that make what their fields name, below the same
// parent.
func byName(v *Undoing, add func(c, first *plan.Change)) {
	for _, c := range v.b.Plan.Changes {
		t := v.Types.Kind(c.ResourceType)
		if t == nil || c.Action == plan.Delete {
			continue
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
