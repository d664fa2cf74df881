package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kongctl/internal/disk"
	"kongctl/internal/execute"
	"kongctl/internal/plan"
	"kongctl/internal/terminal"
	"kongctl/internal/view"
)

// executeOptions are those of the verbs that carry a plan out.
type executeOptions struct {
	factory  *factory
	mode     plan.Mode
	sources  sourceFlags
	scope    scopeFlags
	connect  connectFlags
	planFile string
	trust    trustFlags
	// onDeckFailure says whether a run goes on when decK fails.
	onDeckFailure string
	journal       string
	// list and discard are what resume does instead.
	list    bool
	discard string
	adopt   adoptRequest
	// failOnNoMatch makes an error of a delete that finds nothing.
	failOnNoMatch bool
	dryRun        bool
	noLock        bool
	autoApprove   bool
	output        string
	reportFile    string
}

func (o *executeOptions) add(cmd *cobra.Command) {
	o.sources.add(cmd)
	o.scope.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&o.planFile, "plan", "", "carry out a saved plan (- for standard input)")
	addVerifyKey(cmd)
	addMaxAge(cmd)
	o.addExecution(cmd)
}

// addExecution adds what every way of carrying out a plan has.
func (o *executeOptions) addExecution(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.trust.add(cmd)
	addDeck(cmd)
	flags.StringVar(&o.onDeckFailure, "on-deck-failure", deckAbort, "abort the run when decK fails, or continue with what does not depend on it")
	flags.BoolVar(&o.dryRun, "dry-run", false, "show the plan and stop")
	flags.BoolVar(&o.noLock, "no-lock", false, "do not wait for other runs on this machine over the same organization and namespaces")
	addApproval(cmd, &o.autoApprove)
	addOutput(cmd, &o.output, "text, json or yaml: the execution report (default text)")
	flags.StringVar(&o.reportFile, "execution-report-file", "", "write the execution report as JSON to a file")
	o.connect.add(cmd)
}

// start checks the flags and runs the verb, or what a test put in its place.
func (o *executeOptions) start(cmd *cobra.Command, runF func(context.Context, *executeOptions) error) error {
	if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
		return err
	}
	if err := checkPlanFlag(cmd, o.planFile); err != nil {
		return err
	}
	if err := o.connect.check(cmd); err != nil {
		return err
	}
	if err := o.trust.check(); err != nil {
		return err
	}
	if err := o.scope.check(); err != nil {
		return err
	}
	if o.onDeckFailure != deckAbort && o.onDeckFailure != deckContinue {
		return usagef("invalid value %q for --on-deck-failure: use abort or continue", o.onDeckFailure)
	}
	if o.scope.includeDeck && o.mode != plan.ModeDelete {
		return usagef("--include-deck is for deletes").withHint("apply and sync run decK anyway.")
	}
	if o.scope.gateway && o.mode == plan.ModeDelete && !o.scope.includeDeck {
		return usagef("delete gateway removes what decK's select tags own").withHint("add --include-deck.")
	}
	if o.scope.gateway && o.planFile != "" {
		return usagef("--plan and the target gateway exclude each other").withHint("a saved plan is carried out as it is.")
	}
	if runF == nil {
		runF = executeRun
	}
	return runF(cmd.Context(), o)
}

// execution is one run of such a verb.
type execution struct {
	*executeOptions
	streams *streams
	display *display
	engine  engine
	locks   *locks // nil for a run that takes none
	planned *planned
	// id sorts after the ids of runs that started earlier.
	id string
	// unfinished is the run that resume continues, checked what it found in
	// Konnect and remaining what is left of the plan.
	unfinished *execute.Unfinished
	checked    *checked
	remaining  *plan.Plan
}

func (o *executeOptions) newExecution() *execution {
	w := o.factory.world
	return &execution{executeOptions: o, streams: w.streams, display: newDisplay(o.factory), id: execute.IDAt(w.now())}
}

func executeRun(ctx context.Context, o *executeOptions) error {
	x := o.newExecution()
	defer x.display.close()
	if err := x.prepare(ctx); err != nil {
		return err
	}
	return x.carryOut(ctx)
}

