package drive

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Check compares what changes expect with what is there now. Lists are read once
// each; for a change that is late, unless that was a moment ago.
func (d *Driver) Check(ctx context.Context, calls []*execute.Call) ([]execute.Verdict, error) {
	k, err := d.checker(ctx, calls)
	if err != nil {
		return nil, err
	}
	k.verdicts = nil
	if err := k.group(ctx, calls); err != nil {
		return nil, err
	}
	if !calls[0].Late {
		if err := k.unique(ctx, calls); err != nil {
			return nil, err
		}
		if err := d.refers(ctx, k, calls); err != nil {
			return nil, err
		}
	}
	return k.verdicts, nil
}

// checker returns the one of the whole plan, or a new one for a call that is
// late, with the lists of the roots.
func (d *Driver) checker(ctx context.Context, calls []*execute.Call) (*checker, error) {
	if calls[0].Late {
		changes := []*plan.Change{calls[0].Change}
		k := newChecker(d, changes)
		k.list = d.recent
		return k, k.read(ctx, k.roots(changes))
	}
	if d.before == nil {
		d.before = newChecker(d, d.plan.Changes)
		if err := d.before.read(ctx, d.before.roots(d.plan.Changes)); err != nil {
			return nil, err
		}
	}
	return d.before, nil
}

type checker struct {
	d     *Driver
	mu    sync.Mutex
	lists map[string][]*resource.Object
	// gone are the scopes whose parent is not there any more.
	gone map[string]bool
	// list reads a list.
	list func(context.Context, remote.Scope) ([]*resource.Object, error)
	// verdicts are those of the last group, settled the changes that are done.
	verdicts []execute.Verdict
	settled  map[string]bool
	// holders are what has values that no two may share, by type.
	holders map[string][]holder
	// checked are the changes that are looked at; found is what refers to what
	// they delete.
	checked   []*plan.Change
	usersOnce sync.Once
	found     *resource.Users
	foundErr  error
}

func newChecker(d *Driver, changes []*plan.Change) *checker {
	return &checker{d: d, checked: changes, list: d.Target.List, lists: map[string][]*resource.Object{}, gone: map[string]bool{}, settled: map[string]bool{}, holders: map[string][]holder{}}
}

