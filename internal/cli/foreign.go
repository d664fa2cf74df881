package cli

import (
	"context"
	"fmt"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/terminal"
)

// noteForeign says of a plan of another program what is not known of it.
func noteForeign(f *factory, p *engine.Planned) error {
	if !p.Plan.Foreign() {
		return nil
	}
	_, err := fmt.Fprintf(f.world.streams.err, "This plan was written by another program (%s). It has no seal and was not checked; to execute it, pass --allow-foreign-plan.\n", terminal.Line(p.Plan.Metadata.Generator))
	return err
}

// validateOwn checks a plan of kongctl: another program's is not shown as one that
// can be executed as it is.
func validateOwn(f *factory, p *engine.Planned) error {
	if p.Plan.Foreign() {
		return nil
	}
	return f.host().Validate(p.Plan)
}

// readSaved reads the saved plan.
func (x *execution) readSaved(ctx context.Context) (err error) {
	x.planned, err = x.factory.host().Saved(engine.Saved{File: x.planFile, Trust: x.factory.trust(), Verb: x.mode, BaseDir: x.sources.BaseDir, AllowForeign: x.trust.allowForeign})
	if err == nil && x.planned.Plan.Foreign() {
		return x.restate(ctx)
	}
	return err
}

// restate makes kongctl's own plan of a foreign one.
func (x *execution) restate(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	r, err := x.request()
	if err != nil {
		return err
	}
	theirs := x.planned.Plan
	r.Sources, r.Foreign, r.ForeignFile = engine.Sources{}, x.planned, x.planFile
	x.planned, err = x.engine.Plan(ctx, r)
	x.display.pause()
	if err != nil {
		return engine.OfPlanFile(x.planFile, err)
	}
	warn(x.factory, x.planned.Warnings)
	line := fmt.Sprintf("This plan was written by another program (%s). What follows is what kongctl makes of it.", terminal.Line(theirs.Metadata.Generator))
	x.restated = true
	if done := len(theirs.Changes) - len(x.planned.Plan.Changes) - len(x.planned.Plan.Blocked); done > 0 {
		line += fmt.Sprintf(" %s up to date already.", plural(done, "change is", "changes are"))
	}
	return x.say(line)
}
