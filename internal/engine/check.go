package engine

import (
	"context"
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// staleAfter is how long after the read a plan may be approved without another
// look at Konnect.
const staleAfter = 5 * time.Second

// stale reports whether Konnect must be read again before the first write: a
// saved plan is of another time, and a person may take long to answer. A replace
// deletes for the value of a field: one read is not enough for that.
func (e *Engine) stale(r RunRequest) bool {
	read := r.Planned.Read
	replaces := !r.Seed && slices.ContainsFunc(r.Planned.Plan.Changes, func(c *plan.Change) bool { return c.Action == plan.Delete && c.Replace })
	return r.Saved || !read.IsZero() && (replaces || e.host.Now().Sub(read) > staleAfter)
}

// Checked is what a look at Konnect found, and when that was.
type Checked struct {
	Finding *execute.Finding
	at      time.Time
}

// drift refuses a plan whose resources changed, unless those are left out.
func (c *Checked) drift(r RunRequest) error {
	if len(c.Finding.Moved) == 0 || r.SkipMoved {
		return nil
	}
	e := &MovedError{Moved: c.Finding.Moved, Where: r.Planned.Plan.Metadata.Where()}
	if r.Unfinished != nil {
		e.Resumed = r.Unfinished.ID
	}
	return e
}

// check compares what a plan from another time or place expects with what is
// there.
func (e *Engine) check(ctx context.Context, r RunRequest) (*Checked, error) {
	if err := e.targets.load(); err != nil {
		return nil, err
	}
	if r.Saved {
		if err := e.belongs(ctx, r.Planned.Plan); err != nil {
			return nil, err
		}
	}
	in, err := e.input(ctx, r, true)
	if err != nil {
		return nil, err
	}
	at := e.host.Now()
	out := &Checked{at: at}
	err = e.phase(event.Checking, func() (n int, err error) {
		out.Finding, err = execute.Check(ctx, in)
		return len(r.Planned.Plan.Changes), err
	})
	return out, r.Planned.placed(err)
}

// Rehearse checks a saved plan as a run of it does before its first write, and
// returns what a run would leave out.
func (e *Engine) Rehearse(ctx context.Context, r RunRequest) ([]execute.Moved, error) {
	c, err := e.check(ctx, r)
	if err != nil {
		return nil, err
	}
	return c.Finding.Moved, c.drift(r)
}

// checkLive takes the last look at Konnect, or another where that is too long
// ago.
func (e *Engine) checkLive(ctx context.Context, in *execute.Input, r RunRequest) error {
	c := r.Checked
	if c == nil || e.host.Now().Sub(c.at) > staleAfter {
		var err error
		if c, err = e.check(ctx, r); err != nil {
			return err
		}
	}
	if err := c.drift(r); err != nil {
		return err
	}
	in.Done, in.Checked = c.Finding.Done, c.at
	in.Skip = map[string]string{}
	for _, m := range c.Finding.Moved {
		in.Skip[m.Change.ID] = execute.SkippedBecause(m)
	}
	return nil
}
