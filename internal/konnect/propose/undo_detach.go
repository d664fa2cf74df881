package propose

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// leaves is what the undoing of the update that follows a detaching one leaves
// of the resource, that undoing, or nil, and what the detaching one is then to be
// undone as. What the plan deleted is not there again by then: the second undoing
// leads to it.
func (v undoing) leaves(t *catalog.Bound, c *plan.Change, o *resource.Object) (*resource.Object, *plan.Change, *plan.Change) {
	if len(c.Detaches) == 0 || o == nil {
		return o, nil, c
	}
	i := slices.IndexFunc(v.Plan.Changes, func(x *plan.Change) bool { return x.Expect != nil && x.Expect.After == c.ID })
	if i < 0 || v.Undone(v.Plan.Changes[i].ID) == nil {
		return o, nil, c
	}
	next := v.Undone(v.Plan.Changes[i].ID)
	c = withoutDeleted(v, t, c, next)
	fields, _ := value.Clone(o.Fields).(map[string]any)
	for k, x := range next.Fields {
		if k != "labels" {
			fields[k] = value.Clone(x)
		}
	}
	return catalog.With(o, fields), next, c
}

// takenBack reports whether an update that follows a detaching one is undone together
// with that: the resource is as it was before both.
func takenBack(v undoing, t *catalog.Bound, c *plan.Change, o *resource.Object) bool {
	if c.Expect == nil || c.Expect.After == "" || o == nil {
		return false
	}
	first := v.Plan.Change(c.Expect.After)
	if first == nil || formerLabels(t, c, o).changed() || formerLabels(t, first, o).changed() {
		return false
	}
	before := maps.Clone(c.ChangedFields)
	maps.Copy(before, first.ChangedFields)
	for name, x := range before {
		if plan.HoldsHidden(x.Old) || !same(t, value.ParsePath(name), x.Old, o) {
			return false
		}
	}
	return true
}

// withoutDeleted takes references to what the plan deleted out of the update that
// undoes the second half, and returns the first half with them.
func withoutDeleted(v undoing, t *catalog.Bound, c, next *plan.Change) *plan.Change {
	out := *c
	out.ChangedFields = maps.Clone(c.ChangedFields)
	for _, r := range t.Neutral().References {
		field := value.ParsePath(r.Field)
		p := value.Listed(next.Fields, field)
		all, _ := value.Get(next.Fields, p)
		ids := derive.Deleted(v.Undoing, r.Kind, value.TextsAt(all, field[len(p):]))
		left, can := t.Neutral().Without(field.Generic(), all, ids)
		if len(ids) == 0 || !can {
			continue
		}
		name := p.String()
		x, has := out.ChangedFields[name]
		if !has {
			x.Old = all
		}
		x.New = left
		out.ChangedFields[name] = x
		value.Set(next.Fields, p, left)
		if x, shown := next.ChangedFields[name]; shown {
			x.New = left
			next.ChangedFields[name] = x
		}
		for i, f := range next.FieldChanges {
			if f.Field == name {
				next.FieldChanges[i].DesiredValue = left
			}
		}
	}
	return &out
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
