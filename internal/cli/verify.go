package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

// verify looks again after a run.
func (x *execution) verify(ctx context.Context, ran *view.Report) error {
	r := x.runRequest()
	var again engine.PlanRequest
	if !r.Saved {
		var err error
		if again, err = x.request(); err != nil {
			return err
		}
	}
	left, err := x.engine.Verify(ctx, r, again)
	var cannot *engine.UnverifiedError
	if errors.As(err, &cannot) {
		return x.say("Not verified: the saved plan has no changes, and a new plan cannot be made from it: " + terminal.Line(cannot.Why) + ".")
	}
	if err != nil && ctx.Err() != nil {
		return &interruptedError{done: ran.Succeeded, total: ran.Total}
	}
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return &engine.PlanError{Err: &restlessError{left, len(r.Planned.Plan.Changes) > 0}}
	}
	return x.say(verified(r))
}

// verifyNone looks again where nothing was to be changed. A plan that was made a moment
// ago has shown it.
func (x *execution) verifyNone(ctx context.Context, ran *view.Report) error {
	if r := x.runRequest(); !r.Saved || len(r.Planned.Plan.Changes) > 0 {
		return x.say(verified(r))
	}
	if err := x.open(); err != nil {
		return err
	}
	x.display.close()
	return x.verify(ctx, ran)
}

// verified says what a look after a run has shown.
func verified(r engine.RunRequest) string {
	n := len(r.Planned.Plan.Changes)
	switch {
	case r.Saved && n == 0:
		return "Verified: nothing is left to change. A new plan from the same files has no changes."
	case r.Saved:
		return "Verified: nothing is left to change. " + plural(n, "change of the plan was", "changes of the plan were") + " compared with what exists."
	case n == 0:
		return "Verified: nothing is left to change."
	default:
		return "Verified: nothing is left to change. A new plan has no changes."
	}
}

// restlessError says that a new plan is not empty, right after a run or where nothing
// was to be run.
type restlessError struct {
	changes []*plan.Change
	ran     bool
}

func (e *restlessError) Error() string {
	var b strings.Builder
	if e.ran {
		b.WriteString("verify: not settled after the run")
	} else {
		b.WriteString("verify: the saved plan has no changes, and a new plan from the same files has")
	}
	for _, c := range e.changes {
		fmt.Fprintf(&b, "\n  %s", view.Described(c))
		for _, f := range c.FieldChanges {
			fmt.Fprintf(&b, "\n    %s did not converge: %s, want %s", terminal.Line(f.Field), view.Short(f.CurrentValue), view.Short(f.DesiredValue))
		}
	}
	return b.String()
}
