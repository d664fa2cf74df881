package engine

import (
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/resource"
)

// placed gives values from outside the plan that are not there, or that a target would
// refuse, the place of the field that takes them. An error that has others beside them
// stays as it is.
func (p *Planned) placed(err error) error {
	found, only := misfits(err)
	if len(found) == 0 || !only {
		return err
	}
	var list diag.List
	for _, m := range found {
		list.Add(diag.Code(m.Code), p.Written(m.Change, m.Field),
			fmt.Sprintf("The %s %q takes %s from %s, %s.", resource.Words(m.Change.ResourceType), m.Change.ResourceRef, m.Field, m.From, m.Says), m.Fix)
	}
	return p.Quote(list).Err()
}

// misfits are those in an error, and whether it holds nothing else.
func misfits(err error) (found []*execute.Misfit, only bool) {
	var parts []error
	switch x := err.(type) { //nolint:errorlint // all that it holds is looked at
	case nil:
		return nil, true
	case *execute.Misfit:
		return []*execute.Misfit{x}, true
	case interface{ Unwrap() []error }:
		parts = x.Unwrap()
	default:
		inner := errors.Unwrap(err)
		if inner == nil {
			return nil, false
		}
		parts = []error{inner}
	}
	only = true
	for _, part := range parts {
		more, alone := misfits(part)
		found, only = append(found, more...), only && alone
	}
	return found, only
}
