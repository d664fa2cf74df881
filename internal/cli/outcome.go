package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"kongctl/internal/disk"
	"kongctl/internal/execute"
	"kongctl/internal/plan"
	"kongctl/internal/view"
)

// show writes the plan to standard error: standard output is the report's.
func (x *execution) show() error {
	if x.steps != nil {
		return x.steps.show(x)
	}
	err := view.WritePlan(x.streams.err, x.shown(), view.PlanOptions{Style: x.factory.errStyle(), Compared: x.planned.Compared})
	if err != nil {
		// Nothing may be carried out that could not be shown.
		return fmt.Errorf("write standard error: %w", disk.Cause(err))
	}
	return nil
}

// conclude writes the report with the error that the command ends with, and
// returns that.
func (x *execution) conclude(r *view.Report, outcomes ...error) error {
	outcome := errors.Join(outcomes...)
	r.Error = failure(outcome)
	return errors.Join(outcome, x.report(r))
}

// report tells what came of it, to people and to programs.
func (x *execution) report(r *view.Report) error {
	// A plan without changes has said all there is to say.
	if x.steps == nil && (r.DryRun || r.Total > 0) {
		if err := view.WriteSummary(x.streams.err, r, x.factory.errStyle()); err != nil {
			return fmt.Errorf("write standard error: %w", disk.Cause(err))
		}
	}
	if x.reportFile != "" {
		var b bytes.Buffer
		if err := view.WriteJSON(&b, r); err != nil {
			return err
		}
		if err := disk.Write(x.reportFile, b.Bytes()); err != nil {
			return fmt.Errorf("execution report: %w", err)
		}
	}
	if x.steps != nil {
		return x.steps.end(x, r)
	}
	switch x.output {
	case formJSON:
		return toOutput(view.WriteJSON(x.streams.out, r))
	case formYAML:
		return toOutput(view.WriteYAML(x.streams.out, r))
	default:
		return nil
	}
}

// verdict is the error of a run, nil when all of it was done.
func verdict(r *view.Report) error {
	switch r.Status {
	case view.StatusDone:
		return nil
	case view.StatusInterrupted:
		return &interruptedError{done: r.Succeeded, total: r.Total}
	}
	if r.Succeeded == r.Total && r.FinishErr == nil {
		return nil // what was left out is not among the changes
	}
	e := &incompleteError{done: r.Succeeded, failed: r.Failed, skipped: r.Skipped, total: r.Total, leftOut: r.LeftOut, finish: r.FinishErr}
	for _, c := range r.Results {
		if c.Err != nil {
			e.causes = append(e.causes, c.Err)
		}
	}
	if r.FinishErr != nil {
		e.causes = append(e.causes, r.FinishErr)
	}
	return e
}

// nextStep says what to do about a run that did not finish, "" where the errors
// say it all.
// Beside says that the run needs values that nothing keeps.
func nextStep(r *execute.Report, beside bool) string {
	switch {
	case r.Resumable && beside:
		return "Run the same command again: `kongctl resume` does not have the secrets that came from standard input."
	case r.Resumable && slices.ContainsFunc(r.Results, func(x *execute.Result) bool { return x.Unknown }):
		return "Run `kongctl resume` to check these changes and continue."
	case r.Resumable:
		return "Run `kongctl resume` to continue."
	case r.Again:
		return "Run the command again to continue: secrets that came from standard input are not kept."
	}
	return ""
}

// partialPlan tells that something was left out because it could not be read.
func partialPlan(p *plan.Plan) error {
	if len(p.Errors) == 0 {
		return nil
	}
	return &partialPlanError{count: len(p.Errors), executed: true}
}

// leftOut tells that guards kept changes from being made.
func leftOut(p *plan.Plan) error {
	if len(p.Blocked) == 0 {
		return nil
	}
	return &leftOutError{len(p.Blocked)}
}
