package cli

import (
	"context"
	"fmt"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/terminal"
)

// driftLeftOutError is a dry run of a plan of which changes would be left out.
type driftLeftOutError struct{ count int }

func (e *driftLeftOutError) Error() string {
	return plural(e.count, "change", "changes") + " would be left out: Konnect has changed since this plan was created"
}

// showChecked shows the plan. A saved plan without changes is checked before that:
// it may be of another organization.
func (x *execution) showChecked(ctx context.Context) error {
	if p := x.shown(); p.Empty() && x.continued == nil && x.trust.refuses(p) == nil {
		if _, err := x.rehearse(ctx); err != nil {
			return err
		}
	}
	return x.show()
}

// rehearse checks a saved plan as a run of it does before its first write. It
// returns a driftLeftOutError for changes that a run would leave out.
func (x *execution) rehearse(ctx context.Context) (leftOut, err error) {
	if x.planFile == "" || x.restated {
		return nil, nil // it was planned a moment ago
	}
	if err := x.open(); err != nil {
		return nil, err
	}
	moved, err := x.engine.Rehearse(ctx, x.runRequest())
	x.display.pause()
	if err != nil {
		return nil, engine.OfPlanFile(x.planFile, err)
	}
	for _, m := range moved {
		line := fmt.Sprintf("would skip %s %q: %s", m.Change.ResourceType, m.Change.ResourceRef, m.Why)
		if err := x.say(terminal.Line(line)); err != nil {
			return nil, err
		}
	}
	if len(moved) > 0 {
		return &driftLeftOutError{len(moved)}, nil
	}
	return nil, nil
}
