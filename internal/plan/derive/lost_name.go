package derive

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// lostNames lists the names in a field of a change that no resource has when the change
// is made, with the change that took the first of them away, and why it is not given
// back.
func lostNames(v *Undoing, c *plan.Change, kind string, names []string) (lost []string, first *plan.Change, why string) {
	for _, name := range names {
		by, reason := takenAway(v, c, v.Types.Kind(kind), name)
		if by == nil || given(v, c, v.Types.Kind(kind), name) {
			continue
		}
		lost = append(lost, name)
		if first == nil {
			first, why = by, reason
		}
	}
	return lost, first, why
}

// takenAway is the change that deleted or renamed what had a name, and what became of
// that; nil where the plan took the name from nothing.
func takenAway(v *Undoing, c *plan.Change, t *resource.Type, name string) (by *plan.Change, why string) {
	for _, x := range v.Plan.Changes {
		switch {
		case t == nil || x.ResourceType != t.Kind || !within(c, x):
		case isGone(v, x) && t.NameIn(x.CurrentState) == name:
			return x, "is gone"
		case x.Action == plan.Update && !v.Traces[x.ID].NotDone && slices.ContainsFunc(t.Identity, func(f string) bool { return x.ChangedFields[f].Old == any(name) }):
			return x, "keeps its new name"
		}
	}
	return nil, ""
}

// given reports whether undoing gives a name to a resource, or leaves it to one that has
// it.
func given(v *Undoing, c *plan.Change, t *resource.Type, name string) bool {
	if slices.ContainsFunc(v.b.Plan.Changes, func(x *plan.Change) bool {
		return x.ResourceType == t.Kind && nameGiven(t, x) == name && within(c, x)
	}) {
		return true
	}
	return slices.ContainsFunc(v.Plan.Changes, func(x *plan.Change) bool {
		o, back := v.Traces[x.ID].Object, v.undone[x.ID]
		stays := back == nil || back.Action == plan.Update && nameGiven(t, back) == ""
		return x.ResourceType == t.Kind && o != nil && t.NameIn(o.Fields) == name && within(c, x) && stays
	})
}
