package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kongctl/internal/event"
	"kongctl/internal/execute"
	"kongctl/internal/plan"
	"kongctl/internal/terminal"
	"kongctl/internal/view"
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
}

func (t *trustFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&t.onDrift, "on-drift", driftAbort, "what to do when Konnect has changed since the plan was created: abort, or skip those changes (exit status 5)")
	flags.BoolVar(&t.skipBlocked, "skip-blocked", false, "run the rest when guards refuse changes (exit status 5)")
	flags.BoolVar(&t.allowPartial, "allow-partial", false, "carry out a plan that lacks what could not be read")
	flags.BoolVar(&t.verify, "verify", false, "look again afterwards: nothing may be left to change")
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
		return &blockedError{len(p.Blocked)}
	case len(p.Errors) > 0 && !t.allowPartial:
		return &partialPlanError{count: len(p.Errors)}
	default:
		return nil
	}
}

// movedError says that the world is not what the plan expects.
type movedError struct {
	moved []execute.Moved
	// resumed is the run that cannot be continued; "" for a plan.
	resumed string
}

func (e *movedError) Error() string {
	var b strings.Builder
	b.WriteString("Konnect has changed since this plan was created; nothing was changed")
	for _, m := range e.moved {
		fmt.Fprintf(&b, "\n  %s %q: %s", terminal.Line(m.Change.ResourceType), m.Change.ResourceRef, terminal.Line(m.Why))
		for _, f := range m.Fields {
			fmt.Fprintf(&b, "\n    %s: planned from %s, now is %s", terminal.Line(f.Field), view.Short(f.PlannedFrom), view.Short(f.Is))
		}
	}
	if e.resumed != "" {
		fmt.Fprintf(&b, "\n  Run the original command again, or pass --on-drift=skip to leave these changes out; `kongctl resume --discard %s` forgets the run.", e.resumed)
	} else {
		b.WriteString("\n  Create a new plan, or pass --on-drift=skip to leave these changes out.")
	}
	return b.String()
}

// staleAfter is how long after the read a plan may be approved without another
// look at Konnect.
const staleAfter = 5 * time.Second

// stale reports whether Konnect must be read again before the first write: a
// saved plan is of another time, and a person may take long to answer.
func (p *pipeline) stale(r runRequest) bool {
	return r.saved || !r.read.IsZero() && p.factory.world.now().Sub(r.read) > staleAfter
}

// checked is what a look at Konnect found, and when that was.
type checked struct {
	finding *execute.Finding
	at      time.Time
}

// drift refuses a plan whose resources changed, unless those are left out.
func (c *checked) drift(r runRequest) error {
	if len(c.finding.Moved) == 0 || r.onDrift == driftSkip {
		return nil
	}
	e := &movedError{moved: c.finding.Moved}
	if r.unfinished != nil {
		e.resumed = r.unfinished.ID
	}
	return &planError{e}
}

// check compares what a plan from another time or place expects with what is
// there.
func (p *pipeline) check(ctx context.Context, r runRequest) (*checked, error) {
	cat, err := p.factory.catalog()
	if err != nil {
		return nil, err
	}
	s, err := p.connected(ctx)
	if err != nil {
		return nil, err
	}
	if r.saved {
		if err := p.exclude(ctx, s, r.plan.Metadata.SyncScope.Namespaces); err != nil {
			return nil, err
		}
		if err := s.belongs(ctx, r.plan.Metadata.Organization); err != nil {
			return nil, err
		}
	}
	in, err := p.input(ctx, r, cat, s)
	if err != nil {
		return nil, err
	}
	if in.Made, err = p.made(ctx, s, cat); err != nil {
		return nil, err
	}
	at := p.factory.world.now()
	out := &checked{at: at}
	err = p.phase(event.Checking, func() (n int, err error) {
		out.finding, err = execute.Check(ctx, in)
		return len(r.plan.Changes), err
	})
	return out, err
}

// checkLive takes the last look at Konnect, or another where that is too long
// ago.
func (p *pipeline) checkLive(ctx context.Context, in *execute.Input, r runRequest) error {
	c := r.checked
	if c == nil || p.factory.world.now().Sub(c.at) > staleAfter {
		var err error
		if c, err = p.check(ctx, r); err != nil {
			return err
		}
	}
	if err := c.drift(r); err != nil {
		return err
	}
	in.Done, in.Checked = c.finding.Done, c.at
	in.Skip = map[string]string{}
	for _, m := range c.finding.Moved {
		in.Skip[m.Change.ID] = execute.SkippedBecause(m)
	}
	return nil
}

// restless says that a new plan right after a run is not empty.
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
