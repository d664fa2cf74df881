package auth

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// The cookies that carry tokens when they are refreshed.
const (
	refreshCookie = "konnectrefreshtoken"
	accessCookie  = "konnectaccesstoken"
)

// ErrExpired is a login that cannot be refreshed any more.
var ErrExpired = errors.New("the login has expired")

// Refresh gets another token for one that expires. ErrExpired says that somebody
// must log in again.
func (s *Server) Refresh(ctx context.Context, t Token) (Token, error) {
	if t.Refresh == "" {
		return Token{}, ErrExpired
	}
	start := s.Now()
	a, err := s.post(ctx, s.RefreshPath, nil, &http.Cookie{Name: refreshCookie, Value: t.Refresh})
	var status *StatusError
	switch {
	case errors.As(err, &status) && (status.Status == http.StatusBadRequest || status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden):
		return Token{}, ErrExpired
	case err != nil:
		return Token{}, err
	}
	next := Token{Access: a.fields.Access, Refresh: a.fields.Refresh, Expires: start.Add(lifetime(a.fields.ExpiresIn, tokenLifetime))}
	for _, c := range a.cookies {
		switch {
		case c.Value == "":
		case c.Name == refreshCookie && (next.Refresh == "" || c.Path == s.RefreshPath):
			next.Refresh = c.Value
		case c.Name == accessCookie:
			next.Access, next.Expires = c.Value, cookieEnd(c, start)
		}
	}
	if next.Refresh == "" {
		next.Refresh = t.Refresh
	}
	return next.checked()
}

// cookieEnd is when a token in a cookie expires.
func cookieEnd(c *http.Cookie, start time.Time) time.Time {
	switch {
	case c.MaxAge > 0:
		return start.Add(lifetime(float64(c.MaxAge), tokenLifetime))
	case c.Expires.After(start):
		return start.Add(lifetime(c.Expires.Sub(start).Seconds(), tokenLifetime))
	default:
		return start.Add(tokenLifetime)
	}
}
