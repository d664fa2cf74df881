package cli

import (
	"context"
	"errors"
	"net/http"

	"kongctl/internal/plan"
	"kongctl/internal/target/konnect"
)

// belongs refuses to go on with a saved plan elsewhere than where it was made
// for.
func (s *session) belongs(ctx context.Context, made plan.Organization) error {
	here, err := s.here(ctx)
	if err != nil {
		return err
	}
	if err := made.Same(here); err != nil {
		return &planError{err}
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

// organizationID is "" where the token is good for resources and not for this.
func (s *session) organizationID(ctx context.Context) (string, error) {
	id, err := s.target.Organization(ctx)
	var refused *konnect.APIError
	if errors.As(err, &refused) && refused.Status != http.StatusUnauthorized {
		return "", nil
	}
	return id, err
}
