package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

// What to do when Konnect has changed since the plan was created.
const (
	driftAbort = "abort"
	driftSkip  = "skip"
)

// trustFlags say when a plan may be carried out.
type trustFlags struct {
	onDrift      string
	skipBlocked  bool
	allowPartial bool
	verify       bool
	allowForeign bool
}

func (t *trustFlags) add(cmd *cobra.Command, place string) {
	flags := cmd.Flags()
	flags.StringVar(&t.onDrift, "on-drift", driftAbort, "what to do when "+place+" has changed since the plan was created: abort, or skip those changes (exit status 5)")
	flags.BoolVar(&t.skipBlocked, "skip-blocked", false, "execute the other changes when guards refuse some (exit status 5)")
	flags.BoolVar(&t.allowPartial, "allow-partial", false, "execute a partial plan: one where some resources could not be read")
	flags.BoolVar(&t.verify, "verify", false, "plan again after the run, and fail if anything is left to change")
}

func (t *trustFlags) check() error {
	if t.onDrift != driftAbort && t.onDrift != driftSkip {
		return usagef("invalid value %q for --on-drift: use abort or skip", t.onDrift)
	}
	return nil
}

// refuses tells why a plan may not be carried out as it is.
func (t *trustFlags) refuses(p *plan.Plan) error {
	switch {
	case len(p.Blocked) > 0 && !t.skipBlocked:
		return &blockedError{count: len(p.Blocked)}
	case len(p.Errors) > 0 && !t.allowPartial:
		return &partialPlanError{count: len(p.Errors)}
	default:
		return nil
	}
}

// movedText says how Konnect differs from what a plan expects.
func movedText(e *engine.MovedError) string {
	var b strings.Builder
	b.WriteString(terminal.Line(e.Error()))
	for _, m := range e.Moved {
		fmt.Fprintf(&b, "\n  %s %q: %s", terminal.Line(m.Change.ResourceType), m.Change.ResourceRef, terminal.Line(m.Why))
		for _, f := range m.Fields {
			if f.Of != "" {
				fmt.Fprintf(&b, "\n    %s of %s: %s", terminal.Line(f.Field), terminal.Line(f.Of), movedField(m.Change, f))
				continue
			}
			fmt.Fprintf(&b, "\n    %s: %s", terminal.Line(f.Field), movedField(m.Change, f))
			for _, name := range m.Change.VariablesIn(f.Field) {
				fmt.Fprintf(&b, "\n      The plan takes this value from $%[1]s. If the plan ran before and %[1]s has changed since, set %[1]s back or create a new plan.", terminal.Line(name))
			}
		}
	}
	if e.Foreign {
		b.WriteString("\n  Create a new plan.")
	} else if e.Resumed != "" {
		fmt.Fprintf(&b, "\n  Run the original command again, or pass --on-drift=skip to leave these changes out; `kongctl resume --discard %s` forgets the run.", e.Resumed)
	} else {
		b.WriteString("\n  Create a new plan, or pass --on-drift=skip to leave these changes out.")
	}
	return b.String()
}

// movedField says how a field differs from what the plan expects.
func movedField(c *plan.Change, f execute.MovedField) string {
	now := "is not set now"
	if f.Is != nil {
		now = "now is " + view.Short(f.Is)
	}
	switch {
	case c.Action == plan.Create && f.Writes != nil:
		return now + ", and the plan creates it with " + view.Short(f.Writes)
	case c.Action == plan.Create:
		return now + ", and the plan creates it without a value"
	case f.Writes != nil:
		return now + ", and would become " + view.Short(f.Writes)
	case f.PlannedFrom == nil:
		return "was not set when planned, " + now
	default:
		return "planned from " + view.Short(f.PlannedFrom) + ", " + now
	}
}
