package drive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Uses finds what refers to what the plan created.
func (d *Driver) Uses(ctx context.Context, p *plan.Plan, traces map[string]plan.Trace) error {
	d.reads = newReadings()
	var removed []resource.Removed
	by := map[resource.Removed][]string{} // what one change made may go with what another one made
	types := d.Catalog.Types()
	add := func(c *plan.Change, x resource.Removed) {
		if len(by[x]) == 0 {
			removed = append(removed, x)
		}
		by[x] = append(by[x], c.ID)
	}
	isUsed := func(kind string) bool { return len(types.Uses(kind)) > 0 || len(types.UsesThrough(kind)) > 0 }
	derived := map[string]resource.Removed{}
	for _, c := range p.Changes {
		tr := traces[c.ID]
		if c.Action != plan.Create || tr.Object == nil {
			continue
		}
		above := len(tr.Ancestors)
		if x := (resource.Removed{Kind: c.ResourceType, ID: tr.Object.ID}); above > 0 && len(types.NamedBy(x.Kind)) > 0 {
			add(c, x.Called(types.Kind(x.Kind).NameIn(tr.Object.Fields), tr.Ancestors))
		} else if isUsed(x.Kind) {
			add(c, x)
		}
		if above > 0 && len(types.DerivedFrom(c.ResourceType)) > 0 {
			x := resource.Removed{Kind: c.Parent.Type, ID: tr.Ancestors[above-1], Derived: true}
			removed, derived[c.ID] = append(removed, x), x
		}
		for _, x := range tr.Below {
			if isUsed(x.Type.Kind) {
				add(c, resource.Removed{Kind: x.Type.Kind, ID: x.Object.ID})
			}
		}
	}
	if len(removed) == 0 {
		return nil
	}
	users, err := live.ReadUsers(ctx, d.Target, d.Catalog, nil, removed)
	if err != nil {
		return err
	}
	if failures := users.Failures(); len(failures) > 0 {
		return failures[0].Err
	}
	for id, x := range derived { // what only the created one has
		tr := traces[id]
		own := resource.SourceKey(p.Change(id).ResourceType, tr.Object.ID)
		for _, u := range users.Refer[x] {
			if slices.Equal(u.Through.From, []string{own}) {
				tr.Users = append(tr.Users, u)
			}
		}
		traces[id] = tr
	}
	for _, x := range removed {
		if x.Derived {
			continue
		}
		for _, id := range by[x] {
			tr := traces[id]
			tr.Users = append(tr.Users, users.Of(x.Kind, x.ID)...)
			traces[id] = tr
		}
	}
	return nil
}

// readings are the calls that changes share.
type readings struct {
	mu    sync.Mutex
	byKey map[string]*reading
}

func newReadings() *readings { return &readings{byKey: map[string]*reading{}} }

// reading is a call that several changes wait for.
type reading struct {
	once    sync.Once
	objects []*resource.Object
	err     error
}

// Trace finds what a change left behind: what it made by the id that a report
// gives, and else by identity and label.
func (d *Driver) Trace(ctx context.Context, call *execute.Call, id string, reported bool) (*plan.Trace, error) {
	c, s := call.Change, d.scope(call)
	if s.Type == nil {
		return nil, nil
	}
	d.fit(call)
	tr := &plan.Trace{Ancestors: call.Ancestors, Reported: reported}
	var err error
	if tr.Orphan, tr.RootProtected, err = d.above(ctx, s); err != nil {
		return nil, err
	}
	if !tr.Orphan {
		if err := d.find(ctx, s, call, id, tr); err != nil {
			return nil, err
		}
	}
	if tr.Object != nil {
		if c.Action == plan.Delete {
			same, known := sameOne(s.Type, c, tr.Object)
			tr.Same, tr.Again = same && known, !same && known || !known && reported
		}
		tr.Restored = c.Action == plan.Delete && propose.IsAsBefore(s.Type, c, tr.Object)
		tr.Protected = s.Type.HasLabels() && label.Protects(catalog.Labels(tr.Object))
		if c.Action == plan.Create && s.Type.Optional() {
			tr.Below, err = d.below(ctx, s, tr.Object.ID)
			if err == nil {
				own := resource.Part{Type: s.Type.Neutral(), Ancestors: s.Ancestors, Object: tr.Object}
				tr.Settings, err = live.ReadSettings(ctx, d.Target, append([]resource.Part{own}, tr.Below...))
			}
		}
	}
	return tr, err
}

