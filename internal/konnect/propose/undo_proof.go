package propose

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

// Undoer undoes changes of Konnect.
type Undoer struct{}

var _ derive.Undoer = Undoer{}

// UndoerFor is the undoer of every type of Konnect.
func UndoerFor(*resource.Type) derive.Undoer { return Undoer{} }

// undoing is an inverse plan, with what Konnect knows.
type undoing struct{ *derive.Undoing }

// Made reports whether what is there now is what a create made.
func (Undoer) Made(u *derive.Undoing, c *plan.Change) bool {
	v, t := undoing{u}, catalog.OfType(u.Types.Kind(c.ResourceType))
	return !lostHalf(u.Plan, t, c) && v.proven(t, c) && v.sameResource(t, c, u.Traces[c.ID].Object)
}

// lostHalf reports whether a create is half of a replace, and the other half cannot be
// undone, because the plan does not hold what was deleted: then neither is.
func lostHalf(p *plan.Plan, t *catalog.Bound, c *plan.Change) bool {
	if c.Action != plan.Create {
		return false
	}
	d := p.Half(c)
	if d == nil {
		return false
	}
	if d.CurrentState == nil {
		return true
	}
	fields, _ := formerState(t, d)
	needed, _ := lacking(t, fields)
	return len(needed) > 0
}

// lackedBy lists what a plan does not hold of a resource that it replaced, and that
// cannot be without it. What took its place is there, so it is not there again.
func lackedBy(v undoing, t *catalog.Bound, c *plan.Change, tr plan.Trace) []string {
	made := v.Plan.Half(c)
	if made == nil || c.CurrentState == nil || tr.Object == nil {
		return nil
	}
	now := v.Traces[made.ID]
	if now.NotDone || now.Object == nil || now.Object.ID != tr.Object.ID || !v.proven(t, made) || !tr.Again && len(differing(t, c, tr.Object)) == 0 {
		return nil
	}
	fields, _ := formerState(t, c)
	needed, _ := lacking(t, fields)
	return needed
}

// Undo makes the change that undoes c.
func (Undoer) Undo(u *derive.Undoing, c *plan.Change, tr plan.Trace) *plan.Change {
	v, t := undoing{u}, catalog.OfType(u.Types.Kind(c.ResourceType))
	if t.Orders != "" && restoresOrder(v, c) {
		return undoOrder(v, t, c, tr)
	}
	switch c.Action {
	case plan.Create:
		return v.undoCreate(t, c, tr)
	case plan.Update:
		return v.undoUpdate(t, c, tr)
	case plan.Delete:
		return v.undoDelete(t, c, tr)
	default:
		return nil
	}
}

// proven reports whether what is there now is what the change made: the report says
// so, or a root carries the hash that the change wrote. What belongs to a root
// that the plan made is proven with it, and else by being what was sent.
func (v undoing) proven(t *catalog.Bound, c *plan.Change) bool {
	tr := v.Traces[c.ID]
	if tr.Reported {
		return true
	}
	if t.HasLabels() {
		sent, _ := c.Fields["labels"].(map[string]any)
		hash, _ := sent[label.Hash].(string)
		return hash != "" && catalog.Labels(tr.Object)[label.Hash] == hash
	}
	if c.Parent != nil {
		if above := v.Plan.Change(c.Parent.Change); above != nil {
			parent := catalog.OfType(v.Types.Kind(above.ResourceType))
			return parent != nil && v.Traces[above.ID].Object != nil && v.proven(parent, above)
		}
	}
	return !v.changedSince(t, c, tr.Object)
}

// sameResource reports whether an object is known by what the change sent: a
// report, which nothing seals, may name any id. A root that was renamed still has
// the hash that the change wrote.
func (v undoing) sameResource(t *catalog.Bound, c *plan.Change, o *resource.Object) bool {
	labels, _ := c.Fields["labels"].(map[string]any)
	if hash, _ := labels[label.Hash].(string); t.HasLabels() && hash != "" && catalog.Labels(o)[label.Hash] == hash {
		return true // renamed since
	}
	for _, f := range t.Identity {
		_, refers := c.References[f]
		want, sent := value.Get(c.Fields, value.ParsePath(f))
		have, there := value.Get(o.Fields, value.ParsePath(f))
		if f != t.MapKey && sent && there && !refers && !plan.HoldsHidden(want) && want != any(plan.UnknownID) && !resource.SameField(t.Neutral(), f, want, have) {
			return false
		}
	}
	return true
}

// unfound is the field by which something that was made would be found, were its value
// known: a change made it known that leaves no trace, or whose result is gone while what
// refers to it stays.
func unfound(v undoing, t *catalog.Bound, c *plan.Change, tr plan.Trace) string {
	if tr.Object != nil || tr.Reported || tr.Orphan || c.Parent != nil && len(tr.Ancestors) == 0 {
		return ""
	}
	for _, f := range t.Identity {
		r, refers := c.References[f]
		by := v.Plan.Change(r.Change)
		if !refers || by == nil || v.Traces[by.ID].Object != nil {
			continue
		}
		ref, _ := t.Neutral().Reference(value.ParsePath(f))
		if _, known := madeID(v, by); !known || ref.OnDelete == resource.Keeps {
			return f
		}
	}
	return ""
}

// claim refuses to delete what may be somebody else's.
func (v undoing) claim(c *plan.Change, o *resource.Object) {
	v.Block(plan.Blocked{
		ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Action: plan.Delete, By: "report",
		Message: fmt.Sprintf("There is one of this name%s, and nothing proves that this plan made it. Name the report of the run with --report.", o.InParentheses()),
	})
}