// carryOut shows the plan, asks, runs it and reports the result.
func (x *execution) carryOut(ctx context.Context) error {
	o, p := x.executeOptions, x.shown()
	if err := x.show(); err != nil {
		return err
	}
	if err := o.trust.refuses(p); err != nil {
		return err
	}
	var drifted error
	if o.dryRun {
		var err error
		if drifted, err = x.rehearse(ctx); err != nil {
			return err
		}
	}
	if o.dryRun || p.Empty() {
		outcome := x.conclude(view.NotRun(p, o.dryRun, o.factory.world.now()), drifted, partialPlan(p), leftOut(p), o.noMatch(p))
		if o.dryRun || outcome != nil {
			return outcome
		}
		return x.retire(ctx)
	}
	if !o.autoApprove && !o.adopt.byName() { // whoever names one resource means it
		if err := x.approve(ctx); err != nil {
			return err
		}
	}
	if x.reportFile != "" {
		if err := disk.Writable(x.reportFile); err != nil {
			return fmt.Errorf("execution report: %w", err)
		}
	}
	if x.engine == nil {
		if err := x.open(); err != nil {
			return err
		}
	}
	return x.run(ctx)
}

// run carries the plan out and reports the result.
func (x *execution) run(ctx context.Context) error {
	p := x.planned.plan
	r, err := x.runRequest()
	if err != nil {
		return err
	}
	result, err := x.engine.run(ctx, r)
	x.display.close()
	if err != nil {
		return err
	}
	report := view.NewReport(p, result)
	outcome := x.conclude(report, verdict(report), partialPlan(p), leftOut(p))
	for _, d := range result.Detached {
		text := d.String()
		if err := x.say(strings.ToUpper(text[:1]) + text[1:] + " and is not attached again."); err != nil {
			return err
		}
	}
	if advice := nextStep(result); advice != "" {
		if err := x.say(advice); err != nil {
			return err
		}
	}
	if outcome != nil {
		return outcome
	}
	if err := x.retire(ctx); err != nil || !x.trust.verify {
		return err
	}
	return x.verify(ctx)
}

// nextStep says what to do about a run that did not finish, "" where the errors
// say it all.
func nextStep(r *execute.Report) string {
	switch {
	case r.Resumable && slices.ContainsFunc(r.Results, func(x *execute.Result) bool { return x.Unknown }):
		return "Run `kongctl resume` to check these changes and continue."
	case r.Resumable:
		return "Run `kongctl resume` to continue."
	}
	return ""
}

func (x *execution) say(line string) error {
	if _, err := fmt.Fprintln(x.streams.err, terminal.Block(line)); err != nil {
		return fmt.Errorf("write standard error: %w", disk.Cause(err))
	}
	return nil
}

// runRequest is the plan to carry out.
func (x *execution) runRequest() (runRequest, error) {
	document, err := x.planned.document()
	return runRequest{
		plan: x.planned.plan, document: document, dir: x.planned.dir, bases: x.planned.bases, saved: x.planFile != "" || x.unfinished != nil, read: x.planned.read,
		onDrift: x.trust.onDrift, goOnAfterDeck: x.onDeckFailure == deckContinue, unfinished: x.unfinished, checked: x.checked,
	}, err
}

// shown is the plan to show and to ask for: of a run that is continued, what is
// left of it.
func (x *execution) shown() *plan.Plan {
	if x.remaining != nil {
		return x.remaining
	}
	return x.planned.plan
}

// retire discards the journals of older runs that this one covers.
func (x *execution) retire(ctx context.Context) error {
	if x.engine == nil {
		return nil // nothing was read
	}
	ids, err := x.engine.retire(ctx, x.planned.plan, x.id)
	if err != nil || len(ids) == 0 {
		return err
	}
	if len(ids) == 1 {
		return x.say("Discarded the journal of the unfinished run " + ids[0] + ", which this run supersedes.")
	}
	return x.say(fmt.Sprintf("Discarded the journals of %d unfinished runs, which this run supersedes.", len(ids)))
}

// How long to wait before looking again, at first and at most.
const (
	verifyWait        = 500 * time.Millisecond
	longestVerifyWait = 4 * time.Second
)

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

