package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkRequired refuses what the target would refuse for want of another resource:
// no declared one has the value after this plan, and none that exists.
func checkRequired(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, r := range b.Links.Sorted() {
		if !plannable(b, r) {
			continue
		}
		for _, q := range r.Type.Requires {
			t := b.Types.Kind(q.Kind)
			if b.changes[r] == nil && !loses(b, r, q) || endsWith(b, r, q.When) != yes || t == nil || met(b, r, t, q.Has) {
				continue
			}
			at, what, instead := r.Pos, "The "+r.Describe(), "remove this "+r.Type.Words
			if q.When.Field != "" {
				at, instead = r.Fields.Nearest(value.ParsePath(q.When.Field)), fmt.Sprintf("remove %s: %v", q.When.Field, q.When.Value)
				what = fmt.Sprintf("The value %v of %s in the %s", q.When.Value, q.When.Field, r.Describe())
			}
			whose, list := "the organization", t.Root
			if owner := resource.Holder(r, t); owner != nil {
				whose, list = "the "+owner.Describe(), t.Key
			}
			b.diags.Add(diag.LiveRequired, at, fmt.Sprintf("%s needs %s with %s: %v, and after this plan %s has none.", what, diag.A(t.Words), q.Has.Field, q.Has.Value, whose),
				fmt.Sprintf("declare one with %s: %v under %s, or %s.", q.Has.Field, q.Has.Value, list, instead))
		}
	}
}

// verdict is whether something holds, as far as a plan can know.
type verdict int

const (
	no verdict = iota
	yes
	unknown
)

// endsWith reports whether a resource has a value after this plan.
func endsWith(b *Draft, r *resource.Resource, s resource.Setting) verdict {
	if s.Field == "" {
		return yes
	}
	o, c := b.Snapshot.Object(r), b.changes[r]
	switch {
	case c != nil && plannable(b, r):
		return holds(valueAfter(c, s.Field), s)
	case o != nil:
		return holds(o.Fields[s.Field], s)
	case b.selection.LeftOut(r):
		return no
	default:
		return unknown
	}
}

// holds compares a value; what another change or a variable gives is not known.
func holds(v any, s resource.Setting) verdict {
	switch v.(type) {
	case value.Unknown, string:
		if _, isText := s.Value.(string); !isText {
			return unknown
		}
	}
	if value.Equal(v, s.Value) {
		return yes
	}
	return no
}

// met reports whether something that r needs has the value after this plan, or may
// have it.
func met(b *Draft, r *resource.Resource, t *resource.Type, s resource.Setting) bool {
	owner := resource.Holder(r, t)
	for _, x := range b.Set.ChildrenOf(owner, t) {
		if endsWith(b, x, s) != no {
			return true
		}
	}
	var ancestors []string
	if owner != nil {
		o := b.object(owner)
		if o == nil {
			return b.Making[owner] == nil
		}
		ancestors = append(b.KnownAncestors(owner), o.ID)
	}
	objects, read := b.Snapshot.Undeclared(t, ancestors)
	for _, o := range objects {
		if !b.deletes(t, o.ID, ancestors) && holds(o.Fields[s.Field], s) == yes {
			return true
		}
	}
	return !read
}

// loses reports whether the plan takes from something that r needs the value.
func loses(b *Draft, r *resource.Resource, q resource.Requirement) bool {
	id := ""
	if owner := resource.Holder(r, b.Types.Kind(q.Kind)); owner != nil && b.object(owner) != nil {
		id = b.object(owner).ID
	}
	return slices.ContainsFunc(b.Plan.Changes, func(c *plan.Change) bool {
		return c.ResourceType == q.Kind && !b.staying(c) && dropsValue(c, q.Has) && (c.Parent == nil || c.Parent.ID == id)
	})
}

// valueBefore and valueAfter are the values of a field before and after a change.
func valueBefore(c *plan.Change, field string) any { return c.CurrentState[field] }

func valueAfter(c *plan.Change, field string) any {
	if c.Action == plan.Delete {
		return nil
	}
	if x, changes := c.ChangedFields[field]; changes {
		return x.New
	}
	if x, sent := c.Fields[field]; sent || c.Action == plan.Create {
		return x
	}
	return c.CurrentState[field]
}

// dropsValue reports whether a change ends a value, gainsValue whether it begins one.
func dropsValue(c *plan.Change, s resource.Setting) bool {
	if s.Field == "" {
		return c.Action == plan.Delete
	}
	return holds(valueBefore(c, s.Field), s) == yes && holds(valueAfter(c, s.Field), s) != yes
}

func gainsValue(c *plan.Change, s resource.Setting) bool {
	if s.Field == "" {
		return c.Action == plan.Create
	}
	return holds(valueBefore(c, s.Field), s) != yes && holds(valueAfter(c, s.Field), s) != no
}
