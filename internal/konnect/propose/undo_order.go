package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/value"
)

// keeps reports whether a delete kept something of a kind.
func keeps(c *plan.Change, kind string) bool {
	return c != nil && slices.ContainsFunc(c.Kept, func(k plan.Kept) bool { return k.Type == kind })
}

// restoresOrder reports whether a change of an order is undone by the order that the
// deletes of what had a place in it kept.
func restoresOrder(v undoing, c *plan.Change) bool {
	return slices.ContainsFunc(v.Plan.Changes, func(x *plan.Change) bool { return sameOrder(c, x) && keptBySibling(x) })
}

// sameOrder reports whether two changes are of one order.
func sameOrder(a, b *plan.Change) bool {
	return a.ResourceType == b.ResourceType && a.Parent != nil && b.Parent != nil && a.Parent.ID == b.Parent.ID
}

// keptBySibling reports whether an order was kept by the delete of what had a place
// in it, and not by that of what it belongs to.
func keptBySibling(c *plan.Change) bool {
	return c.With != nil && c.With.Parent != nil && c.Parent != nil && c.With.Parent.ID == c.Parent.ID
}

// undoOrder takes an order back to what it was, with what is created again in the
// places of what was deleted. There is one such update, which the deletes share: it
// grows with each of them that is undone.
func undoOrder(v undoing, t *catalog.Bound, c *plan.Change, tr plan.Trace) *plan.Change {
	o, field := tr.Object, catalog.OrderField(t)
	if o == nil || c.CurrentState == nil || v.Remade(c.Parent.ID) != nil {
		return nil // it comes back with what it belongs to
	}
	of := v.Types.Kind(t.Orders)
	before, _ := c.CurrentState[field].([]any)
	now, _ := o.Fields[field].([]any)
	var stays, all []any
	for _, id := range now {
		if text, _ := id.(string); !v.Goes(of, text, tr.Ancestors) {
			stays = append(stays, id)
		}
	}
	made := 0
	for _, id := range before {
		text, _ := id.(string)
		switch {
		case slices.Contains(stays, id):
			all = append(all, id)
		case v.Remade(text) != nil:
			all = append(all, id)
			made++
		}
	}
	for _, id := range stays {
		if !slices.Contains(all, id) {
			all = append(all, id) // it is newer
		}
	}
	if made < 2 && slices.Equal(all[:min(len(all), len(stays))], stays) {
		return nil // what comes back comes last, which is its place
	}
	var back *plan.Change
	for _, x := range v.Plan.Changes {
		if made := v.Undone(x.ID); made != nil && sameOrder(c, x) {
			back = made
		}
	}
	known := back != nil
	if !known {
		back = v.Start(c, plan.Update)
		back.ResourceID = o.ID
		back.Settle(tr.Ancestors)
		back.ExecutionContext = call(t.Update)
		v.record(back, t, o, nil, nil)
	}
	back.Fields = map[string]any{field: slices.Clone(all)}
	back.Show(fieldChanges(build.Desired{}, diff.Delta{Changes: []diff.Change{{Path: value.Path{field}, Old: now, New: slices.Clone(all)}}}, labelDelta{}))
	if known {
		return nil
	}
	return back
}
