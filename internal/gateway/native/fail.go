//go:build !nonative

package native

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kong/go-database-reconciler/pkg/crud"
	"github.com/kong/go-database-reconciler/pkg/file"
	"github.com/kong/go-database-reconciler/pkg/utils"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/pattern"
)

// fail puts an error in our form.
func (s *session) fail(err error) error { return s.failAll([]error{err}, nil) }

// failAll tells first which changes failed and why; what else went wrong tells
// only when no change did.
func (s *session) failAll(errs []error, failed []failure) error {
	e := &gateway.Error{Op: s.op, Err: s.cause(errs, failed)}
	e.File = s.building && e.Err == nil
	for _, f := range s.request.Files {
		e.Files = append(e.Files, f.Name)
	}
	mask := gateway.MaskError(s.request.Secrets, gateway.SecretsIn(s.request.Files))
	explain := func(err error) string { return tidy(mask(s.explain(err))) }
	var messages []string
	for _, f := range failed {
		if s.stopped(f.err) {
			continue
		}
		text := explain(f.err)
		if f.name != "" {
			text = fmt.Sprintf("%s: %s", f.name, text)
		}
		messages = append(messages, text)
	}
	for _, err := range errs {
		if len(failed) == 0 && !s.stopped(err) {
			messages = append(messages, explain(err))
		}
	}
	if len(messages) == 0 {
		messages = []string{"it was stopped"}
	}
	s.locate(e, errs, failed, mask)
	slices.Sort(messages)
	e.Message = strings.Join(slices.Compact(messages), "; ")
	return e
}

// locate adds where in the files an error comes from.
func (s *session) locate(e *gateway.Error, errs []error, failed []failure, mask func(string) string) {
	for _, f := range failed {
		if e.Pos = s.request.Place(f.kind, f.entity); e.Pos.Line > 0 {
			return
		}
	}
	for _, err := range errs {
		var file *inFile
		var several utils.ErrArray
		if errors.As(err, &file) && errors.As(err, &several) {
			for _, one := range several.Errors {
				e.Problems = append(e.Problems, problem(file.name, one, mask))
			}
		}
		if pos := s.request.About(err.Error()); pos.Line > 0 && e.Pos.Line == 0 {
			e.Pos = pos
		}
	}
}

// problem takes the place out of what decK's schema says: keys and numbers, with
// dots between them.
func problem(file string, err error, mask func(string) string) gateway.Problem {
	var invalid *fileValidation
	text := err.Error()
	if errors.As(err, &invalid) {
		text = invalid.Err.Error()
	}
	p := gateway.Problem{File: file, Detail: mask(text)}
	place, detail, ok := strings.Cut(text, ": ")
	if !ok || strings.ContainsAny(place, " \t") {
		return p
	}
	p.Detail = mask(detail)
	if place == "(root)" {
		return p
	}
	for _, key := range strings.Split(place, ".") {
		if n, err := strconv.Atoi(key); err == nil {
			p.Path = p.Path.Index(n)
		} else {
			p.Path = p.Path.Child(key)
		}
	}
	return p
}

// fileValidation is what decK's schema says of one place.
type fileValidation = file.ValidationError

// stopped tells of an error that came of the end of the run, or of another one.
func (s *session) stopped(err error) bool {
	return errors.Is(err, errHeld) || ended(s.ctx) != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded))
}

// explain is an error without what the library puts around it. Addresses hold
// ids that differ from run to run.
func (s *session) explain(err error) string {
	var (
		refused *client.APIError
		several utils.ErrArray
		invalid *file.ValidationError
		plugin  *unknownPlugin
		action  *crud.ActionError
	)
	switch {
	case errors.As(err, &plugin):
		return plugin.Error()
	case s.gate.refused(err) != nil:
		return shorten(s.gate.refused(err))
	case errors.As(err, &refused):
		return shorten(refused)
	case unanswered(err) != "" && !errors.As(err, &several):
		return unanswered(err)
	case errors.As(err, &several):
		var texts []string
		for _, one := range several.Errors {
			texts = append(texts, s.explain(one))
		}
		before, _, _ := strings.Cut(err.Error(), several.Error())
		return before + strings.Join(texts, "; ")
	case errors.As(err, &invalid):
		// Its own text quotes the object, secrets and all.
		return invalid.Err.Error()
	case errors.As(err, &action):
		return action.Err.Error()
	}
	return strings.TrimSpace(strings.TrimPrefix(err.Error(), "while processing event: "))
}

// wrappings are what the library says of itself rather than of a file.
var wrappings = strings.NewReplacer(
	"validating file content: ", "", "unmarshaling file content: ", "", "error converting YAML to JSON: yaml: ", "",
	"building state: ", "", "(root): ", "", ": entity not found", " is not there", ": entity already exists", ", and there is another one like it",
)

var (
	inserted     = pattern.New(`inserting \S+(?: \S+)? into state: inserting (\S+) `)
	intermediate = pattern.New(`retrieve intermediate (\S+?)s? \(([^)]*)\)`)
)

// tidy puts the library's words for what is wrong with a file in plain ones, on
// one line.
func tidy(text string) string {
	text = wrappings.Replace(text)
	text = inserted.ReplaceAllString(text, "$1 ")
	text = intermediate.ReplaceAllString(text, `$1 "$2", which something refers to,`)
	return strings.Join(strings.Fields(text), " ")
}

// shorten leaves out the address of a write, which tells nothing, and of a read
// what is the same for all of them.
func shorten(e *client.APIError) string {
	_, text, _ := strings.Cut(e.Error(), e.Path+": ")
	if e.Method != "GET" {
		return text
	}
	_, list, _ := strings.Cut(e.Path, "/core-entities/")
	return "read " + list + ": " + text
}

// cause is what callers look for: what the service said, why it was not reached,
// or the end of the run. Other errors may quote files, and have been reported.
func (s *session) cause(errs []error, failed []failure) error {
	var all []error
	for _, f := range failed {
		all = append(all, f.err)
	}
	all = append(all, errs...)
	for _, err := range all {
		if refused := s.gate.refused(err); refused != nil {
			return refused
		}
		var refused *client.APIError
		if errors.As(err, &refused) {
			return refused
		}
	}
	if err := ended(s.ctx); err != nil {
		return err
	}
	for _, err := range all {
		var unreached *client.TransportError
		if errors.As(err, &unreached) {
			return unreached
		}
		var list *client.IncompleteError
		if errors.As(err, &list) {
			return list
		}
		var one *client.AnswerError
		if errors.As(err, &one) {
			return one
		}
	}
	return nil
}
