package cli

import (
	"context"
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
	if err != nil && ctx.Err() != nil {
		return &interruptedError{done: ran.Succeeded, total: ran.Total}
	}
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return &engine.PlanError{Err: &restlessError{left}}
	}
	return x.say(verified(r))
}

// verified says what a look after a run has shown.
func verified(r engine.RunRequest) string {
	n := len(r.Planned.Plan.Changes)
	switch {
	case r.Saved && n == 0:
		return "Verified: the saved plan has no changes, so there is nothing to compare."
	case r.Saved:
		return "Verified: nothing is left to change. " + plural(n, "change of the plan was", "changes of the plan were") + " compared with what exists."
	case n == 0:
		return "Verified: nothing is left to change."
	default:
		return "Verified: nothing is left to change. A new plan has no changes."
	}
}

// restlessError says that a new plan right after a run is not empty.
type restlessError struct{ changes []*plan.Change }

func (e *restlessError) Error() string {
	var b strings.Builder
	b.WriteString("verify: not settled after the run")
	for _, c := range e.changes {
		fmt.Fprintf(&b, "\n  %s", view.Described(c))
		for _, f := range c.FieldChanges {
			fmt.Fprintf(&b, "\n    %s did not converge: %s, want %s", terminal.Line(f.Field), view.Short(f.CurrentValue), view.Short(f.DesiredValue))
		}
	}
	return b.String()
}
