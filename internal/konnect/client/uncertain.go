package client

import (
	"errors"
	"net/http"

	"github.com/kongctl/kongctl/internal/resource"
)

// Uncertain reports whether the service failed on the way: what was asked for
// may have been done.
func (e *APIError) Uncertain() bool { return e.Status >= http.StatusInternalServerError }

// Lingering reports whether the service may still be at work: a proxy gave up
// waiting for it.
func (e *APIError) Lingering() bool { return e.Status == http.StatusGatewayTimeout }

// Lingering reports whether the service may still be at work: we gave up waiting
// for it.
func (e *TransportError) Lingering() bool {
	var late timeoutError
	return e.Sent && errors.As(e.Err, &late)
}

// Uncertain tells that the request may have reached the service.
func (e *TransportError) Uncertain() bool { return e.Sent && !e.interrupted }

// Unsent reports whether the request surely did not reach the service.
func (e *TransportError) Unsent() bool { return !e.Sent }

// Uncertain is true: the service did something and did not say what.
func (e *AnswerError) Uncertain() bool { return true }

// Fatal tells that the token is not accepted.
func (e *APIError) Fatal() bool { return e.Status == http.StatusUnauthorized }

// Missing tells that the service does not know the thing asked for.
func (e *APIError) Missing() bool { return e.Status == http.StatusNotFound }

// Denied tells that whoever asks may not.
func (e *APIError) Denied() bool { return e.Status == http.StatusForbidden }

// Rejected reports whether the service refuses what the request says. Rights and
// limits may change; what it says does not.
func (e *APIError) Rejected() bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	default:
		return e.Status >= http.StatusBadRequest && e.Status < http.StatusInternalServerError
	}
}

// Taken tells that the thing clashes with one that exists.
func (e *APIError) Taken() bool { return e.Status == http.StatusConflict }

// Unauthorized reports whether the token is missing, wrong or not allowed to do
// this.
func (e *APIError) Unauthorized() bool { return e.TokenRefused() || e.Denied() }

// TokenRefused reports whether the service does not accept the token at all.
func (e *APIError) TokenRefused() bool { return e.Status == http.StatusUnauthorized }

// Withheld reports whether the service does not have something, or keeps it from this
// token.
func (e *APIError) Withheld() bool { return e.Denied() || e.Status == http.StatusNotFound }

// Unreachable returns which host gave no answer, after how many attempts and why;
// false where the caller gave up.
func (e *TransportError) Unreachable() (resource.Silence, bool) {
	return resource.Silence{Host: e.Host, Attempts: e.Attempts, Cause: e.Err}, !e.interrupted
}
