package client

import (
	"crypto/tls"
	"errors"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const retryAfterMax = 120 * time.Second

// Retry says how often a request is tried, and how long to wait in between.
type Retry struct {
	MaxAttempts int           // with the first; default 6
	First       time.Duration // the longest wait after the first attempt; default 0.5 s
	Most        time.Duration // the longest wait; default 20 s
	Factor      float64       // by which the wait grows; default 2
}

func (r Retry) valid() bool {
	return r.MaxAttempts >= 0 && r.First >= 0 && r.Most >= 0 && (r.Factor == 0 || r.Factor >= 1)
}

func (r Retry) withDefaults() Retry {
	if r.MaxAttempts == 0 {
		r.MaxAttempts = 6
	}
	if r.First == 0 {
		r.First = 500 * time.Millisecond
	}
	if r.Most == 0 {
		r.Most = 20 * time.Second
	}
	if r.Factor == 0 {
		r.Factor = 2
	}
	return r
}

// RetryInfo tells about an attempt that failed and will be repeated.
type RetryInfo struct {
	Method  string
	Path    string
	Attempt int // the one that failed, from 1
	Wait    time.Duration
	Err     error
}

// Throttled reports that the service wants fewer requests.
func (r RetryInfo) Throttled() bool { return hasStatus(r.Err, http.StatusTooManyRequests) }

// policy decides whether a failed attempt is repeated and when.
type policy struct {
	Retry
	fallback time.Duration // for 429 without Retry-After
	rand     func() float64
}

// again reports whether to repeat. A request that creates or edits something is
// repeated only when the service refused it unseen (429) or never got it: its
// first run may have worked although no good answer came. That holds for a 503
// too: a proxy gives it for a service that ends while it answers.
func (p policy) again(method string, attempt int, err error) bool {
	if attempt >= p.MaxAttempts {
		return false
	}
	var ae *APIError
	if errors.As(err, &ae) {
		switch ae.Status {
		case http.StatusTooManyRequests:
			return true
		case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return repeatable(method)
		default:
			return false
		}
	}
	var te *TransportError
	if errors.As(err, &te) {
		return !te.permanent && !te.interrupted && (repeatable(method) || !te.Sent)
	}
	return false
}

// repeatable tells that running a request twice is the same as once. PATCH is
// not: between two runs another writer may have come.
func repeatable(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete:
		return true
	default:
		return false
	}
}

// noteSent tells whether this attempt or one before may have had its effect,
// and says so in the error, which the caller may see as the last of several.
func noteSent(err error, before bool) bool {
	var te *TransportError
	if errors.As(err, &te) {
		te.Sent = te.Sent || before
		return te.Sent
	}
	return before || !hasStatus(err, http.StatusTooManyRequests)
}

// delay is how long to wait after a failed attempt.
func (p policy) delay(attempt int, err error) time.Duration {
	var ae *APIError
	if errors.As(err, &ae) {
		if after := ae.retryAfter; after > 0 {
			// Never earlier than asked; a little later keeps many
			// clients from coming back in the same instant.
			return after + time.Duration(p.rand()*float64(after)/10)
		}
		if ae.Status == http.StatusTooManyRequests {
			return time.Duration((0.5 + p.rand()) * float64(p.fallback))
		}
	}
	ceiling := min(float64(p.Most), float64(p.First)*math.Pow(p.Factor, float64(attempt-1)))
	return time.Duration(p.rand() * ceiling)
}

// retryAfter reads the header in both its forms, capped. Zero means: nothing
// to heed.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if !(seconds > 0) { // NaN too
			return 0
		}
		return time.Duration(min(seconds, retryAfterMax.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, at.Sub(now)), retryAfterMax)
	}
	return 0
}

// isPermanent tells that a connection fails for a reason that waiting will not
// fix.
func isPermanent(err error) bool {
	var (
		refused *refusal
		cert    *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		dns     *net.DNSError
	)
	return errors.As(err, &refused) ||
		errors.As(err, &cert) ||
		errors.As(err, &record) ||
		errors.Is(err, http.ErrSchemeMismatch) ||
		errors.As(err, &dns) && dns.IsNotFound
}
