package execute

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/plan"
)

// Unfinished is what a journal says of a run that did not end.
type Unfinished struct {
	// ID names the run, File is its journal.
	ID, File string
	Plan     *plan.Plan
	// Document is the plan as it was written, with its seal.
	Document []byte
	Started  string
	Dir      string
	// Bases are the folders that the plan's files may be read from.
	Bases []string
	// Attempts are the changes that were sent, Results how they ended, Ended
	// when.
	Attempts map[string]*Attempt
	Results  map[string]*Result
	Ended    map[string]time.Time
	// Finished are the resource types whose driver has finished after all that
	// was sent.
	Finished map[string]bool
}

// Done counts the changes with a recorded success.
func (u *Unfinished) Done() int {
	n := 0
	for _, r := range u.Results {
		if r.Status == Succeeded {
			n++
		}
	}
	return n
}

// Uncertain lists the changes that were sent and whose outcome is not known.
func (u *Unfinished) Uncertain() []*plan.Change {
	var out []*plan.Change
	for _, c := range u.Plan.Changes {
		if u.uncertain(c.ID) {
			out = append(out, c)
		}
	}
	return out
}

func (u *Unfinished) uncertain(id string) bool {
	r := u.Results[id]
	return u.Attempts[id] != nil && (r == nil || r.Unknown)
}

// Detached lists the updates that attach resources again and that the run did
// not get to.
func (u *Unfinished) Detached() []plan.Reattach {
	done := func(id string) bool { return u.Results[id] != nil && u.Results[id].Status == Succeeded }
	return u.Plan.Detached(func(id string) bool { return done(id) || u.uncertain(id) }, done)
}

// LastWrite returns when the last change of a run ended.
func (u *Unfinished) LastWrite() time.Time {
	var last time.Time
	for _, at := range u.Ended {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// Deleted lists the ids of what a run deleted.
func (u *Unfinished) Deleted() []string {
	var out []string
	for id, r := range u.Results {
		if r.Action == plan.Delete && r.Status == Succeeded {
			out = append(out, u.Plan.Change(id).ResourceID)
		}
	}
	return out
}

// wholeLines returns the lines of a journal without one that was cut off.
func wholeLines(raw []byte) []byte { return raw[:bytes.LastIndexByte(raw, '\n')+1] }

// ReadJournal reads a journal. A last line that was cut off is ignored.
func ReadJournal(name string) (*Unfinished, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	out := &Unfinished{
		ID: JournalID(name), File: name,
		Attempts: map[string]*Attempt{}, Results: map[string]*Result{}, Ended: map[string]time.Time{},
		Finished: map[string]bool{},
	}
	n := 0
	for line := range bytes.Lines(wholeLines(raw)) {
		n++
		if err := out.line(line); err != nil {
			return nil, fmt.Errorf("read journal %s: line %d: %w", name, n, err)
		}
	}
	if out.Plan == nil {
		return nil, fmt.Errorf("read journal %s: it does not begin with a plan", name)
	}
	return out, nil
}

func (u *Unfinished) line(raw []byte) error {
	var l journalLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return err
	}
	at, _ := time.Parse(time.RFC3339Nano, l.At) // lines of older versions have none
	switch {
	case l.Plan != "":
		if l.Version != journalVersion {
			return fmt.Errorf("unsupported version %d: this program reads version %d", l.Version, journalVersion)
		}
		p, err := plan.Parse([]byte(l.Plan))
		if err != nil {
			return err
		}
		u.Plan, u.Document, u.Dir, u.Bases, u.Started = p, []byte(l.Plan), l.Dir, l.Bases, l.Started
	case l.Attempt != nil:
		l.Attempt.At = at
		u.Attempts[l.Attempt.ChangeID] = l.Attempt
		delete(u.Results, l.Attempt.ChangeID) // of an earlier attempt
		clear(u.Finished)
	case l.Result != nil:
		u.Results[l.Result.ChangeID], u.Ended[l.Result.ChangeID] = l.Result, at
	case l.Finish != nil:
		for _, kind := range l.Finish.ResourceTypes {
			u.Finished[kind] = true
		}
	}
	return nil
}

// IsJournal reports whether a file can be the journal of an unfinished run. A
// link may lead anywhere.
func IsJournal(name string) bool {
	info, err := os.Lstat(name)
	return strings.HasSuffix(name, journalExtension) && (errors.Is(err, os.ErrNotExist) || err == nil && info.Mode().IsRegular())
}

// JournalID returns the id of a run, which its journal is named after.
func JournalID(name string) string {
	return strings.TrimSuffix(filepath.Base(name), journalExtension)
}

// Journals lists the journals of a folder, the oldest first.
func Journals(folder string) ([]string, error) { return list(folder, journalExtension) }

// Finished lists the journals of runs that have been finished lately.
func Finished(folder string) ([]string, error) { return list(folder, finishedExtension) }

// IsFinished reports whether a journal is of a run that has been finished.
func IsFinished(file string) bool { return strings.HasSuffix(file, finishedExtension) }

func list(folder, extension string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list journals: %w", err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), extension) && e.Type().IsRegular() { // a link may lead anywhere
			out = append(out, filepath.Join(folder, e.Name()))
		}
	}
	slices.Sort(out)
	return out, nil
}
