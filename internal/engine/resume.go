package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// ListRunsHint says how to find the ids of runs.
const ListRunsHint = "`kongctl resume --list` lists unfinished runs."

// FindRun returns the journal of a run by its id or the beginning of it, or by
// its path.
func (h Host) FindRun(word string) (string, error) {
	if strings.ContainsRune(word, filepath.Separator) {
		path, err := h.Absolute(word)
		if err == nil && !execute.IsJournal(path) {
			return "", Usagef("resume: %s is not a journal", word).WithHint(ListRunsHint)
		}
		return path, err
	}
	names, err := h.Journals()
	if err != nil {
		return "", err
	}
	var found []string
	for _, name := range names {
		id := execute.JournalID(name)
		if id == word {
			return name, nil
		}
		if strings.HasPrefix(id, word) {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("resume: %d unfinished runs have an id that starts with %s; `kongctl resume --list` lists them", len(found), word)
	}
	return "", fmt.Errorf("resume: there is no unfinished run %q; `kongctl resume --list` lists them", word)
}

// UnfinishedRun is a run that a journal is kept of.
type UnfinishedRun struct {
	ID  string
	Run *execute.Unfinished // nil where Err says why it cannot be read
	Err error
	// Running says that a process is at work on it.
	Running bool
	Process int
}

// Runs lists the unfinished runs, the oldest first.
func (h Host) Runs() ([]UnfinishedRun, error) {
	names, err := h.Journals()
	if err != nil {
		return nil, err
	}
	locks, err := h.Locks(nil)
	if err != nil {
		return nil, err
	}
	var out []UnfinishedRun
	for _, name := range names {
		u, err := h.journal(name)
		if os.IsNotExist(err) {
			continue
		}
		by, running := locks.runner(name)
		out = append(out, UnfinishedRun{ID: execute.JournalID(name), Run: u, Err: err, Running: running, Process: by.PID})
	}
	return out, nil
}

// Discard removes the journal of a run, which then cannot be continued.
func (h Host) Discard(word string) (UnfinishedRun, error) {
	path, err := h.FindRun(word)
	if err != nil {
		return UnfinishedRun{}, err
	}
	locks, err := h.Locks(nil)
	if err != nil {
		return UnfinishedRun{}, err
	}
	out := UnfinishedRun{ID: execute.JournalID(path)}
	if by, running := locks.runner(path); running {
		return out, fmt.Errorf("discard run: %s is running: %s; wait for it to end, or interrupt it", out.ID, by)
	}
	out.Run, out.Err = h.journal(path)
	if err := os.Remove(path); err != nil {
		return out, fmt.Errorf("discard run: %w", disk.Cause(err))
	}
	return out, nil
}

// ContinueRequest is a run to continue.
type ContinueRequest struct {
	// Journal is its file; "" is for the newest run of the organization that the
	// engine reaches.
	Journal string
	Trust   Trust
	// BaseDir is a folder that the plan's files may be in, besides its own.
	BaseDir string
	// SkipMoved and GoOnAfterGateway are those of a RunRequest.
	SkipMoved, GoOnAfterGateway bool
}

// Continued is what is left of a run.
type Continued struct {
	// Gone is the id of a run of which nothing is left; "" for any other.
	Gone        string
	Run         RunRequest
	Remaining   *plan.Plan
	Done, Moved int
}

// Continue finds out what is left of a run, and keeps others from continuing it.
// Of a run that another process completed or discarded, nothing is left.
func (e *Engine) Continue(ctx context.Context, r ContinueRequest) (*Continued, error) {
	if r.Journal == "" {
		var err error
		if r.Journal, err = newestHere(ctx, e); err != nil {
			return nil, err
		}
	}
	_, missing := os.Stat(r.Journal)
	if err := e.locks.Take(ctx, "run "+execute.JournalID(r.Journal), journalWords(r.Journal)...); err != nil {
		return nil, err
	}
	u, err := e.host.journal(r.Journal)
	if missing == nil && errors.Is(err, os.ErrNotExist) {
		return &Continued{Gone: execute.JournalID(r.Journal)}, nil
	}
	if err == nil {
		err = e.host.trustJournal(u, r.Trust)
	}
	if err != nil {
		return nil, e.host.wayOut(r.Journal, err)
	}
	if err := e.host.Validate(u.Plan); err != nil {
		return nil, e.host.wayOut(r.Journal, fmt.Errorf("journal %s: %w", u.ID, err))
	}
	bases, err := e.host.journalBases(u, r.BaseDir)
	if err != nil {
		return nil, err
	}
	return e.remaining(ctx, RunRequest{
		Planned: &Planned{Plan: u.Plan, Dir: u.Dir, Bases: bases, raw: u.Document},
		Saved:   true, SkipMoved: r.SkipMoved, GoOnAfterGateway: r.GoOnAfterGateway, Unfinished: u,
	})
}

// remaining looks for the results of a run in Konnect.
func (e *Engine) remaining(ctx context.Context, r RunRequest) (*Continued, error) {
	var err error
	r.Checked, err = e.check(ctx, r)
	if refused := (*PlanError)(nil); errors.As(err, &refused) {
		if other := elsewhere(ctx, e, r.Unfinished); other != nil {
			return nil, other
		}
		return nil, e.host.wayOut(r.Unfinished.File, err)
	}
	if err != nil {
		return nil, err
	}
	if err := r.Checked.drift(r); err != nil {
		return nil, err
	}
	finding := r.Checked.Finding
	moved := map[string]bool{}
	for _, m := range finding.Moved {
		moved[m.Change.ID] = true
	}
	left := r.Planned.Plan.Only(func(c *plan.Change) bool { return finding.Done[c.ID] == nil && !moved[c.ID] })
	return &Continued{Run: r, Remaining: left, Done: len(finding.Done), Moved: len(moved)}, nil
}
