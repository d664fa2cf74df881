package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// The forms of the output of runs and statuses.
const (
	formEvents = "events"
	formTable  = "table"
)

// linesNote is the annotation of commands whose JSON is a document a line.
const linesNote = "json lines"

// stepOutput shows the progress of a run of objects.
type stepOutput struct {
	form     string
	statuses bool
	showDiff bool
	steps    view.Steps
	progress view.StepProgress
}

// addSteps adds the flags of the output.
func (s *stepOutput) add(cmd *cobra.Command) {
	addOutput(cmd, &s.form, "events, json (a document a line) or table (default: table on a terminal, events elsewhere)")
	choose(cmd.Flags(), "output", formEvents, formJSON, formTable)
	cmd.Annotations = map[string]string{linesNote: formJSON}
}

// choose settles the form of the output.
func (s *stepOutput) choose(f *factory) error {
	if s.form == "" {
		s.form = formEvents
		if f.world.streams.outTerminal && !f.world.dumb() {
			s.form = formTable
		}
	}
	return checkOutput(s.form, formEvents, formJSON, formTable)
}

// start makes the progress that shows steps, in place of another.
func (s *stepOutput) start(f *factory, d *display, dryRun bool) {
	streams := f.world.streams
	redraw := s.form == formTable && streams.outTerminal && !f.world.dumb() && !dryRun
	o := view.StepOptions{
		Out: streams.out, Style: f.outStyle(), Now: f.world.now, Statuses: s.statuses || s.form == formTable, DryRun: dryRun,
		Notes: view.NewLines(streams.err, f.errStyle()), Width: streams.width, Height: streams.height, Redraw: redraw,
	}
	switch s.form {
	case formJSON:
		s.progress = view.NewStepJSON(s.steps, o)
	case formTable:
		s.progress = view.NewStepTable(s.steps, o)
	default:
		s.progress = view.NewStepEvents(s.steps, o)
	}
	d.replace(s.progress, redraw)
}

// show shows what people must know of a plan before it is carried out: all of it
// where they ask for it, else what is refused or left out.
func (s *stepOutput) show(x *execution) error {
	p := x.shown()
	o := view.PlanOptions{Style: x.factory.errStyle(), Compared: x.planned.Compared, Notes: !s.showDiff}
	if s.showDiff || len(p.Blocked)+len(p.Errors)+len(p.Pending)+len(p.Warnings) > 0 {
		if err := view.WritePlan(x.streams.err, p, o); err != nil {
			return fmt.Errorf("write standard error: %w", disk.Cause(err))
		}
	}
	s.steps = liveSteps(x.planned)
	s.start(x.factory, x.display, x.dryRun)
	if s.form != formJSON {
		return nil
	}
	x.display.do(func() { s.refusals(p) })
	return toOutput(s.progress.Failed())
}

// refusals shows what could not be planned, for programs.
func (s *stepOutput) refusals(p *plan.Plan) {
	for _, b := range p.Blocked {
		s.progress.Line(view.StepLine{Type: "validation", Error: b.Message, More: map[string]any{"objects": []any{refused(b.ResourceType, b.ResourceRef)}, "rule": b.By}})
	}
	for _, e := range p.Errors {
		s.progress.Line(view.StepLine{Type: "error", Error: e.Message, More: map[string]any{"objects": []any{refused(e.ResourceType, e.ResourceRef)}}})
	}
}

// end shows how the run ended.
func (s *stepOutput) end(x *execution, r *view.Report) error {
	if x.dryRun && len(x.planned.Plan.Blocked) == 0 {
		x.display.do(func() { view.Rehearse(s.progress, s.steps) })
	}
	x.display.close()
	s.progress.Summary()
	if len(s.steps.List) == 0 && s.steps.Declared == 0 && len(x.planned.Plan.Blocked) == 0 {
		text := "Nothing to apply: there are no objects."
		if x.factory.kube.Destroy {
			text = "Nothing to delete: the inventory lists no objects."
		}
		if err := x.say(text); err != nil {
			return err
		}
	}
	if r.Failed+r.Aborted > 0 || r.FinishError != "" {
		if err := view.WriteSummary(x.streams.err, r, x.factory.errStyle()); err != nil {
			return fmt.Errorf("write standard error: %w", disk.Cause(err))
		}
	}
	return toOutput(s.progress.Failed())
}

// unsettledError says that objects that needed no change are not ready.
type unsettledError struct {
	error
	done int // changes of the same run
}

func (e *unsettledError) Unwrap() error { return e.error }

// settle waits until what needed no change is ready, too; done is how many changes
// were carried out.
func (x *execution) settle(ctx context.Context, done int) error {
	if x.engine == nil || x.dryRun {
		return nil
	}
	err := x.engine.Settle(ctx, x.planned.Plan)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &interruptedError{done: done, total: done}
	default:
		return &unsettledError{err, done}
	}
}

// writeErrorLines writes the lines that programs read where a command whose JSON
// is a document a line fails. It reports whether the command is one.
func writeErrorLines(f *factory, cmd *cobra.Command, form string, err error) bool {
	if cmd == nil || cmd.Annotations[linesNote] == "" || form != formJSON {
		return false
	}
	if err == nil || errors.Is(err, errChanges) {
		return true
	}
	p := view.NewStepJSON(view.Steps{}, view.StepOptions{Out: f.world.streams.out, Now: f.world.now})
	var list diag.List
	var found *diag.ListError
	if problem, ofFile := engine.FileProblem(err); ofFile {
		list = diag.List{problem}
	} else if errors.As(err, &found) {
		list = found.List.Sorted()
	}
	for _, d := range view.Diagnostics(list) {
		p.Line(view.StepLine{Type: "validation", Error: d.Summary, More: map[string]any{"objects": []any{}, "diagnostic": d}})
	}
	failed := failure(f, err)
	p.Line(view.StepLine{Type: "error", Error: failed.Message, More: map[string]any{"exitCode": failed.ExitCode}})
	return true
}
