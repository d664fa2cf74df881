package drive

import (
	"context"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// remove deletes a resource. A set that belongs to it is emptied before: Konnect
// refuses to delete what has members.
func (d *Driver) remove(ctx context.Context, s remote.Scope, c *plan.Change) error {
	for _, t := range s.Type.Children {
		if t.Set == "" || !t.HasBelow(c.CurrentState) || keptEmpty(t, c) {
			continue
		}
		w := remote.Write{Fields: map[string]any{t.Set: []any{}}}
		_, err := d.Target.Update(ctx, remote.Scope{Type: t, Ancestors: append(s.Ancestors[:len(s.Ancestors):len(s.Ancestors)], c.ResourceID)}, "", w)
		if err != nil && !resource.Missing(err) {
			return err
		}
	}
	return d.Target.Delete(ctx, s, c.ResourceID)
}

// keptEmpty reports whether the plan knows that a set has no members.
func keptEmpty(t *catalog.Bound, c *plan.Change) bool {
	for _, x := range c.Kept {
		if x.Type == t.Kind {
			return isEmpty(t, x.State)
		}
	}
	return false
}

// isEmpty reports whether a set has no members.
func isEmpty(t *catalog.Bound, fields map[string]any) bool {
	members, _ := fields[t.Set].([]any)
	return len(members) == 0
}

// emptied reports whether an earlier attempt at a delete took the members out of a
// set that goes with it.
func (k *checker) emptied(c *plan.Change, t *catalog.Bound, o *resource.Object) bool {
	call := k.d.calls[c.ID]
	return t.Set != "" && call != nil && call.Before != nil && isEmpty(t, o.Fields)
}