// verify looks again after a run: of a configuration a new plan must be empty,
// of a saved plan every change must be done.
func (x *execution) verify(ctx context.Context) error {
	for wait := verifyWait; ; wait *= 2 {
		left, err := x.left(ctx)
		if err != nil {
			return err
		}
		if len(left) == 0 {
			_, err := fmt.Fprintln(x.streams.err, "Verified: nothing is left to change.")
			return err
		}
		if wait > longestVerifyWait {
			return &planError{&restlessError{left}}
		}
		// What was written may not be seen at once.
		if err := x.factory.world.sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// left are the changes that a look after the run still finds.
func (x *execution) left(ctx context.Context) ([]*plan.Change, error) {
	if x.planFile != "" || x.unfinished != nil {
		return x.undone(ctx)
	}
	again, err := x.engine.plan(ctx, x.request())
	if err != nil {
		return nil, err
	}
	return again.plan.Changes, nil
}

// undone are the changes of the plan whose result is not seen.
func (x *execution) undone(ctx context.Context) ([]*plan.Change, error) {
	found, err := x.engine.check(ctx, runRequest{plan: x.planned.plan, dir: x.planned.dir, bases: x.planned.bases})
	if err != nil {
		return nil, err
	}
	return x.planned.plan.Only(func(c *plan.Change) bool { return found.finding.Done[c.ID] == nil }).Changes, nil
}

// request is what the flags ask for.
func (o *executeOptions) request() planRequest {
	return planRequest{sources: o.sources, scope: o.scope, mode: o.mode, adopt: o.adopt}
}

// prepare makes the plan, or reads the saved one.
func (x *execution) prepare(ctx context.Context) error {
	if x.planFile != "" {
		p, err := loadPlan(x.factory, x.planFile)
		if err != nil {
			return err
		}
		x.planned = p
		if err := executable(p.plan, x.mode); err != nil {
			return err
		}
		if err := x.factory.fresh("the plan was created", p.plan.Metadata.GeneratedAt); err != nil {
			return err
		}
		if p.bases, err = x.bases(p.dir); err != nil {
			return err
		}
		return x.factory.validate(p.plan)
	}
	if err := x.open(); err != nil {
		return err
	}
	p, err := x.engine.plan(ctx, x.request())
	x.display.pause()
	if err != nil {
		return err
	}
	printDiagnostics(x.streams.err, p.warnings)
	x.planned = p
	return nil
}

func (x *execution) open() error {
	if !x.noLock && !x.dryRun {
		var err error
		if x.locks, err = x.factory.newLocks(x.display.sink); err != nil {
			return err
		}
	}
	e, err := x.factory.newEngine(engineOptions{local: x.connect.local, sink: x.display.sink, locks: x.locks})
	if err != nil {
		return err
	}
	x.engine = e
	return nil
}

// show writes the plan to standard error: standard output is the report's.
func (x *execution) show() error {
	err := view.WritePlan(x.streams.err, x.shown(), view.PlanOptions{Style: x.factory.errStyle(), Compared: x.planned.compared})
	if err != nil {
		// Nothing may be carried out that could not be shown.
		return fmt.Errorf("write standard error: %w", disk.Cause(err))
	}
	return nil
}

func (x *execution) approve(ctx context.Context) error {
	n := len(x.shown().Changes)
	question := fmt.Sprintf("Do you want to carry out these %d changes?", n)
	if n == 1 {
		question = "Do you want to carry out this change?"
	}
	stdinIsInput := x.planFile == "-" || x.sources.readsStdin()
	return x.factory.world.streams.confirm(ctx, question, stdinIsInput)
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
	if r.DryRun || r.Total > 0 {
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
	if r.Succeeded == r.Total {
		return nil // what was left out is not among the changes
	}
	e := &incompleteError{done: r.Succeeded, failed: r.Failed, skipped: r.Skipped, total: r.Total, leftOut: r.LeftOut}
	for _, c := range r.Results {
		if c.Err != nil {
			e.causes = append(e.causes, c.Err)
		}
	}
	return e
}
