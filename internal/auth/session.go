package auth

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// soon is how long before its end a token in use is refreshed, at most.
	soon = time.Minute
	// retryRefresh is how long a refresh that failed is not tried again.
	retryRefresh = 10 * time.Second
)

// Session is a login in use. Its token is refreshed while a command runs, once for
// all requests.
type Session struct {
	store  *Store
	server *Server
	place  Place

	mu    sync.Mutex
	token Token
	since time.Time // when it was got
	rest  time.Time // nothing is tried before
	// failed is why the last refresh did not work.
	failed error
	// expired is what the token cannot be refreshed with any more.
	expired string
}

// Session uses a login that was loaded.
func (l *Login) Session(store *Store, s *Server) *Session {
	return &Session{store: store, server: s, place: l.Place, token: l.Token, since: s.Now()}
}

// Token returns the token to use: another one where it is about to expire, or where
// the service has refused it. Without a refused one there is always a token.
func (s *Session) Token(ctx context.Context, refused string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if refused != "" && refused != s.token.Access || refused == "" && !s.due(s.server.Now()) {
		return s.token.Access, nil
	}
	if refused != "" && s.failed != nil && s.server.Now().Before(s.rest) {
		return "", s.failed // many requests are refused at the same time
	}
	// A refresh that is cut off may have used up what it was made with.
	l, err := s.renew(context.WithoutCancel(ctx))
	now := s.server.Now()
	switch {
	case err == nil && l == nil:
		err = ErrExpired // somebody logged out
		fallthrough
	case err != nil:
		s.rest, s.failed = now.Add(retryRefresh), err
		if refused == "" {
			return s.token.Access, nil // what there is will do for now
		}
		return "", err
	}
	s.token, s.since, s.failed = l.Token, now, nil
	return s.token.Access, nil
}

// renew refreshes the token. What was refused once is not sent again: only another
// login helps.
func (s *Session) renew(ctx context.Context) (*Login, error) {
	if s.expired != "" {
		l, err := s.store.Load(s.place)
		if err == nil && l != nil && l.Token.Refresh == s.expired {
			err = ErrExpired
		}
		if l == nil || err != nil {
			return nil, err
		}
	}
	with := ""
	l, err := renew(ctx, s.store, s.server, s.place, func(l *Login) bool {
		with = l.Token.Refresh
		return l.Token.Access != s.token.Access
	})
	if errors.Is(err, ErrExpired) {
		s.expired = with
	}
	return l, err
}

// due reports whether the token is about to expire.
func (s *Session) due(now time.Time) bool {
	ahead := min(soon, s.token.Expires.Sub(s.since)/10)
	return !now.Before(s.token.Expires.Add(-ahead)) && !now.Before(s.rest)
}
