package execute

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/diff"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// Moved is a change whose resource is not what the plan expects.
type Moved struct {
	Change *plan.Change
	// Why says it in words where there are no fields to show.
	Why    string
	Fields []MovedField
}

// MovedField is a field that is not what it was when the plan was made.
type MovedField struct {
	Field           string
	PlannedFrom, Is any
}

// Finding is what a look at the live resources says of a plan.
type Finding struct {
	// Done are changes whose resource already is as it shall be.
	Done map[string]*resource.Object
	// Moved are changes that would overwrite what somebody else did.
	Moved []Moved
}

// Check compares what every change expects with what is there now, before
// anything is written. Lists are read once each.
func Check(ctx context.Context, in Input) (*Finding, error) {
	r := newRun(in, nil)
	if err := r.prepare(); err != nil {
		return nil, err
	}
	k := newChecker(r, in.Plan.Changes)
	if err := k.read(ctx, k.roots(in.Plan.Changes)); err != nil {
		return nil, err
	}
	for _, group := range groups(in.Plan) {
		if err := k.group(ctx, group); err != nil {
			return nil, err
		}
	}
	if err := k.unique(ctx, in.Plan.Changes); err != nil {
		return nil, err
	}
	sort.SliceStable(k.out.Moved, func(i, j int) bool { return k.place(k.out.Moved[i]) < k.place(k.out.Moved[j]) })
	return k.out, nil
}

func groups(p *plan.Plan) [][]*plan.Change {
	var out [][]*plan.Change
	for _, ids := range p.ExecutionGroups {
		var group []*plan.Change
		for _, id := range ids {
			if c := p.Change(id); c != nil {
				group = append(group, c)
			}
		}
		out = append(out, group)
	}
	return out
}

type checker struct {
	run   *run
	mu    sync.Mutex
	lists map[string][]*resource.Object
	// gone are the scopes whose parent is not there any more.
	gone map[string]bool
	// list reads a list.
	list func(context.Context, remote.Scope) ([]*resource.Object, error)
	out  *Finding
	// checked are the changes that are looked at; found is what refers to what
	// they delete.
	checked   []*plan.Change
	usersOnce sync.Once
	found     *live.Users
	foundErr  error
}

func newChecker(r *run, changes []*plan.Change) *checker {
	return &checker{run: r, checked: changes, list: r.Target.List, lists: map[string][]*resource.Object{}, gone: map[string]bool{}, out: &Finding{Done: map[string]*resource.Object{}}}
}

func (k *checker) place(m Moved) int { return slices.Index(k.run.Plan.ExecutionOrder, m.Change.ID) }

// group looks at changes that do not wait for each other. What hangs on
// something that is not made yet cannot have moved.
func (k *checker) group(ctx context.Context, changes []*plan.Change) error {
	if err := k.read(ctx, k.scopes(changes)); err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	for _, c := range changes {
		g.Go(func() error { return k.change(gctx, c) })
	}
	return g.Wait()
}

// read reads lists, concurrently.
func (k *checker) read(ctx context.Context, scopes []remote.Scope) error {
	g, gctx := errgroup.WithContext(ctx)
	for _, s := range scopes {
		g.Go(func() error {
			objects, err := k.list(gctx, s)
			missing := len(s.Ancestors) > 0 && resource.Missing(err)
			if err != nil && !missing {
				return err
			}
			k.mu.Lock()
			defer k.mu.Unlock()
			k.lists[scopeKey(s)], k.gone[scopeKey(s)] = objects, missing
			return nil
		})
	}
	return g.Wait()
}

func scopeKey(s remote.Scope) string {
	return s.Type.Kind + " " + strings.Join(s.Ancestors, " ")
}

// scopes are the lists that a group needs and that were not read yet.
func (k *checker) scopes(changes []*plan.Change) []remote.Scope {
	var out []remote.Scope
	seen := map[string]bool{}
	for _, c := range changes {
		s, ok := k.scope(c)
		if !ok || s.Type == nil || s.Type.List == nil || s.Type.Shape == catalog.Singleton || seen[scopeKey(s)] || k.lists[scopeKey(s)] != nil {
			continue
		}
		seen[scopeKey(s)] = true
		out = append(out, s)
	}
	return out
}

// scope is where a change's resource is; not known while what it stands below
// is not made.
func (k *checker) scope(c *plan.Change) (remote.Scope, bool) {
	ancestors, err := k.run.ancestors(c)
	return remote.Scope{Type: k.run.Catalog.Kind(c.ResourceType), Ancestors: ancestors}, err == nil
}

func (k *checker) change(ctx context.Context, c *plan.Change) error {
	s, ok := k.scope(c)
	if !ok {
		return nil
	}
	if c.Action == plan.ExternalTool {
		if k.without(c, s) || k.misnamed(c, s) {
			return nil
		}
		return k.deck(ctx, c, s)
	}
	if k.run.succeeded(c.ID) {
		if settled, err := k.previous(ctx, c, s); settled || err != nil {
			return err
		}
	}
	if k.without(c, s) {
		return nil
	}
	if c.Action == plan.Create {
		return k.create(ctx, s, c)
	}
	o, err := k.object(ctx, s, c)
	if err != nil {
		return err
	}
	switch {
	case o == nil && c.Action == plan.Delete:
		k.done(c, s, &resource.Object{ID: c.ResourceID})
	case o == nil && c.CurrentState == nil:
		// A singleton that comes with its parent.
	case o == nil:
		k.moved(Moved{Change: c, Why: "it does not exist any more"})
	case k.early(c):
	case detached(s.Type, c, o), c.Action == plan.Update && len(c.Detaches) == 0 && k.isDone(c, s, o), c.Action == plan.Delete && c.Replace && k.madeAgain(c, s, o):
		k.done(c, s, o)
	case c.Expect != nil && (c.Expect.After != "" || !k.run.written(c)) && c.Expect.Fingerprint != plan.Fingerprint(s.Type, o):
		k.moved(Moved{Change: c, Fields: movedFields(s.Type, c, o), Why: "it was changed"})
	case c.Expect == nil && c.Parent.Change == "":
		k.moved(Moved{Change: c, Why: "it exists, and the plan was created without it"})
	default:
		why := plan.Disowned(k.run.Plan, c, s.Type, o)
		if why == "" {
			why, err = k.along(ctx, c, s)
		}
		if err != nil {
			return err
		}
		if why != "" {
			k.moved(Moved{Change: c, Why: why})
		}
	}
	return nil
}

