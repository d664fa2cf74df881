package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// execution is one run of a verb that carries a plan out.
type execution struct {
	*executeOptions
	streams *streams
	display *display
	engine  backend
	planned *engine.Planned
	// restated reports whether the plan is made of another program's.
	restated bool
	// id sorts after the ids of runs that started earlier.
	id string
	// continued is what is left of the run that resume continues.
	continued *engine.Continued
	// steps shows the run as steps, in place of plan and report; nil does not.
	steps *stepOutput
}

func (o *executeOptions) newExecution() *execution {
	w := o.factory.world
	if !o.dryRun {
		w.streams.outlive()
	}
	x := &execution{executeOptions: o, streams: w.streams, display: newDisplay(o.factory), id: execute.IDAt(w.now())}
	if o.output == formJSONL {
		startLines(o.factory, x.display)
	}
	return x
}

func executeRun(ctx context.Context, o *executeOptions) error {
	if err := o.objects.prepare(o.factory, &o.sources); err != nil {
		return err
	}
	x := o.newExecution()
	defer x.display.close()
	if err := x.prepare(ctx); err != nil {
		return err
	}
	return x.carryOut(ctx)
}

// prepare makes the plan, or reads the saved one.
func (x *execution) prepare(ctx context.Context) (err error) {
	if _, err := x.factory.policy(); err != nil {
		return err // before anything is read
	}
	if x.planFile != "" {
		return x.readSaved(ctx)
	}
	if err := x.open(); err != nil {
		return err
	}
	r, err := x.request()
	if err != nil {
		return err
	}
	x.planned, err = x.engine.Plan(ctx, r)
	x.display.pause()
	if err != nil {
		return err
	}
	warn(x.factory, x.planned.Warnings)
	return nil
}

func (x *execution) open() (err error) {
	if x.engine != nil {
		return nil
	}
	x.engine, err = x.factory.newEngine(engineOptions{local: x.connect.local, sink: x.display.sink, lock: !x.noLock && !x.dryRun})
	return err
}

// carryOut shows the plan, asks, runs it and reports the result.
func (x *execution) carryOut(ctx context.Context) error {
	o, p := x.executeOptions, x.shown()
	if err := x.showChecked(ctx); err != nil {
		return err
	}
	if err := x.refused(p); err != nil {
		return x.conclude(view.Refused(p, o.dryRun, o.factory.world.now()), err)
	}
	var drifted error
	if o.dryRun && !p.Empty() {
		var err error
		if drifted, err = x.rehearse(ctx); err != nil {
			return err
		}
	}
	if o.dryRun || p.Empty() {
		report := view.NotRun(p, o.dryRun, o.factory.world.now())
		outcomes := []error{drifted, x.settle(ctx, 0), partialPlan(p), leftOut(p), o.noMatch(p), x.summarize(report)}
		if !o.dryRun && x.planFile == "" && errors.Join(outcomes...) == nil {
			outcomes = append(outcomes, x.retire(ctx))
		}
		if !o.dryRun && x.trust.verify && errors.Join(outcomes...) == nil {
			outcomes = append(outcomes, x.verifyNone(ctx, report))
		}
		return x.conclude(report, outcomes...)
	}
	if err := x.lacks(ctx, p); err != nil {
		return err
	}
	if x.asks() {
		if err := x.approve(ctx); err != nil {
			return err
		}
	}
	if x.reportFile != "" {
		if err := disk.Savable(x.reportFile); err != nil {
			return fmt.Errorf("execution report: %w", err)
		}
	}
	if err := x.open(); err != nil {
		return err
	}
	return x.run(ctx)
}

// run carries the plan out and reports the result.
func (x *execution) run(ctx context.Context) error {
	p := x.planned.Plan
	kept, err := openGenerated(x)
	if err != nil {
		return err
	}
	r := x.runRequest()
	r.ShownOnce = kept.keep()
	result, err := x.engine.Run(ctx, r)
	if err != nil {
		x.display.close()
		return errors.Join(engine.OfPlanFile(x.planFile, err), closeGenerated(x, kept))
	}
	report := view.NewReport(p, result)
	ended := verdict(report)
	if ended == nil {
		ended = x.settle(ctx, report.Succeeded)
	}
	x.display.close()
	outcomes := []error{ended, partialPlan(p), leftOut(p), x.summarize(report), closeGenerated(x, kept), x.advise(result)}
	if errors.Join(outcomes...) == nil {
		outcomes = append(outcomes, x.retire(ctx))
	}
	if errors.Join(outcomes...) == nil && x.trust.verify {
		outcomes = append(outcomes, x.verify(ctx, report))
	}
	return x.conclude(report, outcomes...)
}

// runRequest is the plan to carry out.
func (x *execution) runRequest() engine.RunRequest {
	if x.continued != nil {
		return x.continued.Run
	}
	return engine.RunRequest{
		Planned: x.planned, Saved: x.planFile != "", SkipMoved: x.trust.onDrift == driftSkip, GoOnAfterGateway: x.onGatewayFailure == gatewayContinue,
	}
}

// shown is the plan to show and to ask for: of a run that is continued, what is
// left of it.
func (x *execution) shown() *plan.Plan {
	if x.continued != nil {
		return x.continued.Remaining
	}
	return x.planned.Plan
}

// retire discards the journals of older runs that this one covers.
func (x *execution) retire(ctx context.Context) error {
	if x.engine == nil {
		return nil // nothing was read
	}
	ids, err := x.engine.Retire(ctx, x.planned.Plan, x.id)
	if err != nil || len(ids) == 0 {
		return err
	}
	if len(ids) == 1 {
		return x.say("Discarded the journal of the unfinished run " + ids[0] + ", which this run supersedes.")
	}
	return x.say(fmt.Sprintf("Discarded the journals of %d unfinished runs, which this run supersedes.", len(ids)))
}
