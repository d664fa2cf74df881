package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kongctl/internal/execute"
	"kongctl/internal/plan"
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
		return &partialPlanError{len(p.Errors)}
	default:
		return nil
	}
}

// movedError says that the world is not what the plan expects.
type movedError struct{ moved []execute.Moved }

func (e *movedError) Error() string {
	var b strings.Builder
	b.WriteString("Konnect has changed since this plan was created; nothing was changed")
	for _, m := range e.moved {
		fmt.Fprintf(&b, "\n  %s %q: %s", m.Change.ResourceType, m.Change.ResourceRef, m.Why)
		for _, f := range m.Fields {
			fmt.Fprintf(&b, "\n    %s: planned from %s, now is %s", f.Field, view.Short(f.PlannedFrom), view.Short(f.Is))
		}
	}
	b.WriteString("\n  Create a new plan, or pass --on-drift=skip to leave these changes out.")
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

// checkLive compares what a plan from another time expects with what is there.
func (p *pipeline) checkLive(ctx context.Context, in *execute.Input, onDrift string) error {
	finding, err := execute.Check(ctx, *in)
	if err != nil {
		return err
	}
	if len(finding.Moved) > 0 && onDrift != driftSkip {
		return &planError{&movedError{finding.Moved}}
	}
	in.Done, in.Checked = finding.Done, p.factory.world.now()
	in.Skip = map[string]string{}
	for _, m := range finding.Moved {
		in.Skip[m.Change.ID] = "changed in Konnect since this plan was created: " + m.Why
	}
	return nil
}

// journalFolder is where unfinished runs are kept.
func (f *factory) journalFolder() (string, error) {
	state, err := f.world.folder("XDG_STATE_HOME", ".local", "state")
	if err != nil {
		return "", err
	}
	return filepath.Join(state, "kongctl", "journal"), nil
}

// journalled carries a plan out and keeps a journal of it until all is done.
func (p *pipeline) journalled(ctx context.Context, in execute.Input, j *execute.Journal) (*execute.Report, error) {
	in.Record = j.Record
	report, err := execute.Run(ctx, in, p.sink)
	done := err == nil && report.Succeeded == report.Total
	return report, errors.Join(err, j.Close(done || report == nil))
}

func (p *pipeline) newJournal(document []byte, dir string, now time.Time) (*execute.Journal, error) {
	folder, err := p.factory.journalFolder()
	if err != nil {
		return nil, err
	}
	return execute.NewJournal(folder, document, dir, now)
}

// restless says that a new plan right after a run is not empty.
type restlessError struct{ changes []*plan.Change }

func (e *restlessError) Error() string {
	var b strings.Builder
	b.WriteString("verify: not settled after the run")
	for _, c := range e.changes {
		fmt.Fprintf(&b, "\n  %s", view.Described(c))
		for _, f := range c.FieldChanges {
			fmt.Fprintf(&b, "\n    %s keeps moving: is %s, shall be %s", f.Field, view.Short(f.CurrentValue), view.Short(f.DesiredValue))
		}
	}
	return b.String()
}
