package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// leaves is what the undoing of the update that follows a detaching one leaves
// of the resource, and that undoing, or nil.
func (v undoing) leaves(c *plan.Change, o *resource.Object) (*resource.Object, *plan.Change) {
	if len(c.Detaches) == 0 || o == nil {
		return o, nil
	}
	i := slices.IndexFunc(v.Plan.Changes, func(x *plan.Change) bool { return x.Expect != nil && x.Expect.After == c.ID })
	if i < 0 || v.Undone(v.Plan.Changes[i].ID) == nil {
		return o, nil
	}
	next := v.Undone(v.Plan.Changes[i].ID)
	fields, _ := value.Clone(o.Fields).(map[string]any)
	for k, x := range next.Fields {
		if k != "labels" {
			fields[k] = value.Clone(x)
		}
	}
	return catalog.With(o, fields), next
}

// reattach lets an undone detaching update follow the one that detaches now.
func (v undoing) reattach(t *catalog.Bound, c, back, next *plan.Change, before, after *resource.Object) {
	for _, d := range c.Detaches {
		kept := t.Neutral().ReferredIDs(after, d.Field)
		for _, id := range t.Neutral().ReferredIDs(before, d.Field) {
			if !slices.Contains(kept, id) {
				next.Detaches = append(next.Detaches, plan.Detached{Field: d.Field, Type: d.Type, Ref: d.Ref, ID: id})
			}
		}
	}
	back.Expect.UpdatedAt = ""
	v.After(back, next)
}
