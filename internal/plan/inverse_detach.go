package plan

import (
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/value"
)

// leaves is what the undoing of the update that follows a detaching one leaves
// of the resource, and that undoing; nil where there is none.
func (v *inverter) leaves(c *Change, o *resource.Object) (*resource.Object, *Change) {
	if len(c.Detaches) == 0 || o == nil {
		return o, nil
	}
	i := slices.IndexFunc(v.Plan.Changes, func(x *Change) bool { return x.Expect != nil && x.Expect.After == c.ID })
	if i < 0 || v.undone[v.Plan.Changes[i].ID] == nil {
		return o, nil
	}
	next := v.undone[v.Plan.Changes[i].ID]
	fields, _ := value.Clone(o.Fields).(map[string]any)
	for k, x := range next.Fields {
		if k != "labels" {
			fields[k] = value.Clone(x)
		}
	}
	return remote.With(o, fields), next
}

// reattach lets an undone detaching update follow the one that detaches now.
func (v *inverter) reattach(t *catalog.Bound, c, back, next *Change, before, after *resource.Object) {
	for _, d := range c.Detaches {
		kept := live.ReferredIDs(t, after, d.Field)
		for _, id := range live.ReferredIDs(t, before, d.Field) {
			if !slices.Contains(kept, id) {
				next.Detaches = append(next.Detaches, Detached{Field: d.Field, Type: d.Type, Ref: d.Ref, ID: id})
			}
		}
	}
	back.Expect.UpdatedAt, back.after = "", next
	v.b.need(back, next)
}
