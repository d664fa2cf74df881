// Package drive carries out changes in Konnect.
//
// In: the calls of a plan, the catalog and a Konnect target. Out: what is done
// already or has moved, what a change made, and what a plan left behind. A
// create whose answer is lost is looked for before it is repeated, and nothing
// is written that has become somebody else's. It must never decide what to
// change, and never import another target.
package drive

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Config is what a driver needs.
type Config struct {
	Catalog *catalog.Catalog
	Target  remote.Target
	Now     func() time.Time
	// Sleep waits between tries of a write; nil is real time.
	Sleep func(context.Context, time.Duration) error
	// Made are resources that other runs created: a check looks for them where a
	// list does not show them.
	Made []live.Made
}

// Driver carries out changes in Konnect.
type Driver struct {
	Config
	plan   *plan.Plan
	places plan.Places
	calls  map[string]*execute.Call
	// before is the check of the whole plan, rechecks what later ones read.
	before   *checker
	rechecks *lookout
	reads    *readings

	mu     sync.Mutex
	scopes map[string]*sync.RWMutex
}

// New returns a driver for one run.
func New(c Config) *Driver {
	return &Driver{Config: c, reads: newReadings()}
}

// Only returns the driver for every resource type.
func (d *Driver) Only(string) execute.Driver { return d }

// Prepare checks what changes send, as far as it is known. What is missing here may
// be of a change that is done.
func (d *Driver) Prepare(_ context.Context, p *plan.Plan, calls []*execute.Call) error {
	d.plan, d.places, d.calls = p, p.Places(), map[string]*execute.Call{}
	d.before, d.rechecks, d.scopes = nil, &lookout{lists: map[string]*sight{}}, map[string]*sync.RWMutex{}
	for _, c := range calls {
		d.calls[c.Change.ID] = c
		d.fit(c)
		c.Problem = d.acceptable(c, true)
	}
	return nil
}

// fit gives the values of expressions the types that Konnect asks for.
func (d *Driver) fit(c *execute.Call) {
	t := d.Catalog.Kind(c.Change.ResourceType)
	if t == nil {
		return
	}
	for _, e := range c.Change.Expressions {
		p := value.ParsePath(e.Field)
		if v, ok := value.Get(c.Fields, p); ok {
			value.Set(c.Fields, p, t.Write().At(p.Generic(), nil).Coerce(v))
		}
	}
}

// Do makes the one call of a change.
func (d *Driver) Do(ctx context.Context, c *execute.Call) (execute.Outcome, error) {
	s := d.scope(c)
	if c.Change.Action == plan.Delete {
		return made(&resource.Object{ID: c.Change.ResourceID}), d.remove(ctx, s, c.Change)
	}
	id, w, err := d.filled(c)
	if err == nil {
		err = d.acceptable(c, false)
	}
	if err != nil {
		return execute.Outcome{}, err
	}
	o, err := d.write(ctx, s, id, c.Change, w)
	out := made(o)
	if c.Change.Action == plan.Create && err == nil {
		out.ShownOnce = shownOnce(s.Type, w.Fields, o)
	}
	return out, err
}

// shownOnce takes the secrets that Konnect generated out of its answer. What was found
// instead of an answer lacks them.
func shownOnce(t *catalog.Bound, sent map[string]any, o *resource.Object) map[string]string {
	out := map[string]string{}
	for _, p := range catalog.ShownOnce(t) {
		if v, declared := value.Get(sent, p); !declared || v == nil {
			got, _ := value.Get(o.Fields, p)
			out[p.String()], _ = got.(string)
			value.Delete(o.Fields, p)
		}
	}
	return out
}

func made(o *resource.Object) execute.Outcome { return execute.Outcome{Object: o} }

// scope is where the resource of a change is.
func (d *Driver) scope(c *execute.Call) remote.Scope {
	return remote.Scope{Type: d.Catalog.Kind(c.Change.ResourceType), Ancestors: c.Ancestors}
}

// filled is what a change sends, with the values that earlier changes made. The
// id of what a map holds is its key.
func (d *Driver) filled(c *execute.Call) (id string, w remote.Write, err error) {
	if err := c.Fill(); err != nil {
		return "", w, err
	}
	t, id := d.Catalog.Kind(c.Change.ResourceType), c.Change.ResourceID
	for path, ref := range c.Change.References {
		p := value.ParsePath(path)
		switch v, _ := value.Get(c.Fields, p); {
		case ref.Change == "":
		case path == t.MapKey:
			id, _ = v.(string)
			delete(c.Fields, path)
		default:
			value.Set(c.Fields, p, catalog.AsText(catalog.SchemaAt(t.Write(), p, nil), v))
		}
	}
	if c.Change.Action == plan.Update {
		catalog.KeepItems(t, c.Fields, c.Change.CurrentState)
	}
	date(c.Fields, func() string { return d.Now().UTC().Format(label.TimeForm) })
	return id, remote.Write{Fields: c.Fields, Secrets: c.Secrets}, nil
}

// date writes the time of the write where the plan leaves it open.
func date(fields map[string]any, now func() string) {
	labels, _ := fields["labels"].(map[string]any)
	for k, v := range labels {
		if v == plan.NowText {
			labels[k] = now()
		}
	}
}

// MayReplace refuses a replace when Konnect would refuse what its CREATE sends:
// for its form, or for a value that another resource has.
func (d *Driver) MayReplace(ctx context.Context, next *execute.Call) error {
	_, w, err := d.filled(next)
	if err != nil {
		return err
	}
	if err := d.acceptable(next, false); err != nil || !d.replaces(next.Change) {
		return err
	}
	all, err := holders(ctx, d.Target, d.Catalog.Kind(next.Change.ResourceType))
	if err != nil {
		return err
	}
	if why := d.taken(next.Change, w, all); why != "" {
		return errors.New(why)
	}
	return nil
}

func (d *Driver) sleep(ctx context.Context, wait time.Duration) error {
	ctx, cancel := resource.Waiting(ctx)
	defer cancel()
	if d.Sleep != nil {
		return d.Sleep(ctx, wait)
	}
	return clock.Sleep(ctx, wait)
}
