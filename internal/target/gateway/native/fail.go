//go:build !nonative

package native

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kong/go-database-reconciler/pkg/file"
	"github.com/kong/go-database-reconciler/pkg/utils"
	"github.com/kong/go-kong/kong"

	"kongctl/internal/target/gateway"
	"kongctl/internal/target/konnect"
)

// fail puts an error in our form.
func (s *session) fail(err error) error { return s.failAll([]error{err}, nil) }

// failAll tells first which changes failed and why; what else went wrong tells
// only when no change did.
func (s *session) failAll(errs []error, failed []failure) error {
	e := &gateway.Error{Op: s.op}
	for _, f := range s.request.Files {
		e.Files = append(e.Files, f.Name)
	}
	var messages []string
	for _, f := range failed {
		text := s.explain(f.err)
		if f.change.Kind != "" {
			text = fmt.Sprintf("%s %s %s: %s", strings.ToLower(string(f.change.Action)), f.change.Kind, f.change.Name, text)
		}
		messages = append(messages, text)
		errs = append([]error{f.err}, errs...)
	}
	if len(failed) == 0 {
		for _, err := range errs {
			messages = append(messages, s.explain(err))
		}
	}
	slices.Sort(messages)
	e.Message = gateway.Mask(strings.Join(slices.Compact(messages), "\n"), s.request.Secrets)
	e.Err = s.cause(errs)
	return e
}

// explain is an error without what the library puts around it. Addresses hold
// ids that differ from run to run.
func (s *session) explain(err error) string {
	var (
		refused *konnect.APIError
		several utils.ErrArray
		invalid *file.ValidationError
		own     *kong.APIError
		plugin  *unknownPlugin
	)
	switch {
	case errors.As(err, &plugin):
		return plugin.Error()
	case errors.As(err, &own) && s.gate.refused(own.Code()) != nil:
		return shorten(s.gate.refused(own.Code()))
	case errors.As(err, &refused):
		return shorten(refused)
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
	}
	return strings.TrimSpace(strings.TrimPrefix(err.Error(), "while processing event: "))
}

// shorten leaves out the address of a write, which tells nothing, and of a read
// what is the same for all of them.
func shorten(e *konnect.APIError) string {
	_, text, _ := strings.Cut(e.Error(), e.Path+": ")
	if e.Method != "GET" {
		return text
	}
	_, list, _ := strings.Cut(e.Path, "/core-entities/")
	return "read " + list + ": " + text
}

// cause is what callers look for: what the service said, or why it was not
// reached. Other errors may quote files, and have been told.
func (s *session) cause(errs []error) error {
	for _, err := range errs {
		var own *kong.APIError
		if errors.As(err, &own) && s.gate.refused(own.Code()) != nil {
			return s.gate.refused(own.Code())
		}
		var refused *konnect.APIError
		if errors.As(err, &refused) {
			return refused
		}
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	for _, err := range errs {
		var unreached *konnect.TransportError
		if errors.As(err, &unreached) {
			return unreached
		}
	}
	return nil
}

func (g *gate) refused(status int) *konnect.APIError {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refusals[status]
}
