package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kongctl/kongctl/internal/clock"
)

const (
	maxAttempts   = 8 // about 11 s of waiting without Retry-After
	firstAttempts = 3 // while the server does not answer
	lateAttempts  = 3 // where no answer comes in time
	backoffFirst  = 100 * time.Millisecond
	backoffMost   = 5 * time.Second
	retryAfterMax = 30 * time.Second
)

// call is what is known about a request before it is sent.
type call struct {
	op    string
	write bool
	// repeatable says that doing it twice is the same as doing it once.
	repeatable bool
	// stream says that the answer continues: it takes no slot and has no time limit.
	stream bool
	mask   mask
}

// do sends a request until it is answered for good. It holds a slot only while
// a request is under way. The error is an *Error.
func (c *Cluster) do(ctx context.Context, call call, send func(context.Context) error) error {
	var sent, refreshed bool
	for attempt := 1; ; attempt++ {
		s, err := c.attempt(ctx, call, send)
		if err == nil {
			c.answered.Store(true)
			return nil
		}
		failed := &Error{Op: call.op, Attempts: attempt, Err: call.mask.err(err), host: c.server.Host, write: call.write}
		failed.interrupted = ctx.Err() != nil
		failed.credentials = !s.prepared.Load() && asked(err) && !failed.interrupted
		sent = sent || failed.code() == 0 && s.sent(err) || failed.code() >= http.StatusInternalServerError
		failed.sent = sent
		if failed.code() != 0 {
			c.answered.Store(true)
		}
		if c.plugin && failed.code() == http.StatusUnauthorized && !refreshed {
			refreshed = true // the credentials may have expired: the plugin makes new ones
			continue
		}
		if !c.again(call, failed) {
			c.giveUp(failed)
			return failed
		}
		if clock.Sleep(ctx, delay(failed)) != nil {
			return failed
		}
	}
}

// giveUp notes that the server is gone, so that those who ask next do not wait
// as long for it as the first did.
func (c *Cluster) giveUp(e *Error) {
	if e.code() == 0 && (e.Attempts >= maxAttempts || late(e.Err) && e.Attempts >= lateAttempts) {
		c.answered.Store(false)
	}
}

// attempt sends a request once, within its time limit.
func (c *Cluster) attempt(ctx context.Context, call call, send func(context.Context) error) (*sighting, error) {
	s := &sighting{}
	if call.stream {
		return s, local(s, send(s.watch(ctx)))
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		s.prepared.Store(true)
		s.traced.Store(true) // it did not get to a connection
		return s, ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	err := local(s, send(s.watch(limited)))
	if err != nil && limited.Err() != nil && ctx.Err() == nil && apierrors.ReasonForError(err) == "" {
		err = timeoutError{after: c.timeout}
	}
	return s, err
}

// asked reports whether the transport was asked to send a request.
func asked(err error) bool {
	var u *url.Error
	return errors.As(err, &u)
}

// local marks an error of the library before it asked for anything, such as a
// name that no path can have.
func local(s *sighting, err error) error {
	if err == nil || s.prepared.Load() || asked(err) || apierrors.ReasonForError(err) != "" || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &refusal{reason: err.Error()}
}

// again reports whether to repeat a request. One that is not repeatable is only
// repeated when the server refused it unseen or never got it.
func (c *Cluster) again(call call, e *Error) bool {
	most := maxAttempts
	if !c.answered.Load() {
		most = firstAttempts
	}
	if e.interrupted || e.credentials || e.Attempts >= most {
		return false
	}
	switch e.code() {
	case 0:
		if late(e.Err) && (!c.answered.Load() || e.Attempts >= lateAttempts) {
			return false // each attempt takes long
		}
		return !permanent(e.Err) && (call.repeatable || !e.sent)
	case http.StatusTooManyRequests:
		return true
	case http.StatusInternalServerError:
		_, asked := apierrors.SuggestsClientDelay(e.Err)
		return asked && call.repeatable
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return call.repeatable
	default:
		return false
	}
}

// delay is how long to wait after a failed attempt.
func delay(e *Error) time.Duration {
	if seconds, ok := apierrors.SuggestsClientDelay(e.Err); ok && seconds > 0 {
		after := min(time.Duration(seconds)*time.Second, retryAfterMax)
		// Never earlier than asked; a little later keeps many clients from
		// coming back in the same instant.
		return after + time.Duration(rand.Float64()*float64(after)/10)
	}
	wait := min(backoffFirst<<(e.Attempts-1), backoffMost)
	return wait/2 + time.Duration(rand.Float64()*float64(wait)/2)
}

// late reports whether no answer came in time.
func late(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// permanent reports whether a connection fails for a reason that waiting does
// not change.
func permanent(err error) bool {
	var (
		refused   *refusal
		cert      *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		record    tls.RecordHeaderError
		dns       *net.DNSError
	)
	return errors.As(err, &refused) || errors.As(err, &cert) || errors.As(err, &authority) || errors.As(err, &record) ||
		errors.Is(err, http.ErrSchemeMismatch) || errors.As(err, &dns) && dns.IsNotFound
}
