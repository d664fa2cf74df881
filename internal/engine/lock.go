package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/event"
)

// LockPause is how long to wait before trying a lock again.
const LockPause = 100 * time.Millisecond

// Locks keep runs on this machine apart that would change the same resources.
// The system gives a lock back when its process ends, however that happens.
type Locks struct {
	folder  string
	command string // that holds them, without its arguments
	pid     int
	after   func(time.Duration) <-chan time.Time
	sink    event.Sink
	held    map[string]*flock.Flock // by file
}

// holder is what a lock says about the process that holds it.
type holder struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

func (h holder) String() string {
	if h.PID == 0 {
		return "another kongctl"
	}
	return fmt.Sprintf("%s (process %d)", h.Command, h.PID)
}

// Locks makes the locks of a run, to be released when it ends.
func (h Host) Locks(sink event.Sink) (*Locks, error) {
	state, err := h.State()
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	return &Locks{
		folder: filepath.Join(state, "lock"), command: h.Command, pid: os.Getpid(),
		after: h.After, sink: sink, held: map[string]*flock.Flock{},
	}, nil
}

// namespaces takes the locks of the namespaces of an organization.
func (l *Locks) namespaces(ctx context.Context, organization string, names []string) error {
	if l == nil {
		return nil
	}
	if len(names) == 0 {
		return l.Take(ctx, "the organization", organization)
	}
	for _, name := range slices.Sorted(slices.Values(names)) { // the same order everywhere, so that no two wait for each other
		if err := l.Take(ctx, "namespace "+name, organization, name); err != nil {
			return err
		}
	}
	return nil
}

// Take waits for the lock that stands for some words. It may be held already.
func (l *Locks) Take(ctx context.Context, what string, words ...string) error {
	if l == nil {
		return nil
	}
	file := l.file(words)
	if l.held[file] != nil {
		return nil
	}
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return lockError(err)
	}
	lock := flock.New(file, flock.SetPermissions(0o600))
	for waiting := false; ; waiting = true {
		ok, err := lock.TryLock()
		if err != nil {
			return lockError(err)
		}
		if ok {
			break
		}
		if !waiting {
			l.sink(event.Waiting{Holder: readHolder(file).String(), What: what})
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.after(LockPause):
		}
	}
	l.held[file] = lock
	return l.sign(file)
}

// journalWords stand for the run of a journal, whatever way leads to its folder.
func journalWords(path string) []string {
	return []string{"journal", filepath.Join(disk.Real(filepath.Dir(path)), filepath.Base(path))}
}

// claim takes the lock of a run's journal if it is free, so that others see that
// it is running; no run depends on that.
func (l *Locks) claim(path string) {
	file := l.file(journalWords(path))
	if l.held[file] != nil || os.MkdirAll(l.folder, 0o700) != nil {
		return
	}
	lock := flock.New(file, flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); ok && err == nil {
		l.held[file] = lock
		_ = l.sign(file) // others then do not see who it is
	}
}

// runner returns the process that carries out the run of a journal, and whether
// there is one.
func (l *Locks) runner(path string) (holder, bool) {
	file := l.file(journalWords(path))
	if l.held[file] != nil {
		return holder{}, false // it is this one
	}
	if _, err := os.Stat(file); err != nil {
		return holder{}, false
	}
	lock := flock.New(file, flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err != nil {
		return holder{}, false
	}
	if ok {
		_ = lock.Unlock() // nobody waits for it for long
		return holder{}, false
	}
	return readHolder(file), true
}

func (l *Locks) file(words []string) string {
	raw, _ := json.Marshal(words) // texts have a JSON form
	sum := sha256.Sum256(raw)
	return filepath.Join(l.folder, hex.EncodeToString(sum[:12])+".lock")
}

// sign says who holds a lock, in a file of its own: some systems let nobody read
// one that is locked.
func (l *Locks) sign(file string) error {
	raw, err := json.Marshal(holder{PID: l.pid, Command: l.command})
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".holder", raw, 0o600); err != nil {
		return lockError(err)
	}
	return nil
}

func readHolder(file string) (h holder) {
	raw, err := os.ReadFile(file + ".holder")
	if err != nil || json.Unmarshal(raw, &h) != nil {
		return holder{} // it has not signed yet
	}
	return h
}

// Release gives all locks back. The files stay: another run may be about to lock
// them.
func (l *Locks) Release() error {
	var errs []error
	for file, lock := range l.held {
		_ = os.Remove(file + ".holder") // it says nothing once the lock is free
		errs = append(errs, lock.Unlock())
	}
	l.held = map[string]*flock.Flock{}
	return errors.Join(errs...)
}

func lockError(err error) error {
	return stateError(fmt.Errorf("create lock: %w", err))
}

// stateError says what to do when nothing can be kept in the state folder.
func stateError(err error) error {
	return fmt.Errorf("%w; set XDG_STATE_HOME to a folder that can be written to", err)
}