// above looks at what a resource belongs to: whether it is gone, and whether
// the root of it all is protected.
func (d *Driver) above(ctx context.Context, s remote.Scope) (gone, protected bool, err error) {
	n := len(s.Ancestors)
	for parent := s.Type.Parent; parent != nil && n > 0; parent = parent.Parent {
		n--
		o, err := d.read(ctx, remote.Scope{Type: parent, Ancestors: s.Ancestors[:n]}, s.Ancestors[n])
		if err != nil {
			return false, false, err
		}
		if o == nil {
			return true, false, nil
		}
		protected = parent.HasLabels() && label.Protects(catalog.Labels(o))
	}
	return false, protected, nil
}

func (d *Driver) find(ctx context.Context, s remote.Scope, call *execute.Call, made string, tr *plan.Trace) error {
	c := call.Change
	id, fields := c.ResourceID, c.CurrentState
	if c.Action == plan.Delete {
		made = "" // a report names what was deleted, and not what may be there again
	} else {
		fields = call.Fields
		if filled, w, err := d.filled(call); err == nil {
			id, fields = filled, w.Fields
		}
	}
	if made != "" {
		id = made
	}
	objects, err := d.list(ctx, s, id)
	if err != nil {
		return err
	}
	if len(objects) == 0 && c.Action == plan.Delete && s.Type.Shape == catalog.Singleton {
		if objects, err = d.list(ctx, s, ""); err != nil { // it may have another id now
			return err
		}
	}
	for _, o := range objects {
		if s.Type.Shape == catalog.Singleton || (id != "" && o.ID == id) {
			return d.found(ctx, s, o, tr)
		}
	}
	if c.Action == plan.Update || made != "" {
		return nil
	}
	for _, o := range objects {
		probe := *c
		if c.Action == plan.Delete {
			probe.Namespace = catalog.Labels(o)[label.Namespace] // whoever has its place has it
		}
		if !o.OfOthers(s.Type.Neutral(), c.Namespace) && isIt(s.Type, o, id, &probe, fields) {
			return d.found(ctx, s, o, tr)
		}
	}
	if o := otherVariant(s.Type, objects, id, c, fields); c.Action == plan.Create && o != nil {
		return d.found(ctx, s, o, tr)
	}
	return nil
}

// otherVariant is the one resource that has the identity of what a create made, if there
// is one: its variant may have been changed since.
func otherVariant(t *catalog.Bound, objects []*resource.Object, id string, c *plan.Change, fields map[string]any) (found *resource.Object) {
	if t.Variant == "" {
		return nil
	}
	for _, o := range objects {
		like := maps.Clone(fields)
		like[t.Variant], _ = value.Get(o.Fields, value.ParsePath(t.Variant))
		switch {
		case !isIt(t, o, id, c, like):
		case found != nil:
			return nil
		default:
			found = o
		}
	}
	return found
}

func (d *Driver) found(ctx context.Context, s remote.Scope, o *resource.Object, tr *plan.Trace) (err error) {
	tr.Listed, tr.Object = o, o
	if s.Type.ListLacksFields() {
		tr.Object, err = d.read(ctx, s, o.ID)
	}
	return err
}

// below reads what would go with an object, were it deleted.
func (d *Driver) below(ctx context.Context, s remote.Scope, id string) ([]resource.Part, error) {
	var siblings []*resource.Object
	if s.Type.Tree != nil {
		var err error
		if siblings, err = d.list(ctx, s, id); err != nil {
			return nil, err
		}
	}
	return live.ReadBelow(ctx, d.Target, s.Type, s.Ancestors, id, siblings)
}

// list reads all that is in a scope; of what has no list, the one with the id.
func (d *Driver) list(ctx context.Context, s remote.Scope, id string) ([]*resource.Object, error) {
	if s.Type.Shape == catalog.Singleton || !catalog.Listable(s.Type) {
		o, err := d.read(ctx, s, id)
		if o == nil {
			return nil, err
		}
		return []*resource.Object{o}, err
	}
	r := d.reading("list " + scopeKey(s))
	r.once.Do(func() { r.objects, r.err = d.Target.List(ctx, s) })
	return r.objects, r.err
}

func (d *Driver) read(ctx context.Context, s remote.Scope, id string) (*resource.Object, error) {
	r := d.reading(fmt.Sprintf("read %s %s", scopeKey(s), id))
	r.once.Do(func() {
		o, err := d.Target.Read(ctx, s, id)
		r.objects, r.err = []*resource.Object{o}, err
	})
	return r.objects[0], r.err
}

func (d *Driver) reading(key string) *reading {
	d.reads.mu.Lock()
	defer d.reads.mu.Unlock()
	if d.reads.byKey[key] == nil {
		d.reads.byKey[key] = &reading{}
	}
	return d.reads.byKey[key]
}
