package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/event"
	"kongctl/internal/execute"
	"kongctl/internal/gateway"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
	"kongctl/internal/plan"
	"kongctl/internal/source"
)

// journalFolder is where unfinished runs are kept.
func (f *factory) journalFolder() (string, error) {
	state, err := f.world.folder("XDG_STATE_HOME", ".local", "state")
	if err != nil {
		return "", err
	}
	return filepath.Join(state, "kongctl", "journal"), nil
}

// journals lists the journals of unfinished runs, the oldest first.
func (f *factory) journals() ([]string, error) {
	folder, err := f.journalFolder()
	if err != nil {
		return nil, err
	}
	return execute.Journals(folder)
}

// journal opens the journal of the run to continue, or starts a new one.
func (p *pipeline) journal(r runRequest) (*execute.Journal, error) {
	now := p.factory.world.now
	if r.unfinished != nil {
		return execute.Reopen(r.unfinished.File, now)
	}
	folder, err := p.factory.journalFolder()
	if err != nil {
		return nil, err
	}
	j, err := execute.NewJournal(folder, r.document, source.Folders{Dir: r.dir, Bases: r.bases}, now)
	if err != nil {
		return nil, stateError(err)
	}
	return j, nil
}

// running returns the locks that say which runs are running, also for a run that
// waits for no other.
func (p *pipeline) running() (*locks, error) {
	if p.locks != nil {
		return p.locks, nil
	}
	return p.factory.newLocks(p.sink)
}

