package execute

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
)

// MissingError is a value that a change sends and that cannot be had here. It names
// the field, and the variable or file; never a value.
type MissingError struct {
	Field string
	// Secret reports whether the value is a secret.
	Secret bool
	Err    error
}

func (e *MissingError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns why it cannot be had.
func (e *MissingError) Unwrap() error { return e.Err }

// unreadError is an environment variable that cannot be read: it is not set, or why says
// what it holds that no plan may read.
type unreadError struct{ variable, why string }

func (e *unreadError) Error() string {
	if !diag.Withheld(e.why) {
		return "the environment variable " + e.variable + " is not set"
	}
	return fmt.Sprintf("the environment variable %s %s, and no plan may read it", e.variable, e.why)
}

// lack says of a field of a change why its value cannot be had.
func lack(c *plan.Change, field string, secret bool, err error) *MissingError {
	if unread := (*unreadError)(nil); errors.As(err, &unread) {
		code, says, fix := diag.Unread("", unread.variable, unread.why)
		_, says, _ = strings.Cut(says, unread.variable+", ")
		err = NewMisfit(err, Misfit{
			Change: c, Field: field, From: "the environment variable " + unread.variable, Says: strings.TrimSuffix(says, "."), Fix: fix, Code: string(code),
		})
	}
	return &MissingError{Field: field, Secret: secret, Err: err}
}

// Missing are values that cannot be had here.
type Missing []*MissingError

func (m Missing) Error() string { return errors.Join(m.Unwrap()...).Error() }

// Unwrap returns them one by one.
func (m Missing) Unwrap() []error {
	var out []error
	for _, x := range m {
		out = append(out, x)
	}
	return out
}

// err is the error of what is missing; nil where nothing is.
func (m Missing) err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// problems are why changes cannot be carried out, in the plan's order. Settled reports
// whether a change need not be sent: then it lacks nothing.
func (b *book) problems(settled func(id string) bool) error {
	var out []error
	for _, c := range b.in.Plan.Changes {
		call := b.calls[c.ID]
		problem := call.Problem
		if problem == nil && !settled(c.ID) {
			problem = call.Missing.err()
		}
		for _, err := range each(problem) {
			out = append(out, fmt.Errorf("%s: %w", placed(call), err))
		}
	}
	return errors.Join(out...)
}

// each returns missing values one by one, and any other error as it is.
func each(problem error) []error {
	var missing Missing
	switch {
	case problem == nil:
		return nil
	case errors.As(problem, &missing):
		return missing.Unwrap()
	default:
		return []error{problem}
	}
}

// placed names a change and where it is declared.
func placed(c *Call) string {
	if s := c.Change.Source; s != nil && s.File != "" {
		return fmt.Sprintf("%s (%s:%d)", c.Name, s.File, s.Line)
	}
	return c.Name
}
