package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

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
	log    *slog.Logger
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
	if g.log == nil {
		return g.next.RoundTrip(req)
	}
	began := time.Now()
	res, err := g.next.RoundTrip(req)
	g.note(req, res, time.Since(began), err)
	return res, err
}

// note writes a line about a request to the log.
func (g *guard) note(req *http.Request, res *http.Response, took time.Duration, err error) {
	attrs := []slog.Attr{
		slog.String("method", req.Method), slog.String("server", g.server.Host), slog.String("path", req.URL.Path),
		slog.Bool("dry_run", req.URL.Query().Has("dryRun")), slog.Duration("duration", took),
	}
	if err != nil {
		attrs = append(attrs, slog.String("error", reason(err)))
	} else {
		attrs = append(attrs, slog.Int("status", res.StatusCode))
	}
	g.log.LogAttrs(req.Context(), slog.LevelDebug, "request", attrs...)
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