// group looks at changes that do not wait for each other.
func (k *checker) group(ctx context.Context, calls []*execute.Call) error {
	if err := k.read(ctx, k.scopes(calls)); err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	for _, c := range calls {
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
func (k *checker) scopes(calls []*execute.Call) []remote.Scope {
	var out []remote.Scope
	seen := map[string]bool{}
	for _, c := range calls {
		s := k.d.scope(c)
		if s.Type == nil || !catalog.Listable(s.Type) || s.Type.Shape == catalog.Singleton || seen[scopeKey(s)] || k.lists[scopeKey(s)] != nil {
			continue
		}
		seen[scopeKey(s)] = true
		out = append(out, s)
	}
	return out
}

func (k *checker) change(ctx context.Context, call *execute.Call) error {
	c, s := call.Change, k.d.scope(call)
	if call.Before.Succeeded() {
		if settled, err := k.previous(ctx, call, s); settled || err != nil {
			return err
		}
	}
	if k.without(call, s) || lacks(call) {
		return nil
	}
	if c.Action == plan.Create {
		return k.create(ctx, s, call)
	}
	o, err := k.object(ctx, s, c)
	if err != nil {
		return err
	}
	defer func() { k.leaves(call, s, o) }()
	again, err := k.madeAgain(ctx, c, s, o)
	if err != nil {
		return err
	}
	foreign, err := present{k, call, s, o}.foreign(ctx)
	if err != nil {
		return err
	}
	switch {
	case o == nil && c.Action == plan.Delete:
		k.done(call, &resource.Object{ID: c.ResourceID})
	case o == nil && c.CurrentState == nil:
		// A singleton that comes with its parent.
	case o == nil:
		k.moved(call, "it does not exist any more")
	case k.early(c):
	case len(foreign) > 0:
		k.moved(call, "it was changed", foreign...)
	case detached(s.Type, c, o), c.Action == plan.Update && k.isDone(call, s, o), again:
		k.done(call, o)
	case c.Expect != nil && (c.Expect.After != "" || !call.Written()) && c.Expect.Fingerprint != s.Type.Neutral().Fingerprint(o) && !k.carriedOut(call, s, o):
		k.moved(call, "it was changed", movedFields(s.Type, c, o)...)
	case c.Expect == nil && c.Parent.Change == "":
		k.moved(call, "it exists, and the plan was created without it")
	default:
		return k.expected(ctx, call, s, o)
	}
	return nil
}

// lacks reports whether a change cannot be compared with what is there: a value that
// Konnect returns is missing here.
func lacks(c *execute.Call) bool {
	return slices.ContainsFunc(c.Missing, func(m *execute.MissingError) bool { return !m.Secret })
}

// expected looks at what a list does not say of a resource that is as a change
// expects it: whose it is, what lists leave out, and what goes with it.
func (k *checker) expected(ctx context.Context, call *execute.Call, s remote.Scope, o *resource.Object) error {
	if why := plan.Disowned(k.d.plan, call.Change, s.Type.Neutral(), o); why != "" {
		k.moved(call, why)
		return nil
	}
	fields, err := k.unlisted(ctx, call, s, o)
	if err != nil {
		return err
	}
	if len(fields) > 0 {
		k.moved(call, "it was changed", fields...)
		return nil
	}
	why, fields, err := k.along(ctx, call.Change, s)
	if err == nil && why != "" {
		k.moved(call, why, fields...)
	}
	return err
}

func (k *checker) object(ctx context.Context, s remote.Scope, c *plan.Change) (*resource.Object, error) {
	if propose.NeedsRead(c, s.Type) {
		return k.d.Target.Read(ctx, s, c.ResourceID)
	}
	for _, o := range k.lists[scopeKey(s)] {
		if o.ID == c.ResourceID {
			return o, nil
		}
	}
	return nil, nil
}

func (k *checker) create(ctx context.Context, s remote.Scope, call *execute.Call) error {
	c := call.Change
	id, w, err := k.d.filled(call)
	if err != nil {
		return present{k: k, call: call, s: s}.early(ctx)
	}
	o, err := k.existing(ctx, s, id, c, w)
	if o == nil && err == nil {
		o, err = k.sent(ctx, call, s, id, w)
	}
	if o == nil && err == nil {
		o, err = k.recent(ctx, s, id, c, w)
	}
	if err != nil {
		return err
	}
	if o == nil {
		if o := (present{k: k, call: call, s: s}).variant(w.Fields); o != nil {
			k.moved(call, fmt.Sprintf("another one with its %s exists now (%s): it may be the same", resource.KnownBy(s.Type.Neutral(), "and"), s.Type.Neutral().Which(o)))
		}
		return nil
	}
	if k.beingReplaced(c, o) {
		return nil
	}
	if s.Type.HasLabels() && catalog.Labels(o)[label.Namespace] != c.Namespace {
		k.moved(call, fmt.Sprintf("one with its %s exists already%s and does not belong to the namespace %s", resource.KnownBy(s.Type.Neutral(), "and"), o.InParentheses(), c.Namespace))
		return nil
	}
	d, err := present{k, call, s, o}.unlike(ctx)
	if err != nil {
		return err
	}
	if fulfilled(s.Type, d, w.Fields, o) {
		k.done(call, o)
		return nil
	}
	k.moved(call, "it exists already"+o.InParentheses(), differing(c, d)...)
	note(k, call, left(s.Type, c, d, o))
	return nil
}

func (k *checker) existing(ctx context.Context, s remote.Scope, id string, c *plan.Change, w remote.Write) (*resource.Object, error) {
	if s.Type.Shape == catalog.Singleton {
		return k.d.Target.Read(ctx, s, "")
	}
	for _, o := range k.lists[scopeKey(s)] {
		if !inPlace(s.Type, o, id, c, w.Fields) {
			continue
		}
		if s.Type.ListLacksFields() {
			return k.d.Target.Read(ctx, s, o.ID)
		}
		return o, nil
	}
	return nil, nil
}

// beingReplaced reports whether another change of the plan deletes an object
// before this one.
func (k *checker) beingReplaced(c *plan.Change, o *resource.Object) bool {
	for _, id := range c.DependsOn {
		before := k.d.plan.Change(id)
		if before.Action != plan.Delete || before.ResourceType != c.ResourceType || before.ResourceID != o.ID {
			continue
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		return !k.settled[id]
	}
	return false
}

func (k *checker) done(c *execute.Call, o *resource.Object) {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := made(o)
	if c.Change.Action == plan.Create && c.Before.Uncertain() { // its answer was lost
		out.ShownOnce = shownOnce(k.d.Catalog.Kind(c.Change.ResourceType), c.Fields, o)
	}
	k.settled[c.Change.ID] = true
	k.verdicts = append(k.verdicts, execute.Verdict{Call: c, Done: &out})
}

func (k *checker) moved(c *execute.Call, why string, fields ...execute.MovedField) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.verdicts = append(k.verdicts, execute.Verdict{Call: c, Moved: why, Fields: fields})
}

// movedFields compares what the plan saw with what is there. What the plan hides,
// since it is a secret or comes from a variable, is hidden on both sides.
func movedFields(t *catalog.Bound, c *plan.Change, o *resource.Object) []execute.MovedField {
	was := t.Neutral().Essence(t.Neutral().Recorded(c.ResourceID, c.CurrentState))
	out := compare(was, t.Neutral().Essence(o))
	for i, f := range out {
		for _, like := range []any{f.PlannedFrom, c.Fields[f.Field]} {
			out[i].PlannedFrom, out[i].Is = plan.HideLike(like, out[i].PlannedFrom), plan.HideLike(like, out[i].Is)
		}
	}
	return out
}

func compare(was, is map[string]any) []execute.MovedField {
	keys := map[string]bool{}
	for k := range was {
		keys[k] = true
	}
	for k := range is {
		keys[k] = true
	}
	var out []execute.MovedField
	for k := range keys {
		if !value.Equal(was[k], is[k]) {
			out = append(out, execute.MovedField{Field: k, PlannedFrom: was[k], Is: is[k]})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Field < out[j].Field })
	return out
}

// differing are the fields in which a resource is not what a change makes of it. What
// the plan hides is hidden.
func differing(planned *plan.Change, d diff.Delta) []execute.MovedField {
	var out []execute.MovedField
	for _, c := range d.Changes {
		f := execute.MovedField{Field: c.Path.String(), Is: c.Old, Writes: c.New}
		if like, ok := value.Get(planned.Fields, c.Path); ok {
			f.Is, f.Writes = plan.HideLike(like, f.Is), plan.HideLike(like, f.Writes)
		}
		out = append(out, f)
	}
	return out
}

// detached reports whether a resource does not refer any more to what an update
// detaches it from.
func detached(t *catalog.Bound, c *plan.Change, o *resource.Object) bool {
	return len(c.Detaches) > 0 && !slices.ContainsFunc(c.Detaches, func(d plan.Detached) bool {
		return slices.Contains(t.Neutral().ReferredIDs(o, d.Field), d.ID)
	})
}

// early reports whether a change expects the result of another one that is not
// carried out yet: that one is checked instead.
func (k *checker) early(c *plan.Change) bool {
	if c.Expect == nil || c.Expect.After == "" {
		return false
	}
	after := k.d.calls[c.Expect.After]
	return after == nil || !after.Done()
}
