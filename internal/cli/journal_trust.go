package cli

import (
	"fmt"
	"path/filepath"

	"kongctl/internal/disk"
	"kongctl/internal/execute"
	"kongctl/internal/plan"
)

// own reports whether a journal is in the folder where kongctl keeps them, which
// only its user can write to: kongctl wrote it, after it had checked the plan. A
// journal from elsewhere is trusted no more than a saved plan.
func (o *executeOptions) own(u *execute.Unfinished) (bool, error) {
	folder, err := o.factory.journalFolder()
	if err != nil {
		return false, err
	}
	return disk.Real(filepath.Dir(u.File)) == disk.Real(folder), nil
}

// trustJournal checks the plan of a journal. A run without a saved plan has no
// signature; the age of a run counts from its start.
func (o *executeOptions) trustJournal(u *execute.Unfinished) error {
	own, err := o.own(u)
	if err != nil {
		return err
	}
	key, err := o.factory.verifyKey()
	if err != nil {
		return err
	}
	signed, err := plan.Signed(u.Document)
	switch {
	case err != nil:
	case own && (key == nil || !signed && !o.factory.flags.Changed("verify-key")):
		err = plan.VerifySeal(u.Document)
	default:
		err = plan.Verify(u.Document, key)
	}
	if err != nil {
		return &planError{fmt.Errorf("journal %s: %w", u.ID, err)}
	}
	started := u.Started
	if !own {
		started = u.Plan.Metadata.GeneratedAt
	}
	return o.factory.fresh("the run started", started)
}

// wayOut adds how to go on without a journal that cannot be continued.
func (o *executeOptions) wayOut(path string, err error) error {
	u := &execute.Unfinished{File: path}
	if own, oerr := o.own(u); oerr != nil || !own {
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
func (o *executeOptions) journalBases(u *execute.Unfinished) ([]string, error) {
	own, err := o.own(u)
	if err != nil {
		return nil, err
	}
	if own {
		return o.bases(append([]string{u.Dir}, u.Bases...)...)
	}
	out, err := o.bases()
	if out == nil {
		out = []string{} // nothing may be read
	}
	return out, err
}
