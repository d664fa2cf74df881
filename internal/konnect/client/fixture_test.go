package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

const canary = "kpat_canary0123456789"

// fakeClock passes only by being slept on.
type fakeClock struct {
	mu      sync.Mutex
	now     time.Time
	slept   []time.Duration
	onSleep func()
}

func newClock() *fakeClock {
	return &fakeClock{now: time.Date(2025, 1, 24, 10, 30, 0, 0, time.UTC)}
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	c.mu.Unlock()
	if c.onSleep != nil {
		c.onSleep()
	}
	return ctx.Err()
}

// newClient talks to url with a fake clock and no jitter below the ceiling.
func newClient(t *testing.T, url string, change func(*Config)) (*Client, *fakeClock) {
	t.Helper()
	clock := newClock()
	cfg := Config{
		BaseURL: url, Token: canary, Clock: clock,
		Rand:      func() float64 { return 1 },
		Transport: &http.Transport{DisableKeepAlives: true},
	}
	if change != nil {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, clock
}

// step is one answer of a scripted server.
type step func(http.ResponseWriter, *http.Request)

func status(code int, headers ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
}

func answer(code int, kind, body string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// cut takes the whole request and hangs up.
func cut(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	panic(http.ErrAbortHandler)
}

// cutBody hangs up in the middle of a good answer.
func cutBody(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, `{"id":`)
}

// script is a server that answers step by step, the last step for ever.
type script struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
}

func newScript(t *testing.T, steps ...step) *script {
	t.Helper()
	s := &script{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		n := len(s.seen)
		s.seen = append(s.seen, r.Clone(context.Background()))
		s.mu.Unlock()
		steps[min(n, len(steps)-1)](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *script) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.seen...)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func emptyAnswer(r *http.Request, code int) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody, Request: r}
}

// flakyDial refuses the first n connections.
func flakyDial(n int) *http.Transport {
	var mu sync.Mutex
	return &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			mu.Lock()
			n--
			refuse := n >= 0
			mu.Unlock()
			if refuse {
				return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("connection refused")}
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		},
	}
}
