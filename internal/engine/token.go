package engine

import (
	"context"
	"errors"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/konnect/token"
)

type (
	// TokenKind says whose an access token is.
	TokenKind = token.Kind
	// CreatedToken is an access token that was created.
	CreatedToken = token.Created
	// FoundToken is an access token that exists.
	FoundToken = token.Found
)

// TokenKinds are all kinds of access tokens.
func TokenKinds() []TokenKind { return token.Kinds() }

// FindTokenKind finds a kind of access tokens by its word.
func FindTokenKind(word string) (TokenKind, bool) { return token.Find(word) }

// TokenRequest says which access tokens. Account and AccountID name a system account.
type TokenRequest struct {
	Kind               TokenKind
	Account, AccountID string
	// Name is that of a new token; of one that exists, its name or id.
	Name     string
	Lifetime time.Duration // of a new one
}

// service speaks to Konnect about the tokens that a request means.
func (r TokenRequest) service(ctx context.Context, e *Engine) (token.Service, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return token.Service{}, err
	}
	return token.Service{
		Kind: r.Kind, Catalog: s.catalog, Client: s.client, Target: s.target,
		Account: query.Selection{Name: r.Account, ID: r.AccountID},
	}, nil
}

// tokens runs something about access tokens.
func tokens(ctx context.Context, e *Engine, r TokenRequest, run func(token.Service) (int, error)) error {
	s, err := r.service(ctx, e)
	if err != nil {
		return err
	}
	return e.phase(event.Reading, func() (int, error) { return run(s) })
}

// CreateToken creates an access token. What comes back is the only place that has the
// token itself.
func CreateToken(ctx context.Context, e *Engine, r TokenRequest) (out *CreatedToken, err error) {
	err = tokens(ctx, e, r, func(s token.Service) (int, error) {
		out, err = s.Create(ctx, r.Name, r.Lifetime, e.host.Now())
		return 1, err
	})
	var invalid *token.InvalidError
	if errors.As(err, &invalid) {
		return nil, Usagef("%s", invalid)
	}
	return out, err
}

// GetTokens reads access tokens: all, or the one with a name or id.
func GetTokens(ctx context.Context, e *Engine, r TokenRequest) (out *query.Answer, err error) {
	err = tokens(ctx, e, r, func(s token.Service) (int, error) {
		out, err = s.Answer(ctx, r.Name)
		return 1, err
	})
	return out, err
}

// FindToken finds the access token with a name or id.
func FindToken(ctx context.Context, e *Engine, r TokenRequest) (out *FoundToken, err error) {
	err = tokens(ctx, e, r, func(s token.Service) (int, error) {
		out, err = s.Find(ctx, r.Name)
		return 1, err
	})
	return out, err
}

// DeleteToken deletes an access token that was found. It tells of no phase: the user
// has just been asked.
func DeleteToken(ctx context.Context, e *Engine, r TokenRequest, t *FoundToken) error {
	s, err := r.service(ctx, e)
	if err != nil {
		return err
	}
	return s.Delete(ctx, t)
}
