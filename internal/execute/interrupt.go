package execute

import (
	"context"
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/plan"
)

// ErrAborted is why a change ended whose request was cut off.
var ErrAborted = errors.New("aborted: its outcome is unknown")

// watch answers an interrupt at once and ends what is in flight when the run is
// aborted. The function that it returns ends the watch.
func (r *run) watch(ctx context.Context) func() {
	aborting, abort := context.WithCancel(context.WithoutCancel(ctx))
	r.aborting = resource.WithStop(aborting, ctx)
	answered := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.running > 0 && r.sink != nil {
			r.sink(event.Stopping{Running: r.running})
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

func (r *run) start(c *plan.Change) {
	r.mu.Lock()
	r.running++
	r.mu.Unlock()
	r.emit(event.ChangeStarted{Change: describe(c)})
}

func (r *run) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
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
		return fmt.Errorf("not started: %w", err)
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

// failed completes the result of a change that failed. The journal keeps it
// unless its request was cut off: then nobody knows how it ended.
func (r *run) failed(res *Result, err error) {
	cutOff := r.aborting.Err() != nil && errors.Is(err, context.Canceled)
	res.Unknown = resource.Uncertain(err) || cutOff && !resource.Unsent(err)
	if res.Unknown && cutOff {
		err = ErrAborted
	}
	res.Status, res.Err, res.Error = Failed, err, err.Error()
	if !cutOff {
		r.record(res)
	}
}
