package execute

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/plan"
)

// Trace finds what a executed plan left behind, by the ids of its changes.
// What it made is found by the ids that a report gives for its changes, where
// there are any. It only reads.
func Trace(ctx context.Context, in Input, made map[string]string) (map[string]plan.Trace, error) {
	t := &tracer{book: newBook(&in), made: made, out: map[string]plan.Trace{}}
	t.book.look()
	for _, group := range t.book.groups() {
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(max(in.Concurrency, 1))
		for _, c := range group {
			g.Go(func() error { return t.change(gctx, c) })
		}
		if err := g.Wait(); err != nil {
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
	book *book
	made map[string]string

	mu  sync.Mutex
	out map[string]plan.Trace
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
	if tr.Object != nil && c.Change.Action != plan.Delete {
		t.book.store(newResult(c.Change), &Outcome{Object: tr.Object}, c.Ancestors)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out[c.Change.ID] = *tr
	return nil
}
