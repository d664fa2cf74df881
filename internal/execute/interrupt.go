package execute

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// ErrAborted is why a change ended that was under way when the run was aborted.
var ErrAborted = errors.New("aborted: its outcome is unknown")

// watch answers an interrupt at once and ends what is in flight when the run is
// aborted. The function that it returns ends the watch.
func (r *run) watch(ctx context.Context) func() {
	aborting, abort := context.WithCancel(context.WithoutCancel(ctx))
	r.aborting = resource.WithStop(aborting, ctx)
	answered := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if n := r.inFlight(); n > 0 && r.sink != nil {
			r.sink(event.Stopping{Running: n})
		}
	})
	go func() {
		select {
		case <-r.Abort:
			abort()
		case <-aborting.Done():
		}
	}()
	return func() { answered(); abort() }
}

// start returns the context of the requests of a change. Those of the CREATE that
// completes a replace are not given back: its DELETE is done.
func (r *run) start(w *work) context.Context {
	c, ctx := w.call.Change, r.aborting
	if !slices.Contains(slices.Collect(maps.Values(r.joined)), c.ID) {
		ctx, w.sending = resource.WithSending(ctx)
	}
	r.mu.Lock()
	r.running[c.ID] = w
	r.mu.Unlock()
	r.emit(event.ChangeStarted{Change: describe(c)})
	return ctx
}

func (r *run) end(c *plan.Change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, c.ID)
}

// inFlight counts the changes that an interrupt waits for: not those that wait for
// their turn.
func (r *run) inFlight() int {
	n := 0
	for _, w := range r.running {
		if !w.sending.Held() {
			n++
		}
	}
	return n
}

// errNotKept is that the journal cannot say that a change is about to be sent.
var errNotKept = errors.New("not started")

// givenBack reports whether a change ended because the run did, before it wrote
// anything: while it was looked at, or before its first request was sent.
func (r *run) givenBack(w *work, err error) bool {
	if errors.Is(err, errNotKept) {
		return true
	}
	if !r.interrupted() || len(w.outcome.Parts) > 0 || w.res.AlreadyDone || !errors.Is(err, context.Canceled) {
		return false
	}
	return !w.begun || w.sending.Untouched() && resource.Unsent(err)
}

// giveBack ends a change that was not started after all.
func (r *run) giveBack(w *work) graph.Outcome {
	c, res := w.call.Change, w.res
	res.Status, res.Error = Skipped, r.why()
	if w.begun {
		r.record(res) // resume need not look for it
	}
	r.book.store(res, nil, nil)
	r.mu.Lock()
	r.notStarted++
	r.returned[c.ID] = true
	r.mu.Unlock()
	r.emit(event.ChangeSkipped{Change: describe(c), Reason: res.Error, NotStarted: true})
	return graph.Failed
}

// wasReturned reports whether a change was given back.
func (r *run) wasReturned(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.returned[id]
}

// begin keeps that a change is about to be sent. When that cannot be kept, it is
// not sent, and neither is any other.
func (r *run) begin(c *Call) error {
	if r.Begin == nil {
		return nil
	}
	err := r.Begin(&Attempt{ChangeID: c.Change.ID, Ancestors: c.Ancestors})
	if err != nil {
		r.halt(err.Error())
		return fmt.Errorf("%w: %w", errNotKept, err)
	}
	return nil
}

// record keeps a result. When that fails the change is what it is, but nothing
// new starts.
func (r *run) record(res *Result) {
	if r.Record == nil {
		return
	}
	if err := r.Record(res); err != nil {
		r.halt(err.Error())
	}
}

// failed completes the result of a change that failed. The journal keeps it, unless the
// change was cut off when the run was aborted: then nobody knows how it ended.
func (r *run) failed(res *Result, err error) {
	if r.aborting.Err() != nil && errors.Is(err, context.Canceled) {
		res.Status, res.Unknown, res.Err, res.Error = Aborted, true, ErrAborted, ErrAborted.Error()
		return
	}
	res.Status, res.Unknown, res.Err, res.Error = Failed, resource.Uncertain(err), err, err.Error()
	r.record(res)
}
