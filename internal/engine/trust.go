package engine

import (
	"crypto/ed25519"
	"fmt"
	"path/filepath"
	"time"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// Trust says which plans from elsewhere may be carried out.
type Trust struct {
	// Key returns the key that they must be signed with; nil means none.
	Key func() (ed25519.PublicKey, error)
	// Signed says that a journal of kongctl's own must be signed, too.
	Signed bool
	// MaxAge returns how old they may be, 0 for any age, and how that is written.
	MaxAge func() (time.Duration, string, error)
}

// own reports whether a journal is in the folder where kongctl keeps them, which
// only its user can write to: kongctl wrote it, after it had checked the plan. A
// journal from elsewhere is trusted no more than a saved plan.
func (h Host) own(u *execute.Unfinished) (bool, error) {
	folder, err := h.JournalFolder()
	if err != nil {
		return false, err
	}
	return disk.Real(filepath.Dir(u.File)) == disk.Real(folder), nil
}

// trustJournal checks the plan of a journal. A run without a saved plan has no
// signature; the age of a run counts from its start.
func (h Host) trustJournal(u *execute.Unfinished, t Trust) error {
	own, err := h.own(u)
	if err != nil {
		return err
	}
	key, err := t.Key()
	if err != nil {
		return err
	}
	signed, err := plan.Signed(u.Document)
	switch {
	case err != nil:
	case own && (key == nil || !signed && !t.Signed):
		err = plan.VerifySeal(u.Document)
	default:
		err = plan.Verify(u.Document, key)
	}
	if err != nil {
		return &PlanError{fmt.Errorf("journal %s: %w", u.ID, err)}
	}
	started := u.Started
	if !own {
		started = u.Plan.Metadata.GeneratedAt
	}
	return h.fresh(t, "the run started", started)
}

// wayOut adds how to continue without a journal that cannot be continued.
func (h Host) wayOut(path string, err error) error {
	u := &execute.Unfinished{File: path}
	if own, oerr := h.own(u); oerr != nil || !own {
		return err
	}
	return &wayOutError{err, execute.JournalID(path)}
}

// wayOutError is a run that cannot be continued, and what to do about that.
type wayOutError struct {
	err error
	id  string
}

func (e *wayOutError) Error() string {
	return fmt.Sprintf("%v\n  This run cannot be continued. `kongctl resume --discard %s` forgets it; then run the original command again.", e.err, e.id)
}

func (e *wayOutError) Unwrap() error { return e.err }

// journalBases are the folders that the plan's files may be read from.
func (h Host) journalBases(u *execute.Unfinished, baseDir string) ([]string, error) {
	own, err := h.own(u)
	if err != nil {
		return nil, err
	}
	if own {
		return h.bases(baseDir, append([]string{u.Dir}, u.Bases...)...)
	}
	out, err := h.bases(baseDir)
	if out == nil {
		out = []string{} // nothing may be read
	}
	return out, err
}
