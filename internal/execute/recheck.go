package execute

import (
	"context"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/plan"
)

// RecheckAfter is how old the last look at a resource may be when it is
// written.
const RecheckAfter = 30 * time.Second

// outdated reports whether a change must be checked again before it is carried
// out. What belongs to something that this run created cannot have moved.
func (r *run) outdated(call *Call) bool {
	if r.Checked.IsZero() || r.Now().Sub(r.Checked) <= RecheckAfter {
		return false
	}
	c := call.Change
	if c.Action == plan.Create && c.Replace {
		return false // its other half was checked, and both are carried out or neither
	}
	return (c.Parent == nil || c.Parent.Change == "") && !call.Written()
}

// SkippedBecause is why a change is left out whose resource is not what the plan
// expects.
func SkippedBecause(m Moved) string {
	return "changed since this plan was created: " + m.Why
}

// leaveOut skips a change whose resource is not what the plan expects.
func (r *run) leaveOut(w *work, reason string) graph.Outcome {
	w.res.Status, w.res.Error, w.res.LeftOut = Skipped, reason, true
	r.book.store(w.res, nil, nil)
	r.emit(event.ChangeSkipped{Change: describe(w.call.Change), Reason: reason})
	return graph.Skipped
}

// recheck looks at one change again, right before it is carried out. It returns
// what it made when there is nothing left to do.
func (r *run) recheck(ctx context.Context, c *Call) (*Outcome, error) {
	c.Late = true
	verdicts, err := c.driver.Check(ctx, []*Call{c})
	if err != nil {
		return nil, err
	}
	found, stop := Finding{Done: map[string]*Outcome{}}, false
	for _, v := range verdicts {
		found.add(v)
		stop = stop || v.Stop
	}
	switch {
	case len(found.Moved) == 0:
		return found.Done[c.Change.ID], nil
	case stop:
		return nil, Stop(&MovedError{Moved: found.Moved})
	default:
		return nil, &MovedError{Moved: found.Moved}
	}
}
