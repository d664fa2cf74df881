package drive

import (
	"context"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// along says what would be deleted with a resource, or be in the way of that,
// though somebody created or changed it since the plan, and which fields differ; "" is
// nothing.
func (k *checker) along(ctx context.Context, c *plan.Change, s remote.Scope) (string, []execute.MovedField, error) {
	if c.Action != plan.Delete && len(plan.Removes(k.d.Catalog.Types(), []*plan.Change{c})) == 0 {
		return "", nil, nil
	}
	var found affected
	err := k.below(ctx, c, s, &found)
	if err == nil {
		var users *resource.Users
		users, err = k.users(ctx)
		k.collect(&found, c, plan.Appeared(k.d.Catalog.Types(), k.d.plan, k.d.places, c, users))
	}
	switch {
	case err != nil && len(k.d.plan.Errors) > 0 && ctx.Err() == nil && !resource.Fatal(err):
		return "", nil, nil // it could not be read for the plan, either, and that was allowed
	case err != nil || len(found.names) == 0:
		return "", nil, err
	}
	why, fields := found.text(c.Action)
	return why, fields, nil
}

// InUse looks at what refers to what a change of another target still removes as parts:
// the plan may not know it.
func (d *Driver) InUse(ctx context.Context, p *plan.Plan, c *execute.Call, parts []plan.Part) ([]execute.Verdict, error) {
	rest := *c.Change
	if rest.GatewayChanges = parts; len(plan.Removes(d.Catalog.Types(), []*plan.Change{&rest})) == 0 {
		return nil, nil
	}
	k, err := d.checkerOf(ctx, p, c)
	if err != nil {
		return nil, err
	}
	why, fields, err := k.along(ctx, &rest, remote.Scope{})
	if err != nil || why == "" {
		return nil, err
	}
	return []execute.Verdict{{Call: c, Moved: why, Fields: fields}}, nil
}

// below collects what belongs to a resource that is deleted.
func (k *checker) below(ctx context.Context, c *plan.Change, s remote.Scope, found *affected) error {
	if c.Action != plan.Delete {
		return nil
	}
	children, err := k.children(ctx, c, s)
	if err != nil {
		return err
	}
	k.collect(found, c, children)
	if err := k.contents(ctx, c, found); err != nil {
		return err
	}
	return k.settings(ctx, c, found)
}

// children lists what belongs to a resource and is new or changed.
func (k *checker) children(ctx context.Context, c *plan.Change, s remote.Scope) ([]plan.Stranger, error) {
	if len(s.Type.Children) == 0 && s.Type.Tree == nil {
		return nil, nil
	}
	now, err := live.ReadBelow(ctx, k.d.Target, s.Type, s.Ancestors, c.ResourceID, k.lists[scopeKey(s)])
	if err != nil {
		return nil, err
	}
	return k.d.places.Strangers(c, now, k.ours), nil
}

// users finds, once, what refers to what the changes delete.
func (k *checker) users(ctx context.Context) (*resource.Users, error) {
	k.usersOnce.Do(func() {
		removed := plan.Removes(k.d.Catalog.Types(), k.checked)
		if len(removed) == 0 {
			return
		}
		k.found, k.foundErr = live.ReadUsers(context.WithoutCancel(ctx), lister{k.d.Target, k.list}, k.d.Catalog, nil, removed)
		for _, f := range k.found.Failures() {
			known := resource.Withheld(f.Err) && plan.UsersUnread(k.checked, f.Kind)
			if k.foundErr == nil && !known {
				k.foundErr = f.Err
			}
		}
	})
	return k.found, k.foundErr
}

// lister is a target whose lists are read in another way.
type lister struct {
	remote.Target
	list func(context.Context, remote.Scope) ([]*resource.Object, error)
}

// List reads a list.
func (l lister) List(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	return l.list(ctx, s)
}
