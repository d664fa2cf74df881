package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// UsageError is a request that cannot be carried out as it is written. The hint
// says what to type.
type UsageError struct{ Message, Hint string }

func (e *UsageError) Error() string { return e.Message }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// WithHint adds what to type instead.
func (e *UsageError) WithHint(format string, args ...any) *UsageError {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// PlanError is a plan that cannot be carried out, here or in this way.
type PlanError struct{ Err error }

func (e *PlanError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *PlanError) Unwrap() error { return e.Err }

// PlanFileError is an error about a saved plan, with the name of its file.
type PlanFileError struct {
	File string
	Err  error
}

func (e *PlanFileError) Error() string { return "plan " + e.File + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *PlanFileError) Unwrap() error { return e.Err }

// OfPlanFile names the file of a saved plan in an error that is about the plan: it
// cannot be carried out, here or in this way.
func OfPlanFile(file string, err error) error {
	var (
		named     *PlanFileError
		unfit     *PlanError
		invalid   *plan.InvalidError
		elsewhere *execute.PlaceError
	)
	if file == "" || err == nil || errors.As(err, &named) || !errors.As(err, &unfit) && !errors.As(err, &invalid) && !errors.As(err, &elsewhere) {
		return err
	}
	return &PlanFileError{File: file, Err: err}
}

// MovedError says that Konnect is not what a plan expects.
type MovedError struct {
	Moved []execute.Moved
	// Where names what has changed.
	Where string
	// Resumed is the run that cannot be continued; "" for a plan.
	Resumed string
	// Foreign reports whether another program wrote the plan: it is executed as a
	// whole.
	Foreign bool
}

func (e *MovedError) Error() string {
	where := cmp.Or(e.Where, "Konnect")
	if rest, ok := strings.CutPrefix(where, "The "); ok {
		where = "the " + rest
	}
	return strings.Join(append([]string{where}, e.variables()...), " or ") + " has changed since this plan was created; nothing was changed"
}

// variables are those that every difference may come from, as people write them: a
// plan that ran before meets what it made of their former values.
func (e *MovedError) variables() []string {
	var out []string
	for _, m := range e.Moved {
		if len(m.Fields) == 0 {
			return nil
		}
		for _, f := range m.Fields {
			names := m.Change.VariablesIn(f.Field)
			if f.Of != "" || len(names) == 0 {
				return nil
			}
			for _, name := range names {
				out = append(out, "$"+name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
