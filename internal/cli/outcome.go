package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

// show writes the plan: to standard output as text, to standard error where
// standard output is a document or where whoever is asked would not see it.
// Nothing may be carried out that could not be shown.
func (x *execution) show() error {
	if x.steps != nil {
		return x.steps.show(x)
	}
	if l := x.factory.lines; l != nil {
		l.Plan(x.shown(), *x.place())
	}
	o := planOptionsOf(x.factory, x.planned)
	document := isDocument(x.output)
	o.Place, o.Notes, o.Deletes, o.Saved = x.place(), x.seen(), true, o.Saved && x.continued == nil
	if !document {
		if err := view.WritePlan(x.streams.out, x.shown(), o); err != nil {
			return toOutput(err)
		}
	}
	if document || x.asks() && !x.streams.outTerminal && x.streams.errTerminal {
		o.Style = x.factory.errStyle()
		if err := view.WritePlan(x.streams.err, x.shown(), o); err != nil {
			return fmt.Errorf("write standard error: %w", disk.Cause(err))
		}
	}
	return nil
}

// seen reports whether the changes were shown before: those of a saved plan that
// a pipeline carries out. What is left to show is what stands beside them.
func (x *execution) seen() bool {
	return x.planFile != "" && !x.restated && x.autoApprove && !x.dryRun && !x.streams.outTerminal && !x.streams.errTerminal
}

// asks reports whether the plan must be approved on the terminal. Whoever names
// one resource means it.
func (x *execution) asks() bool {
	return !x.autoApprove && !x.adopt.ByName() && !x.dryRun && !x.shown().Empty()
}

// summarize says how the run ended, to people.
func (x *execution) summarize(r *view.Report) error {
	r.Place = *x.place()
	if x.steps != nil {
		return x.steps.end(x, r)
	}
	if !r.DryRun && r.Total == 0 {
		return nil // a plan without changes has said all there is to say
	}
	if err := view.WriteSummary(x.streams.err, r, x.factory.errStyle()); err != nil {
		return fmt.Errorf("write standard error: %w", disk.Cause(err))
	}
	return nil
}

// conclude writes the report with the error that the command ends with, and
// returns that.
func (x *execution) conclude(r *view.Report, outcomes ...error) error {
	outcome := errors.Join(outcomes...)
	if r.Error = failure(x.factory, outcome); r.Error != nil {
		r.Diagnostics = diagnosed(outcome)
	}
	return errors.Join(outcome, x.report(r))
}

// report writes the report for programs.
func (x *execution) report(r *view.Report) (err error) {
	if x.reportFile == "" && !isDocument(x.output) {
		return nil
	}
	if r.Plan, err = x.planned.Document(); err != nil {
		return err
	}
	if x.reportFile != "" {
		var b bytes.Buffer
		if err := view.WriteJSON(&b, r); err != nil {
			return err
		}
		if err := disk.Save(x.reportFile, b.Bytes()); err != nil {
			return fmt.Errorf("execution report: %w", err)
		}
	}
	if x.steps != nil {
		return nil
	}
	if l := x.factory.lines; l != nil {
		return toOutput(l.End(r))
	}
	if x.planned.Adopted != nil && r.Error == nil && !r.DryRun {
		return x.streams.document(x.output, x.planned.Adopted)
	}
	return x.streams.document(x.output, r)
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
	e := &incompleteError{done: r.Succeeded, failed: r.Failed, skipped: r.Skipped, total: r.Total, leftOut: r.LeftOut, inPart: r.InPart(), finish: r.FinishErr}
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

func (x *execution) say(line string) error {
	if _, err := fmt.Fprintln(x.streams.err, terminal.Block(line)); err != nil {
		return fmt.Errorf("write standard error: %w", disk.Cause(err))
	}
	return nil
}
