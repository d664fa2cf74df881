package engine

import (
	"context"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
)

// belongs refuses to continue with a saved plan elsewhere than where it was made
// for, and keeps other runs off its namespaces. Other targets than Konnect look
// at what they wrote into the plan when they prepare to carry it out.
func (e *Engine) belongs(ctx context.Context, p *plan.Plan) error {
	targets := e.targets.involved(p)
	s, err := e.session(ctx, targets)
	if err != nil {
		return err
	}
	if err := e.exclude(ctx, targets, p.Metadata.SyncScope.Namespaces); err != nil {
		return err
	}
	return s.same(ctx, p.Metadata.Organization)
}

// same refuses a plan that was made for another organization.
func (s *session) same(ctx context.Context, made plan.Organization) error {
	if s == nil {
		return nil
	}
	here, err := s.here(ctx)
	if err != nil {
		return err
	}
	if err := made.Same(here); err != nil {
		return &PlanError{err}
	}
	return nil
}

// here is the organization that this session works on; a run without Konnect has
// none.
func (s *session) here(ctx context.Context) (plan.Organization, error) {
	if s == nil {
		return plan.Organization{}, nil
	}
	here, err := s.whose(ctx)
	if s.local {
		here.BaseURL = "" // its server may have another port every time
	}
	return here, err
}

// place says in words which organization a session works on.
func (s *session) place(ctx context.Context) (string, error) {
	here, err := s.whose(ctx)
	if err != nil {
		return "", err
	}
	words := []string{here.ID, here.Region}
	if here.ID == "" {
		words = append(words, here.BaseURL)
	}
	return strings.Join(words, " "), nil
}

// exclude keeps other runs on this machine off some namespaces of targets until
// this one ends: what is read from here on must not change by their hand.
func (e *Engine) exclude(ctx context.Context, targets []Target, namespaces []string) error {
	for _, t := range targets {
		p, ok := t.(Placed)
		if !ok || e.locks == nil {
			continue
		}
		words, err := p.Place(ctx)
		if err != nil {
			return err
		}
		if err := e.locks.namespaces(ctx, words, namespaces); err != nil {
			return err
		}
	}
	return nil
}

// session opens Konnect where one of some targets is reached through it; nil
// where none is.
func (e *Engine) session(ctx context.Context, targets []Target) (*session, error) {
	if !needsKonnect(targets) {
		return nil, nil
	}
	return e.konnect.open(ctx)
}
