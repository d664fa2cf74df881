package engine

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// Run carries a plan out.
func (e *Engine) Run(ctx context.Context, r RunRequest) (*execute.Report, error) {
	in, err := e.input(ctx, r, false)
	if err != nil {
		return nil, err
	}
	if in.Checked = r.Planned.Read; e.stale(r) {
		if err := e.checkLive(ctx, &in, r); err != nil {
			return nil, err
		}
	}
	if r.Seed { // nobody continues it: it is whole, or nothing of it is kept
		in.Abort = e.host.Aborted()
		report, err := execute.Run(ctx, in, e.sink)
		return report, r.Planned.placed(err)
	}
	j, err := e.journal(r)
	if err != nil {
		return nil, err
	}
	if l, err := e.running(); err == nil {
		l.claim(j.Name())
	}
	report, err := e.journalled(ctx, in, j, r.Planned.unsavable == nil)
	return report, r.Planned.placed(err)
}

// input is what a run of a plan needs, or a check of it.
func (e *Engine) input(ctx context.Context, r RunRequest, check bool) (in execute.Input, err error) {
	p := r.Planned
	if err := e.targets.load(); err != nil {
		return in, err
	}
	if _, err := e.session(ctx, e.targets.involved(p.Plan)); err != nil {
		return in, err
	}
	in = execute.Input{
		Plan: p.Plan, Env: e.host.Env, Dir: p.Dir, Bases: p.Bases, Beside: p.Beside,
		Now: e.host.Now, SkipMoved: r.SkipMoved, GoOn: r.GoOnAfterGateway, CheckOnly: check, Unfinished: r.Unfinished, ShownOnce: r.ShownOnce,
	}
	if !r.Seed {
		in.Validate = e.targets.validate
	}
	if in.Concurrency, err = e.konnect.Concurrency(); err != nil {
		return in, err
	}
	in.Driver, err = e.targets.drivers(ctx, in)
	return in, err
}

// journal opens the journal of the run to continue, or starts a new one.
func (e *Engine) journal(r RunRequest) (*execute.Journal, error) {
	if r.Unfinished != nil {
		return execute.Reopen(r.Unfinished.File, e.host.Now)
	}
	folder, err := e.host.JournalFolder()
	if err != nil {
		return nil, err
	}
	document, err := r.Planned.Document()
	if err != nil {
		return nil, err
	}
	j, err := execute.NewJournal(folder, document, source.Folders{Dir: r.Planned.Dir, Bases: r.Planned.Bases}, e.host.Now)
	if err != nil {
		return nil, stateError(err)
	}
	return j, nil
}

// journalled carries a plan out and keeps a journal of it until all is done; kept
// reports whether that is of use to a later process.
func (e *Engine) journalled(ctx context.Context, in execute.Input, j *execute.Journal, kept bool) (*execute.Report, error) {
	in.Begin, in.Record, in.Finished, in.Abort = j.Begin, j.Record, j.Finished, e.host.Aborted()
	report, err := execute.Run(ctx, in, e.sink)
	if err != nil {
		return nil, errors.Join(err, j.Close(in.Unfinished == nil)) // nothing was started
	}
	report.Resumable = resumable(report) || len(report.Detached) > 0
	if report.Resumable && !kept {
		report.Resumable, report.Again = false, true
	}
	if err := j.Close(report.Again || over(report, in.Unfinished != nil)); err != nil {
		return report, err
	}
	if _, err := os.Stat(j.Name()); err != nil {
		report.Resumable = false
	}
	return report, nil
}

// over reports whether the journal of a run is of no use any more: all is done
// but what changed in Konnect, or nothing was done and nothing can be.
func over(r *execute.Report, continued bool) bool {
	if r.Resumable {
		return false
	}
	return r.Failed+r.Aborted == 0 || !continued && untouched(r)
}

// resumable reports whether resume can finish a run: not what Konnect rejects
// for what it says, not what changed in Konnect, and not what a decK file is to
// blame for, because resume refuses changed inputs.
func resumable(r *execute.Report) bool {
	if r.FinishErr != nil || r.FinishLeft {
		return true
	}
	if r.Succeeded == r.Total {
		return false
	}
	if r.Interrupted || r.Stopped != "" {
		return true
	}
	return slices.ContainsFunc(r.Results, func(x *execute.Result) bool {
		var moved *execute.MovedError
		return (x.Status == execute.Failed || x.Status == execute.Aborted || x.Err != nil) && !resource.Rejected(x.Err) && !wrongInput(x.Err) && !errors.As(x.Err, &moved)
	})
}

// Futile reports whether a change would fail again as it is, because its target
// rejects what it says. Where a file is to blame, the error says what to do.
func Futile(err error) bool { return resource.Rejected(err) && !wrongInput(err) }

// wrongInput reports whether an error is about what a file says.
func wrongInput(err error) bool {
	var w interface{ WrongInput() bool }
	return errors.As(err, &w) && w.WrongInput()
}

// untouched reports whether a run surely left Konnect as it was.
func untouched(r *execute.Report) bool {
	return r.Succeeded == 0 && !slices.ContainsFunc(r.Results, func(x *execute.Result) bool {
		return x.Unknown || len(x.GatewayChanges) > 0
	})
}
