package derive

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// notReached is the delete that a change comes after and that was not carried out: what
// it deletes is there, with the id that it had. So the change was not carried out
// either. nil where no such delete exists, where the report says otherwise, and where what the
// change makes is proven to be there.
func notReached(v *Undoing, c *plan.Change) *plan.Change {
	tr := v.Traces[c.ID]
	if c.Action == plan.Delete || tr.Reported {
		return nil
	}
	if _, by := v.undoer(c); c.Action == plan.Create && by != nil && tr.Object != nil && by.Made(v, c) && !former(v, c) {
		return nil
	}
	seen := map[string]bool{}
	var before func(c *plan.Change) *plan.Change
	before = func(c *plan.Change) *plan.Change {
		for _, id := range c.DependsOn {
			d := v.Plan.Change(id)
			if d == nil || seen[id] {
				continue
			}
			seen[id] = true
			if stillThere(v, d) {
				return d
			}
			if first := before(d); first != nil {
				return first
			}
		}
		return nil
	}
	return before(c)
}

// former reports whether what looks like the result of a create is what the plan
// deletes.
func former(v *Undoing, c *plan.Change) bool {
	tr := v.Traces[c.ID]
	return slices.ContainsFunc(v.Plan.Changes, func(d *plan.Change) bool {
		return d.ResourceType == c.ResourceType && d.ResourceID == tr.Object.ID && slices.Equal(v.Traces[d.ID].Ancestors, tr.Ancestors) && stillThere(v, d)
	})
}

// stillThere reports whether what a change deletes is there.
func stillThere(v *Undoing, c *plan.Change) bool {
	tr := v.Traces[c.ID]
	_, by := v.undoer(c)
	return c.Action == plan.Delete && by != nil && !tr.NotDone && !tr.Reported && tr.Same
}

// notDone says of a change that it was not carried out.
func notDone(c *plan.Change) string {
	switch c.Action {
	case plan.Create:
		return "was not created"
	case plan.Update:
		return "was not updated"
	default:
		return "did not run"
	}
}
