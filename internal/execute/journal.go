package execute

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"kongctl/internal/plan"
)

// A journal is a file of JSON lines: the plan first, then every result as it
// came. It holds no secret, because a plan holds none, and is there only while
// something is left to do.

// journalLine is one line; which part is set tells what it is.
type journalLine struct {
	Version int    `json:"journal,omitempty"`
	Started string `json:"started_at,omitempty"`
	Dir     string `json:"dir,omitempty"`
	// Plan is the document as text: its seal covers every byte.
	Plan   string  `json:"plan,omitempty"`
	Result *Result `json:"result,omitempty"`
}

const journalVersion = 1

// Journal keeps the results of a run.
type Journal struct {
	mu   sync.Mutex
	file *os.File
}

// NewJournal starts a journal in a folder. The plan is its document, dir what
// paths in it are relative to.
func NewJournal(folder string, document []byte, dir string, now time.Time) (*Journal, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	name := filepath.Join(folder, now.UTC().Format("20060102T150405.000000000Z")+".journal")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	j := &Journal{file: f}
	return j, j.write(journalLine{Version: journalVersion, Started: now.UTC().Format(time.RFC3339), Dir: dir, Plan: string(document)})
}

// Reopen goes on with a journal.
func Reopen(name string) (*Journal, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return &Journal{file: f}, nil
}

// Name is the file.
func (j *Journal) Name() string { return j.file.Name() }

// Record keeps a result; it is on disk when Record returns.
func (j *Journal) Record(r *Result) error { return j.write(journalLine{Result: r}) }

// Close ends the journal. When nothing is left to do it is removed.
func (j *Journal) Close(finished bool) error {
	err := j.file.Close()
	if finished {
		err = errors.Join(err, os.Remove(j.file.Name()))
	}
	return err
}

func (j *Journal) write(l journalLine) error {
	raw, err := json.Marshal(l)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// Unfinished is what a journal says of a run that did not end.
type Unfinished struct {
	Plan *plan.Plan
	// Document is the plan as it was written, with its seal.
	Document []byte
	Started  string
	Dir      string
	Results  map[string]*Result
}

// ReadJournal reads a journal. A last line that was cut off is passed over:
// its result was not acknowledged to anything.
func ReadJournal(name string) (*Unfinished, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	out := &Unfinished{Results: map[string]*Result{}}
	in := bufio.NewReader(f)
	for n := 1; ; n++ {
		raw, rerr := in.ReadBytes('\n')
		if rerr != nil && !errors.Is(rerr, io.EOF) {
			return nil, fmt.Errorf("journal %s: %w", name, rerr)
		}
		if errors.Is(rerr, io.EOF) {
			break // no newline: nothing, or a line that was cut off
		}
		if err := out.line(raw); err != nil {
			return nil, fmt.Errorf("journal %s: line %d: %w", name, n, err)
		}
	}
	if out.Plan == nil {
		return nil, fmt.Errorf("journal %s: it does not begin with a plan", name)
	}
	return out, nil
}

func (u *Unfinished) line(raw []byte) error {
	var l journalLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return err
	}
	switch {
	case l.Plan != "":
		if l.Version != journalVersion {
			return fmt.Errorf("version %d, and this program reads %d", l.Version, journalVersion)
		}
		p, err := plan.Parse([]byte(l.Plan))
		if err != nil {
			return err
		}
		u.Plan, u.Document, u.Dir, u.Started = p, []byte(l.Plan), l.Dir, l.Started
	case l.Result != nil:
		u.Results[l.Result.ChangeID] = l.Result
	}
	return nil
}

// LatestJournal finds the newest journal of a folder.
func LatestJournal(folder string) (string, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.journal"))
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", errors.New("no run was left unfinished")
	}
	return slices.Max(names), nil
}
