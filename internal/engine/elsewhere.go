package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// ElsewhereError says that unfinished runs belong to another organization or
// address than the one that this command reaches.
type ElsewhereError struct {
	// Runs are those of elsewhere, the newest first.
	Runs []*execute.Unfinished
	// Err is why none of them is continued.
	Err error
}

func (e *ElsewhereError) Error() string { return "resume: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ElsewhereError) Unwrap() error { return e.Err }

var errNoRun = errors.New("resume: there is no unfinished run")

// newestHere returns the journal of the newest run of the organization that an
// engine reaches. A run without Konnect belongs to no organization; its target
// compares the place.
func newestHere(ctx context.Context, e *Engine) (string, error) {
	names, err := e.host.Journals()
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", errNoRun
	}
	if err := e.targets.load(); err != nil {
		return "", err
	}
	slices.Reverse(names)
	here, unreached := sync.OnceValues(func() (plan.Organization, error) { return reached(ctx, e) }), error(nil)
	var (
		others           []*execute.Unfinished
		gone, unreadable string
	)
	for _, name := range names {
		u, err := e.host.journal(name)
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue // that run has just ended
		case err != nil:
			unreadable = cmp.Or(unreadable, name)
			continue
		case !needsKonnect(e.targets.involved(u.Plan)):
			return name, nil
		}
		at, err := here()
		switch made := u.Plan.Metadata.Organization; {
		case err == nil && made.Same(at) == nil:
			return name, nil
		case err == nil && reset(made, at):
			gone = cmp.Or(gone, name)
			continue
		}
		unreached = err
		others = append(others, u)
	}
	switch {
	case gone != "":
		return gone, nil // whoever continues it says why that is not possible
	case unreached != nil:
		return "", &ElsewhereError{Runs: others, Err: unreached}
	case len(others) > 0:
		at, _ := here() // it was reached
		return "", &ElsewhereError{Runs: others, Err: &PlanError{fmt.Errorf("there is no unfinished run in %s", at.Words())}}
	case unreadable == "":
		return "", errNoRun
	}
	return unreadable, nil
}

// reached returns the organization that an engine reaches.
func reached(ctx context.Context, e *Engine) (plan.Organization, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return plan.Organization{}, err
	}
	return s.here(ctx)
}

// reset reports whether an organization is gone: it was that of an embedded
// Konnect in the folder of another one.
func reset(made, here plan.Organization) bool {
	return made.Embedded != "" && made.Embedded == here.Embedded && made.ID != here.ID
}

// elsewhere says of a run that it belongs to another organization; nil where it
// does not, or where its organization is gone.
func elsewhere(ctx context.Context, e *Engine, u *execute.Unfinished) error {
	if !needsKonnect(e.targets.involved(u.Plan)) {
		return nil
	}
	here, err := reached(ctx, e)
	made := u.Plan.Metadata.Organization
	if err == nil && made.ID != "" && !reset(made, here) {
		if unfit := made.Same(here); unfit != nil {
			return &ElsewhereError{Runs: []*execute.Unfinished{u}, Err: &PlanError{unfit}}
		}
	}
	return nil // where Konnect is not reached, whoever asks again says why
}
