package engine

import (
	"context"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// How long to wait before looking again, at first and at most.
const (
	verifyWait        = 500 * time.Millisecond
	longestVerifyWait = 4 * time.Second
)

// Verify looks again after a run and returns what is still to be changed: of a
// configuration a new plan must be empty, of a saved plan every change must be
// done. What was written may not be seen at once. A saved plan without changes is made
// once more, from the same files; where that cannot be done, the error is an
// UnverifiedError.
func (e *Engine) Verify(ctx context.Context, r RunRequest, again PlanRequest) ([]*plan.Change, error) {
	if r.Saved && len(r.Planned.Plan.Changes) == 0 {
		return leftOfNone(ctx, e, r.Planned)
	}
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
		again.Scope.WriteSecrets = nil // they were written
		p, err := e.Plan(ctx, again)
		if err != nil {
			return nil, err
		}
		return p.Plan.Changes, nil
	}
	found, err := e.check(ctx, RunRequest{Planned: r.Planned, Unfinished: wroteSecrets(r.Planned.Plan)})
	if err != nil {
		return nil, err
	}
	var out []*plan.Change
	for _, c := range r.Planned.Plan.Changes {
		if found.Finding.Done[c.ID] != nil {
			continue
		}
		open := *c
		if left := found.Finding.Left[c.ID]; left != nil {
			open.FieldChanges = left
		}
		out = append(out, &open)
	}
	return out, nil
}

// wroteSecrets says of the updates that write secrets that they were carried
// out: a secret cannot be compared, the rest of the resource is.
func wroteSecrets(p *plan.Plan) *execute.Unfinished {
	out := &execute.Unfinished{Plan: p, Results: map[string]*execute.Result{}}
	for _, c := range p.Changes {
		if c.Action == plan.Update && len(c.SecretWrites) > 0 {
			out.Results[c.ID] = &execute.Result{ChangeID: c.ID, Status: execute.Succeeded, ResourceID: c.ResourceID}
		}
	}
	return out
}
