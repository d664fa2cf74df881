package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

const (
	deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
	// defaultInterval and slowDown are those of RFC 8628.
	defaultInterval = 5 * time.Second
	slowDown        = 5 * time.Second
	codeLifetime    = 10 * time.Minute
)

// Grant is a login that somebody must approve.
type Grant struct {
	// UserCode is what people type, at URI; CompleteURI has it already.
	UserCode, URI, CompleteURI string
	Expires                    time.Time

	deviceCode string
	interval   time.Duration
}

// ErrDenied is the answer no.
var ErrDenied = errors.New("the login was denied")

// ErrTooLate is the answer that nobody gave in time.
var ErrTooLate = errors.New("the code has expired: nobody approved the login in time")

// Begin asks for a code that somebody must approve.
func (s *Server) Begin(ctx context.Context) (*Grant, error) {
	start := s.Now()
	a, err := s.post(ctx, s.AuthorizePath, url.Values{"client_id": {s.ClientID}}, nil)
	var refused *StatusError
	for n, wait := 1, firstWait; errors.As(err, &refused) && refused.Passes() && n < cmp.Or(s.Attempts, attempts); n, wait = n+1, 2*wait {
		if err := s.Sleep(ctx, wait); err != nil {
			return nil, err
		}
		start = s.Now()
		a, err = s.post(ctx, s.AuthorizePath, url.Values{"client_id": {s.ClientID}}, nil)
	}
	if err != nil {
		return nil, err
	}
	f := a.fields
	if f.DeviceCode == "" || f.UserCode == "" || !isPage(f.URI) || f.CompleteURI != "" && !isPage(f.CompleteURI) {
		return nil, errors.New("login: the service answered without a code, or without a page to approve it on")
	}
	return &Grant{
		UserCode: f.UserCode, URI: f.URI, CompleteURI: f.CompleteURI, deviceCode: f.DeviceCode,
		Expires: start.Add(lifetime(f.ExpiresIn, codeLifetime)), interval: lifetime(f.Interval, defaultInterval),
	}, nil
}

// Page is where the login is approved, with the code where the service can take it.
func (g *Grant) Page() string {
	if g.CompleteURI != "" {
		return g.CompleteURI
	}
	return g.URI
}

// isPage reports whether a browser may be sent to an address that the service names.
func isPage(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// Wait asks again and again until somebody has approved or denied the login, or
// the code has expired. The service says how often.
func (s *Server) Wait(ctx context.Context, g *Grant) (Token, error) {
	interval := g.interval
	for {
		if err := s.Sleep(ctx, interval); err != nil {
			return Token{}, err
		}
		now := s.Now()
		if !now.Before(g.Expires) {
			return Token{}, ErrTooLate
		}
		a, err := s.post(ctx, s.TokenPath, url.Values{"grant_type": {deviceGrant}, "device_code": {g.deviceCode}, "client_id": {s.ClientID}}, nil)
		if err == nil && a.fields.Error == "" {
			return Token{Access: a.fields.Access, Refresh: a.fields.Refresh, Expires: now.Add(lifetime(a.fields.ExpiresIn, tokenLifetime))}.checked()
		}
		if ctx.Err() != nil {
			return Token{}, ctx.Err()
		}
		var refused *StatusError
		_ = errors.As(err, &refused)
		wait, err := verdict(a, refused)
		if err != nil {
			return Token{}, err
		}
		interval += wait
	}
}

// verdict is how much longer to wait than before, or the error that ends the wait.
// There may have been no answer, or a failure that passes.
func verdict(a *answer, refused *StatusError) (time.Duration, error) {
	if a == nil {
		return slowDown, nil
	}
	switch a.fields.Error {
	case "authorization_pending":
		return 0, nil
	case "slow_down":
		return slowDown, nil
	case "access_denied":
		return 0, ErrDenied
	case "expired_token":
		return 0, ErrTooLate
	}
	switch {
	case refused == nil:
		return 0, fmt.Errorf("login: the service refused it: %s", errorCode(a.fields.Error))
	case refused.Passes():
		return slowDown, nil
	default:
		return 0, refused
	}
}
