package engine

import (
	"context"
	"strings"

	"kongctl/internal/plan"
)

// belongs refuses to go on with a saved plan elsewhere than where it was made
// for.
func (s *session) belongs(ctx context.Context, made plan.Organization) error {
	here, err := s.here(ctx)
	if err != nil {
		return err
	}
	if err := made.Same(here); err != nil {
		return &PlanError{err}
	}
	return nil
}

// here is the organization that this session works on.
func (s *session) here(ctx context.Context) (plan.Organization, error) {
	here := s.organization
	var err error
	here.ID, err = s.organizationID(ctx)
	if s.local {
		here.BaseURL = "" // its server may have another port every time
	}
	return here, err
}

// exclude keeps other runs on this machine off some namespaces until this one
// ends: what is read from here on must not change by their hand.
func (e *Engine) exclude(ctx context.Context, s *session, namespaces []string) error {
	if e.locks == nil {
		return nil
	}
	id, err := s.organizationID(ctx)
	if err != nil {
		return err
	}
	words := []string{id, s.organization.Region}
	if id == "" {
		words = append(words, s.organization.BaseURL)
	}
	return e.locks.namespaces(ctx, strings.Join(words, " "), namespaces)
}
