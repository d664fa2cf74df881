package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/rest"
)

const maxRedirects = 5

// refusal is a request that was not let out.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

// guard lets requests out to the server alone, whoever asks for them, and notes
// that a request got here: what fails before are the credentials.
type guard struct {
	next   http.RoundTripper
	server *url.URL
}

// RoundTrip sends a request to the server.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if s, ok := req.Context().Value(sightingKey{}).(*sighting); ok {
		s.prepared.Store(true)
	}
	if req.URL.Scheme != g.server.Scheme || req.URL.Host != g.server.Host {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, &refusal{reason: fmt.Sprintf("request to another host (%s) refused", req.URL.Host)}
	}
	return g.next.RoundTrip(req)
}

// sameHost refuses redirects that would carry credentials elsewhere or turn a
// write into a read.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host:
		return &refusal{reason: fmt.Sprintf("redirect to another host (%s) refused", req.URL.Host)}
	case req.Method != first.Method:
		return &refusal{reason: "redirect of a write refused"}
	case len(via) > maxRedirects:
		return &refusal{reason: "too many redirects"}
	}
	return nil
}

type sightingKey struct{}

// sighting watches how far a request got.
type sighting struct{ prepared, traced, wrote atomic.Bool }

func (s *sighting) watch(ctx context.Context) context.Context {
	ctx = context.WithValue(ctx, sightingKey{}, s)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:          func(string) { s.traced.Store(true) },
		WroteHeaderField: func(string, []string) { s.wrote.Store(true) },
	})
}

// sent is false only on proof that no byte of the request left.
func (s *sighting) sent(err error) bool {
	var op *net.OpError
	if !s.prepared.Load() || errors.As(err, &op) && op.Op == "dial" {
		return false
	}
	return !s.traced.Load() || s.wrote.Load()
}

// warner hands on each warning once.
type warner struct {
	warn func(string)
	mu   sync.Mutex
	seen map[string]bool
}

func newWarner(warn func(string)) rest.WarningHandlerWithContext {
	if warn == nil {
		return rest.NoWarnings{}
	}
	return &warner{warn: warn, seen: map[string]bool{}}
}

// HandleWarningHeaderWithContext hears one warning of the server.
func (w *warner) HandleWarningHeaderWithContext(_ context.Context, code int, _, text string) {
	const miscellaneous = 299 // the only code that the API server uses
	text = clean(text)
	if code != miscellaneous || text == "" {
		return
	}
	w.mu.Lock()
	known := w.seen[text]
	w.seen[text] = true
	w.mu.Unlock()
	if !known {
		w.warn(text)
	}
}