// journalled carries a plan out and keeps a journal of it until all is done.
func (p *pipeline) journalled(ctx context.Context, in execute.Input, j *execute.Journal) (*execute.Report, error) {
	in.Begin, in.Record, in.Abort = j.Begin, j.Record, p.factory.world.interrupts.aborted()
	report, err := execute.Run(ctx, in, p.sink)
	if err != nil {
		return nil, errors.Join(err, j.Close(in.Unfinished == nil)) // nothing was started
	}
	report.Resumable = resumable(report) || len(report.Detached) > 0
	if err := j.Close(over(report, in.Unfinished != nil)); err != nil {
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
	return r.Failed == 0 || !continued && untouched(r)
}

// resumable reports whether resume can finish a run: not what Konnect rejects
// for what it says, not what changed in Konnect, and not what a decK file is to
// blame for, because resume refuses changed inputs.
func resumable(r *execute.Report) bool {
	if r.Succeeded == r.Total {
		return false
	}
	if r.Interrupted || r.Stopped != "" {
		return true
	}
	return slices.ContainsFunc(r.Results, func(x *execute.Result) bool {
		var moved *execute.MovedError
		return x.Status == execute.Failed && !resource.Rejected(x.Err) && !ofDeckFile(x.Err) && !errors.As(x.Err, &moved)
	})
}

// ofDeckFile reports whether a decK file is wrong by what it says.
func ofDeckFile(err error) bool {
	var failed *gateway.Error
	return errors.As(err, &failed) && (failed.File || resource.Rejected(failed.Err))
}

// untouched reports whether a run surely left Konnect as it was.
func untouched(r *execute.Report) bool {
	return r.Succeeded == 0 && !slices.ContainsFunc(r.Results, func(x *execute.Result) bool {
		return x.Unknown || len(x.GatewayChanges) > 0
	})
}

// unfinished reads the journals of runs in this organization. What cannot be
// read must not keep others from working: a run that cannot keep its own journal
// does not start.
func (p *pipeline) unfinished(ctx context.Context, s *session) ([]*execute.Unfinished, error) {
	return p.journals(ctx, s, execute.Journals)
}

// journals reads the journals that a function lists, of runs in this
// organization.
func (p *pipeline) journals(ctx context.Context, s *session, list func(folder string) ([]string, error)) ([]*execute.Unfinished, error) {
	log, err := p.factory.logger()
	if err != nil {
		return nil, err
	}
	folder, err := p.factory.journalFolder()
	var names []string
	if err == nil {
		names, err = list(folder)
	}
	if err != nil {
		log.InfoContext(ctx, "journals are not read", slog.String("error", err.Error()))
	}
	if len(names) == 0 {
		return nil, nil
	}
	here, err := s.here(ctx)
	if err != nil {
		return nil, err
	}
	var out []*execute.Unfinished
	for _, name := range names {
		u, err := execute.ReadJournal(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // that run has just ended
		}
		if err != nil {
			p.unreadable(name, err)
			continue
		}
		if p.settled(u) {
			_ = os.Remove(u.File) // the next run tries again
			continue
		}
		if u.Plan.Metadata.Organization.Same(here) == nil {
			out = append(out, u)
		}
	}
	return out, nil
}

// unreadable warns of a journal that cannot be read, once.
func (p *pipeline) unreadable(name string, err error) {
	id := execute.JournalID(name)
	if p.warned[id] {
		return
	}
	if p.warned == nil {
		p.warned = map[string]bool{}
	}
	p.warned[id] = true
	p.sink(event.Warning{Text: fmt.Sprintf("the journal of the unfinished run %s cannot be read and is ignored: %v; `kongctl resume --discard %s` removes it", id, err, id)})
}

// made lists what unfinished runs created, and others a moment ago, so that it is
// not created again.
func (p *pipeline) made(ctx context.Context, s *session, cat *catalog.Catalog) ([]live.Made, error) {
	runs, err := p.unfinished(ctx, s)
	if err != nil {
		return nil, err
	}
	recent, err := p.recent(ctx, s)
	if err != nil {
		return nil, err
	}
	deleted := map[string]bool{}
	var out []live.Made
	for _, u := range append(runs, recent...) {
		for _, id := range u.Deleted() {
			deleted[id] = true
		}
		out = append(out, u.Made(cat, p.factory.readable, p.factory.world.now)...)
	}
	return slices.DeleteFunc(out, func(m live.Made) bool { return deleted[m.ID] }), nil
}

// recent reads the journals of runs in this organization that were finished a
// moment ago: reads may not show yet what they created. Older ones are removed.
func (p *pipeline) recent(ctx context.Context, s *session) ([]*execute.Unfinished, error) {
	return p.journals(ctx, s, execute.Finished)
}

// settled reports whether a journal is of a finished run, in any organization,
// whose results every read shows by now.
func (p *pipeline) settled(u *execute.Unfinished) bool {
	return execute.IsFinished(u.File) && p.factory.world.now().Sub(u.LastWrite()) >= resource.Settle
}

// retire discards the journals that a complete run makes obsolete: runs older
// than its id in the same organization, over namespaces and types that it
// covers.
func (p *pipeline) retire(ctx context.Context, done *plan.Plan, id string) ([]string, error) {
	if p.session == nil || !complete(done) {
		return nil, nil
	}
	cat, err := p.factory.catalog()
	if err != nil {
		return nil, err
	}
	runs, err := p.unfinished(ctx, p.session)
	if err != nil {
		return nil, err
	}
	locks, err := p.running()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, u := range runs {
		if u.ID >= id || !covers(cat, done, u.Plan) || p.leavesDetached(done, u) {
			continue
		}
		if _, running := locks.runner(u.File); running {
			continue // without a lock on its namespaces
		}
		if err := os.Remove(u.File); err != nil {
			return out, fmt.Errorf("discard journal: %w", err)
		}
		out = append(out, u.ID)
	}
	return out, nil
}

// complete reports whether a plan leaves nothing of its scope out.
func complete(p *plan.Plan) bool {
	m := p.Metadata
	return (m.Mode == plan.ModeSync || m.Mode == plan.ModeApply) && !m.Inverse && m.Filters == nil &&
		len(p.Errors)+len(p.Blocked)+len(p.Pending) == 0
}

// covers reports whether what a plan looked at holds all that another changes.
// An apply looks at what it declares only.
func covers(cat *catalog.Catalog, p, older *plan.Plan) bool {
	declared := map[string]bool{}
	for ref := range p.Metadata.ReferenceMappings {
		declared[ref] = true
	}
	for _, c := range p.Changes {
		declared[c.ResourceRef] = true
	}
	for _, ns := range older.Metadata.SyncScope.Namespaces {
		if !slices.Contains(p.Metadata.SyncScope.Namespaces, ns) {
			return false
		}
	}
	for _, c := range older.Changes {
		if p.Metadata.Mode == plan.ModeApply && !declared[c.ResourceRef] && !declared[c.ResourceType+":"+c.ResourceRef] {
			return false
		}
		kind := c.ResourceType
		if c.Action == plan.ExternalTool && c.Parent != nil {
			kind = c.Parent.Type
		}
		t := cat.Kind(kind)
		for t != nil && t.Parent != nil {
			t = t.Parent
		}
		if t == nil || !slices.Contains(p.Metadata.SyncScope.ResourceTypes, t.Kind) {
			return false
		}
	}
	return true
}
