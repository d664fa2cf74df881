package execute

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/source"
)

// A journal is a file of JSON lines: the plan first, then a line before every
// change is sent and a line with its result. It holds no secret, because a plan
// holds none, and exists only while something is left to do.

// journalLine is one line; which part is set says what it is.
type journalLine struct {
	Version int    `json:"journal,omitempty"`
	Started string `json:"started_at,omitempty"`
	Dir     string `json:"dir,omitempty"`
	// Bases are the folders that the plan's files may be read from.
	Bases []string `json:"bases,omitempty"`
	// Plan is the document as text: its seal covers every byte.
	Plan    string   `json:"plan,omitempty"`
	Attempt *Attempt `json:"attempt,omitempty"`
	Result  *Result  `json:"result,omitempty"`
	Finish  *Finish  `json:"finish,omitempty"`
	At      string   `json:"at,omitempty"`
}

// Attempt is a change that is about to be sent.
type Attempt struct {
	ChangeID string `json:"change_id"`
	// Ancestors are the ids above its resource, root first.
	Ancestors []string  `json:"ancestors,omitempty"`
	At        time.Time `json:"-"`
}

const (
	journalVersion   = 1
	journalExtension = ".journal"
	// finishedExtension is that of a run that has just been finished.
	finishedExtension = ".finished"
)

// IDAt returns the id of a run that starts at a time. Ids sort by time.
func IDAt(t time.Time) string { return t.UTC().Format("20060102T150405.000000000Z") }

// Journal keeps the results of a run.
type Journal struct {
	file *os.File
	info os.FileInfo
	now  func() time.Time

	mu    sync.Mutex
	lines int // that this process has written

	flushing sync.Mutex // held while waiting for the disk
	flushed  int        // lines that are on disk
	flushErr error
}

// NewJournal starts a journal in a folder. The plan is its document, dir what
// paths in it are relative to. The file appears with its first line.
func NewJournal(folder string, document []byte, at source.Folders, now func() time.Time) (*Journal, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	began := now()
	line, err := json.Marshal(journalLine{Version: journalVersion, Started: began.UTC().Format(time.RFC3339), Dir: at.Dir, Bases: at.Bases, Plan: string(document)})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(folder, IDAt(began)+journalExtension)
	for n := 1; ; n++ { // two runs may start in one moment
		if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
			break
		}
		name = filepath.Join(folder, fmt.Sprintf("%s-%d%s", IDAt(began), n, journalExtension))
	}
	if err := createWhole(name, append(line, '\n')); err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	return Reopen(name, now)
}

// createWhole writes a file that others see only when it is complete.
func createWhole(name string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is of no use
	}
	return err
}

// Reopen opens a journal to append to. A last line that was cut off is removed
// first: its result was not acknowledged to anything.
func Reopen(name string, now func() time.Time) (*Journal, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	if whole := int64(len(wholeLines(raw))); whole < int64(len(raw)) {
		err = errors.Join(f.Truncate(whole), f.Sync())
	}
	info, serr := f.Stat()
	if err = errors.Join(err, serr); err != nil {
		return nil, errors.Join(fmt.Errorf("open journal: %w", err), f.Close())
	}
	return &Journal{file: f, info: info, now: now}, nil
}

// Name returns the path of the file.
func (j *Journal) Name() string { return j.file.Name() }

// Begin keeps that a change is about to be sent. The end of this process does
// not lose the line.
func (j *Journal) Begin(a *Attempt) error { return j.write(journalLine{Attempt: a}, false) }

// Record keeps a result; it is on disk when Record returns.
func (j *Journal) Record(r *Result) error { return j.write(journalLine{Result: r}, true) }

// Finished keeps that a driver has finished; it is on disk when Finished returns.
func (j *Journal) Finished(f *Finish) error { return j.write(journalLine{Finish: f}, true) }

// Close ends the journal. When nothing is left to do it stays under another name
// until reads must show what the run created.
func (j *Journal) Close(finished bool) error {
	err := j.file.Close()
	if !finished {
		return err
	}
	done := strings.TrimSuffix(j.file.Name(), journalExtension) + finishedExtension
	if gone := os.Rename(j.file.Name(), done); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

func (j *Journal) write(l journalLine, sync bool) error {
	n, err := j.add(l)
	if err != nil || !sync {
		return err
	}
	return j.flush(n)
}

// add writes a line and returns how many there are.
func (j *Journal) add(l journalLine) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	l.At = j.now().UTC().Format(time.RFC3339Nano)
	raw, err := json.Marshal(l)
	if err != nil {
		return 0, err
	}
	if err := j.there(); err != nil {
		return 0, err
	}
	if _, err := j.file.Write(append(raw, '\n')); err != nil {
		return 0, fmt.Errorf("write journal: %w", err)
	}
	j.lines++
	return j.lines, nil
}

// flush returns when the first n lines are on disk. Those who come while another
// waits for the disk share the next wait.
func (j *Journal) flush(n int) error {
	j.flushing.Lock()
	defer j.flushing.Unlock()
	if j.flushErr != nil || j.flushed >= n {
		return j.flushErr
	}
	j.mu.Lock()
	lines := j.lines
	j.mu.Unlock()
	if err := j.file.Sync(); err != nil {
		// Later calls may succeed although what came before is lost.
		j.flushErr = fmt.Errorf("write journal: %w", err)
		return j.flushErr
	}
	j.flushed = lines
	return nil
}

// there reports that the file was removed: what is written to it would be lost.
func (j *Journal) there() error {
	info, err := os.Stat(j.file.Name())
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && !os.SameFile(info, j.info):
		return fmt.Errorf("write journal: %s was removed", j.file.Name())
	case err != nil:
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}
