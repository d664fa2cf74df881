package cli

import (
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/export"
)

// twins counts the resources that an export could not tell from others.
func twins(list diag.List) int {
	n := 0
	for _, d := range list {
		if d.Code == diag.ExpTwin {
			n++
		}
	}
	return n
}

// lossyExportError is a state that does not hold all that exists.
type lossyExportError struct{ count int }

func (e *lossyExportError) Error() string {
	return "the state is not whole: " + plural(e.count, "resource was", "resources were") + " left out, see the warnings"
}

func (e *lossyExportError) Unwrap() error { return &partialPlanError{count: e.count} }

// exportError says what to type where a type does not exist.
func exportError(err error, region string) error {
	var unknown *export.TypeError
	if !errors.As(err, &unknown) {
		if region != "" {
			return fmt.Errorf("region %s: %w", region, err)
		}
		return err
	}
	e := usagef("%v", unknown)
	if unknown.Near != "" {
		return e.WithHint("did you mean %s?", unknown.Near)
	}
	return e
}

// partialExportError is an export without what could not be read.
type partialExportError struct{ cause *partialPlanError }

func (e *partialExportError) Error() string {
	return "the export is partial: " + plural(e.cause.count, "part", "parts") + " of Konnect could not be read"
}

func (e *partialExportError) Unwrap() error { return e.cause }
