package execute_test

import (
	"context"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/resource"
)

// holding is a toy whose writes do something else.
type holding struct {
	*toy
	do func(ctx context.Context) error
}

func (d *holding) Do(ctx context.Context, _ *execute.Call) (execute.Outcome, error) {
	return execute.Outcome{}, d.do(ctx)
}

type unsent struct{ error }

func (unsent) Unsent() bool    { return true }
func (e unsent) Unwrap() error { return e.error }

// What was not sent when a run is interrupted was not started, and neither was what
// waits for it. Resume has no doubt about it.
func TestInterruptBeforeAnythingIsSent(t *testing.T) {
	for name, wrote := range map[string]bool{"held": false, "written before": true} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			held := &holding{&toy{}, func(ctx context.Context) error {
				if wrote {
					resource.Wrote(ctx)
				}
				waits, release := resource.Held(ctx)
				defer release()
				cancel()
				if !wrote {
					<-waits.Done()
				}
				return unsent{context.Canceled}
			}}
			in := by(toys(change("house", "a"), change("house", "b", "a")), map[string]execute.Driver{"house": held})
			recorded := map[string]execute.Status{}
			in.Begin = func(*execute.Attempt) error { return nil }
			in.Record = func(r *execute.Result) error { recorded[r.ChangeID] = r.Status; return nil }
			report, told := carryOutIn(ctx, t, in)
			if wrote {
				equal(t, "reasons", reasons(report), map[string]string{"a": "failed context canceled", "b": "skipped waits for the toy a, which failed"})
				return
			}
			equal(t, "reasons", reasons(report), map[string]string{"a": "skipped the run was interrupted", "b": "skipped the run was interrupted"})
			equal(t, "recorded", recorded, map[string]execute.Status{"a": execute.Skipped})
			equal(t, "story", told, []string{"run 2", "start a", "skip a: the run was interrupted", "skip b: the run was interrupted", "end 0 applied, 0 failed, 2 skipped, interrupted"})
		})
	}
}
