package drive

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// How often a write whose outcome is not known is tried on a target that counts no
// attempts, and how long to wait between.
const (
	writeTries = 6
	firstWait  = 200 * time.Millisecond
	longWait   = 5 * time.Second
)

// lookFor finds what an earlier try may have created. Reads may be behind, so it
// looks until they must have caught up; a look that does not work, while others
// change the list, is one of several. The last one must work.
func (d *Driver) lookFor(ctx context.Context, s remote.Scope, id string, c *plan.Change, w remote.Write) (o *resource.Object, err error) {
	stopped := resource.Await(ctx, 0, d.sleep, func() (bool, error) {
		quiet := d.quiet(s)
		quiet.Lock()
		defer quiet.Unlock()
		o, err = d.locate(ctx, s, id, c, w)
		return o != nil || resource.Fatal(err), nil
	})
	return o, errors.Join(stopped, err)
}

// quiet keeps the writes of this run to a scope and the looks at its list apart:
// a list that changes while it is read says nothing.
func (d *Driver) quiet(s remote.Scope) *sync.RWMutex {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := scopeKey(s)
	if d.scopes[key] == nil {
		d.scopes[key] = &sync.RWMutex{}
	}
	return d.scopes[key]
}

// locate finds the resource that a create stands for, by its identity, and of
// a root by the label that says whose it is.
func (d *Driver) locate(ctx context.Context, s remote.Scope, id string, c *plan.Change, w remote.Write) (*resource.Object, error) {
	t := s.Type
	if t.Shape == catalog.Singleton {
		return d.Target.Read(ctx, s, "")
	}
	objects, err := d.Target.List(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		if !isIt(t, o, id, c, w.Fields) {
			continue
		}
		if !t.ListLacksFields() {
			return o, nil
		}
		return d.Target.Read(ctx, s, o.ID)
	}
	return nil, nil
}

func isIt(t *catalog.Bound, o *resource.Object, id string, c *plan.Change, fields map[string]any) bool {
	if t.HasLabels() && catalog.Labels(o)[label.Namespace] != c.Namespace {
		return false
	}
	return named(t, o, id, fields)
}

// inPlace reports whether an object has what a create makes, or is in its way: what has
// its identity and is not another namespace's where each may have one.
func inPlace(t *catalog.Bound, o *resource.Object, id string, c *plan.Change, fields map[string]any) bool {
	return !o.OfOthers(t.Neutral(), c.Namespace) && named(t, o, id, fields)
}

// named reports whether an object has the identity of what a create makes.
func named(t *catalog.Bound, o *resource.Object, id string, fields map[string]any) bool {
	return resource.SameIdentity(t.Neutral(), identity(t, id, fields), o)
}

// identity returns what a create's resource is known by, also among others of one
// identity.
func identity(t *catalog.Bound, id string, fields map[string]any) map[string]any {
	out := map[string]any{}
	for _, f := range t.Identity {
		v, _ := value.Get(fields, value.ParsePath(f))
		if f == t.MapKey {
			v = id
		}
		out[f] = v
	}
	if t.Tree != nil {
		out[t.Tree.Parent] = fields[t.Tree.Parent]
	}
	if t.Variant != "" {
		out[t.Variant], _ = value.Get(fields, value.ParsePath(t.Variant))
	}
	return out
}