// isDone tells of an update that nothing is left of. A secret cannot be
// compared, so one that writes a secret never is.
func (k *checker) isDone(c *plan.Change, s remote.Scope, o *resource.Object) bool {
	if len(c.SecretWrites) > 0 {
		return false
	}
	_, w, err := k.run.filled(c)
	return err == nil && fulfilled(s.Type, w.Fields, o)
}

func (k *checker) object(ctx context.Context, s remote.Scope, c *plan.Change) (*resource.Object, error) {
	if c.NeedsRead(s.Type) {
		return k.run.Target.Read(ctx, s, c.ResourceID)
	}
	for _, o := range k.lists[scopeKey(s)] {
		if o.ID == c.ResourceID {
			return o, nil
		}
	}
	return nil, nil
}

func (k *checker) create(ctx context.Context, s remote.Scope, c *plan.Change) error {
	id, w, err := k.run.filled(c)
	if err != nil {
		return nil //nolint:nilerr // it refers to what is not made yet, so it cannot be there
	}
	o, err := k.existing(ctx, s, id, w)
	if o == nil && err == nil {
		o, err = k.sent(ctx, c, s, id, w)
	}
	if o == nil && err == nil {
		o, err = k.recent(ctx, s, id, w)
	}
	if err != nil || o == nil || k.beingReplaced(c, o) {
		return err
	}
	if s.Type.HasLabels() && remote.Labels(o)[label.Namespace] != c.Namespace {
		k.moved(Moved{Change: c, Why: fmt.Sprintf("one with its name exists already (id %s) and does not belong to the namespace %s", o.ID, c.Namespace)})
		return nil
	}
	if fulfilled(s.Type, w.Fields, o) {
		k.done(c, s, o)
		return nil
	}
	k.moved(Moved{Change: c, Why: fmt.Sprintf("it exists already (id %s)", o.ID), Fields: differing(s.Type, w.Fields, o)})
	return nil
}

func (k *checker) existing(ctx context.Context, s remote.Scope, id string, w remote.Write) (*resource.Object, error) {
	if s.Type.Shape == catalog.Singleton {
		return k.run.Target.Read(ctx, s, "")
	}
	for _, o := range k.lists[scopeKey(s)] {
		if !k.run.named(s.Type, o, id, w.Fields) {
			continue
		}
		if s.Type.ListLacksFields() {
			return k.run.Target.Read(ctx, s, o.ID)
		}
		return o, nil
	}
	return nil, nil
}

// beingReplaced tells of an object that another change of the plan deletes
// before this one.
func (k *checker) beingReplaced(c *plan.Change, o *resource.Object) bool {
	for _, id := range c.DependsOn {
		before := k.run.Plan.Change(id)
		if before.Action != plan.Delete || before.ResourceType != c.ResourceType || before.ResourceID != o.ID {
			continue
		}
		k.mu.Lock()
		_, gone := k.out.Done[id]
		k.mu.Unlock()
		return !gone
	}
	return false
}

func (k *checker) done(c *plan.Change, s remote.Scope, o *resource.Object) {
	k.mu.Lock()
	k.out.Done[c.ID] = o
	k.mu.Unlock()
	k.run.store(newResult(c), o, s.Ancestors)
}

func (k *checker) moved(m Moved) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.out.Moved = append(k.out.Moved, m)
}

// movedFields compares what the plan saw with what is there.
func movedFields(t *catalog.Bound, c *plan.Change, o *resource.Object) []MovedField {
	was := plan.Essence(t, objectOf(c))
	return compare(was, plan.Essence(t, o))
}

func objectOf(c *plan.Change) *resource.Object { return remote.Recorded(c.ResourceID, c.CurrentState) }

func compare(was, is map[string]any) []MovedField {
	keys := map[string]bool{}
	for k := range was {
		keys[k] = true
	}
	for k := range is {
		keys[k] = true
	}
	var out []MovedField
	for k := range keys {
		if !value.Equal(was[k], is[k]) {
			out = append(out, MovedField{Field: k, PlannedFrom: was[k], Is: is[k]})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Field < out[j].Field })
	return out
}

// differing are the fields of a create that an existing resource has otherwise.
func differing(t *catalog.Bound, fields map[string]any, o *resource.Object) []MovedField {
	var out []MovedField
	for _, c := range diff.Compare(t, fields, o.Fields, diff.Merge).Changes {
		out = append(out, MovedField{Field: c.Path.String(), PlannedFrom: nil, Is: c.Old})
	}
	return out
}

// MovedError says that the world is not what the plan expects.
type MovedError struct{ Moved []Moved }

// Error names the resources.
func (e *MovedError) Error() string {
	var lines []string
	for _, m := range e.Moved {
		lines = append(lines, fmt.Sprintf("%s %s: %s", m.Change.ResourceType, m.Change.ResourceRef, m.Why))
	}
	return strings.Join(lines, "; ")
}
