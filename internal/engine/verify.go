package engine

import (
	"context"
	"time"

	"kongctl/internal/plan"
)

// How long to wait before looking again, at first and at most.
const (
	verifyWait        = 500 * time.Millisecond
	longestVerifyWait = 4 * time.Second
)

// Verify looks again after a run and returns what is still to be changed: of a
// configuration a new plan must be empty, of a saved plan every change must be
// done. What was written may not be seen at once.
func (e *Engine) Verify(ctx context.Context, r RunRequest, again PlanRequest) ([]*plan.Change, error) {
	for wait := verifyWait; ; wait *= 2 {
		left, err := e.left(ctx, r, again)
		if err != nil || len(left) == 0 || wait > longestVerifyWait {
			return left, err
		}
		if err := e.host.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (e *Engine) left(ctx context.Context, r RunRequest, again PlanRequest) ([]*plan.Change, error) {
	if !r.Saved {
		p, err := e.Plan(ctx, again)
		if err != nil {
			return nil, err
		}
		return p.Plan.Changes, nil
	}
	found, err := e.check(ctx, RunRequest{Planned: r.Planned})
	if err != nil {
		return nil, err
	}
	return r.Planned.Plan.Only(func(c *plan.Change) bool { return found.Finding.Done[c.ID] == nil }).Changes, nil
}
