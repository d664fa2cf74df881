package execute

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Trace finds what a executed plan left behind, by the ids of its changes.
// What it made is found by the ids that a report gives for its changes, where
// there are any. It only reads.
func Trace(ctx context.Context, in Input, made map[string]string) (map[string]plan.Trace, error) {
	t := &tracer{in: &in, made: made, out: map[string]plan.Trace{}, restored: map[string]bool{}}
	p, err := t.deleted(ctx)
	if err != nil {
		return nil, err
	}
	t.follow(p)
	for _, group := range t.book.groups() {
		if err := t.each(ctx, slices.DeleteFunc(group, func(c *Call) bool { return c.Change.Action == plan.Delete })); err != nil {
			return nil, err
		}
	}
	for _, d := range t.book.drivers {
		if driver, ok := d.(Tracer); ok {
			if err := driver.Uses(ctx, in.Plan, t.out); err != nil {
				return t.out, err
			}
		}
	}
	return t.out, nil
}

type tracer struct {
	in   *Input
	book *book
	made map[string]string

	mu  sync.Mutex
	out map[string]plan.Trace
	// restored are the ids of what exists in the place of something deleted.
	restored map[string]bool
}

// follow takes calls from a plan: the changes are the same, but for the ids of what
// exists again.
func (t *tracer) follow(p *plan.Plan) []*Call {
	next := *t.in
	next.Plan = p
	t.book = newBook(&next)
	return t.book.look()
}

// deleted looks for what was deleted, and then for what belonged to, or referred to,
// something that exists again under another id. It returns the plan with those ids.
func (t *tracer) deleted(ctx context.Context) (*plan.Plan, error) {
	p := t.in.Plan
	for known := -1; known < len(t.restored); {
		known = len(t.restored)
		if err := t.each(ctx, slices.DeleteFunc(t.follow(p), func(c *Call) bool {
			tr := t.out[c.Change.ID]
			return c.Change.Action != plan.Delete || tr.Object != nil && (!tr.Again || tr.Restored)
		})); err != nil {
			return nil, err
		}
		p = t.in.Plan.Following(t.out)
	}
	return p, nil
}

// each looks for what changes left behind that do not wait for each other.
func (t *tracer) each(ctx context.Context, calls []*Call) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(t.in.Concurrency, 1))
	for _, c := range calls {
		g.Go(func() error { return t.change(gctx, c) })
	}
	return g.Wait()
}

func (t *tracer) change(ctx context.Context, c *Call) error {
	driver, ok := c.driver.(Tracer)
	if !ok || t.book.place(c) != nil {
		return nil // what it belongs to is not there, and so it is not
	}
	id, reported := t.made[c.Change.ID]
	tr, err := driver.Trace(ctx, c, id, reported)
	if err != nil || tr == nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case tr.Object == nil:
	case c.Change.Action == plan.Delete:
		t.again(c.Change, tr)
	case c.Change.Action == plan.Create && t.restored[plan.PlaceKey(c.Change.ResourceType, c.Ancestors, tr.Object.ID)]:
		tr.Object = nil // it is gone, and what it took the place of is there
	default:
		t.book.store(newResult(c.Change), &Outcome{Object: tr.Object}, c.Ancestors)
	}
	t.out[c.Change.ID] = *tr
	return nil
}

// again decides whether what exists is in the place of what was deleted: below what is
// restored itself, for example. It is not restored by what took its place by the same
// plan, which may differ from it in its secrets alone.
func (t *tracer) again(c *plan.Change, tr *plan.Trace) {
	was := t.in.Plan.Change(c.ID)
	tr.Again = tr.Again || was.ResourceID != c.ResourceID || !slices.Equal(plan.AncestorsOf(was), plan.AncestorsOf(c))
	tr.Same = tr.Same && !tr.Again
	tr.Restored = tr.Restored && tr.Again
	if half := t.in.Plan.Half(was); half != nil {
		id, reported := t.made[half.ID]
		if was.ResourceID == tr.Object.ID {
			reported = false // both have the same id, or none: the report does not tell them apart
		}
		tr.Restored = tr.Restored && (reported && id != tr.Object.ID || !reported && looksOther(half))
	}
	if tr.Restored {
		t.restored[plan.PlaceKey(c.ResourceType, tr.Ancestors, tr.Object.ID)] = true
	}
}

// looksOther reports whether what a create puts in the place of something differs from
// that in what everybody sees, and not in its secrets alone.
func looksOther(half *plan.Change) bool {
	if len(half.SecretWrites) == 0 {
		return true
	}
	for _, x := range half.ChangedFields {
		_, unknown := x.New.(value.Unknown)
		if !unknown && x.New != any(plan.UnknownID) && !plan.HoldsHidden(x.Old) && !plan.HoldsHidden(x.New) && !value.Equal(x.Old, x.New) {
			return true
		}
	}
	return false
}
