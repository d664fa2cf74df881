package execute

import (
	"context"
	"fmt"
	"sync"

	"kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
)

// Trace finds what a carried out plan left behind, by the ids of its changes.
// What it made is found by the ids that a report gives for its changes, where
// there are any, and else by identity and label. It only reads.
func Trace(ctx context.Context, in Input, made map[string]string) (map[string]plan.Trace, error) {
	t := &tracer{run: newRun(in, nil), made: made, out: map[string]plan.Trace{}, reads: map[string]*reading{}}
	for _, c := range in.Plan.Changes {
		t.run.writes[c.ID] = remote.Write{Fields: t.run.known(c)}
	}
	for _, group := range groups(in.Plan) {
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(max(in.Concurrency, 1))
		for _, c := range group {
			g.Go(func() error { return t.change(gctx, c) })
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
	}
	return t.out, t.users(ctx)
}

// users finds what refers to what the plan created.
func (t *tracer) users(ctx context.Context) error {
	var removed []live.Removed
	by := map[live.Removed]string{}
	add := func(c *plan.Change, kind, id string) {
		if x := (live.Removed{Kind: kind, ID: id}); len(t.run.Catalog.Uses(kind)) > 0 {
			removed, by[x] = append(removed, x), c.ID
		}
	}
	for _, c := range t.run.Plan.Changes {
		tr := t.out[c.ID]
		if c.Action != plan.Create || tr.Object == nil {
			continue
		}
		add(c, c.ResourceType, tr.Object.ID)
		for _, x := range tr.Below {
			add(c, x.Type.Kind, x.Object.ID)
		}
	}
	if len(removed) == 0 {
		return nil
	}
	users, err := live.ReadUsers(ctx, t.run.Target, t.run.Catalog, nil, removed)
	if err != nil {
		return err
	}
	if failures := users.Failures(); len(failures) > 0 {
		return failures[0].Err
	}
	for _, x := range removed {
		tr := t.out[by[x]]
		tr.Users = append(tr.Users, users.Of(x.Kind, x.ID)...)
		t.out[by[x]] = tr
	}
	return nil
}

type tracer struct {
	run  *run
	made map[string]string

	mu    sync.Mutex
	out   map[string]plan.Trace
	reads map[string]*reading
}

// reading is a call that several changes wait for.
type reading struct {
	once    sync.Once
	objects []*resource.Object
	err     error
}

func (t *tracer) change(ctx context.Context, c *plan.Change) error {
	b := t.run.Catalog.Kind(c.ResourceType)
	ancestors, err := t.run.ancestors(c)
	if b == nil || err != nil {
		return nil // what it belongs to is not there, and so it is not
	}
	s := remote.Scope{Type: b, Ancestors: ancestors}
	_, reported := t.made[c.ID]
	tr := plan.Trace{Ancestors: ancestors, Reported: reported}
	if tr.Orphan, tr.RootProtected, err = t.above(ctx, s); err != nil {
		return err
	}
	if !tr.Orphan {
		if err := t.find(ctx, s, c, &tr); err != nil {
			return err
		}
	}
	if tr.Object != nil {
		tr.Protected = b.HasLabels() && label.Protects(remote.Labels(tr.Object))
		if c.Action != plan.Delete {
			t.run.store(newResult(c), tr.Object, ancestors)
		}
		if c.Action == plan.Create && b.Optional() {
			if tr.Below, err = t.below(ctx, s, tr.Object.ID); err != nil {
				return err
			}
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out[c.ID] = tr
	return nil
}

// above looks at what a resource belongs to: whether it is gone, and whether
// the root of it all is protected.
func (t *tracer) above(ctx context.Context, s remote.Scope) (gone, protected bool, err error) {
	n := len(s.Ancestors)
	for parent := s.Type.Parent; parent != nil && n > 0; parent = parent.Parent {
		n--
		o, err := t.read(ctx, remote.Scope{Type: parent, Ancestors: s.Ancestors[:n]}, s.Ancestors[n])
		if err != nil {
			return false, false, err
		}
		if o == nil {
			return true, false, nil
		}
		protected = parent.HasLabels() && label.Protects(remote.Labels(o))
	}
	return false, protected, nil
}

func (t *tracer) find(ctx context.Context, s remote.Scope, c *plan.Change, tr *plan.Trace) error {
	id, fields := c.ResourceID, c.CurrentState
	if c.Action != plan.Delete {
		fields = t.run.writes[c.ID].Fields
		if filled, w, err := t.run.filled(c); err == nil {
			id, fields = filled, w.Fields
		}
	}
	if found := t.made[c.ID]; found != "" {
		id = found
	}
	objects, err := t.list(ctx, s, id)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if s.Type.Shape == catalog.Singleton || (id != "" && o.ID == id) {
			return t.found(ctx, s, o, tr)
		}
	}
	if c.Action == plan.Update || t.made[c.ID] != "" {
		return nil
	}
	for _, o := range objects {
		probe := *c
		if c.Action == plan.Delete {
			probe.Namespace = remote.Labels(o)[label.Namespace] // whoever has its place has it
		}
		if t.run.isIt(s.Type, o, id, &probe, fields) {
			tr.Again = c.Action == plan.Delete
			return t.found(ctx, s, o, tr)
		}
	}
	return nil
}

func (t *tracer) found(ctx context.Context, s remote.Scope, o *resource.Object, tr *plan.Trace) (err error) {
	tr.Listed, tr.Object = o, o
	if s.Type.ListLacksFields() {
		tr.Object, err = t.read(ctx, s, o.ID)
	}
	return err
}

// below reads what would go with an object, were it deleted.
func (t *tracer) below(ctx context.Context, s remote.Scope, id string) ([]live.Part, error) {
	var siblings []*resource.Object
	if s.Type.Tree != nil {
		var err error
		if siblings, err = t.list(ctx, s, id); err != nil {
			return nil, err
		}
	}
	return live.ReadBelow(ctx, t.run.Target, s.Type, s.Ancestors, id, siblings)
}

// list reads all that is in a scope; of what has no list, the one with the id.
func (t *tracer) list(ctx context.Context, s remote.Scope, id string) ([]*resource.Object, error) {
	if s.Type.Shape == catalog.Singleton || s.Type.List == nil {
		o, err := t.read(ctx, s, id)
		if o == nil {
			return nil, err
		}
		return []*resource.Object{o}, err
	}
	r := t.reading("list " + scopeKey(s))
	r.once.Do(func() { r.objects, r.err = t.run.Target.List(ctx, s) })
	return r.objects, r.err
}

func (t *tracer) read(ctx context.Context, s remote.Scope, id string) (*resource.Object, error) {
	r := t.reading(fmt.Sprintf("read %s %s", scopeKey(s), id))
	r.once.Do(func() {
		o, err := t.run.Target.Read(ctx, s, id)
		r.objects, r.err = []*resource.Object{o}, err
	})
	return r.objects[0], r.err
}

func (t *tracer) reading(key string) *reading {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reads[key] == nil {
		t.reads[key] = &reading{}
	}
	return t.reads[key]
}
