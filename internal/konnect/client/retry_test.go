package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAttemptsByMethodAndFailure(t *testing.T) {
	repeat, once := 6, 1
	rows := []struct {
		failure string
		step    step
		safe    int // GET, HEAD, PUT, DELETE
		unsafe  int // POST, PATCH
	}{
		{"429 too many requests", status(429), repeat, repeat},
		{"503 unavailable", status(503), repeat, once},
		{"500 internal error", status(500), repeat, once},
		{"502 bad gateway", status(502), repeat, once},
		{"504 gateway timeout", status(504), repeat, once},
		{"connection cut after the request was read", cut, repeat, once},
		{"400 refused", status(400), once, once},
		{"401 no token", status(401), once, once},
		{"404 not found", status(404), once, once},
		{"409 conflict", status(409), once, once},
		{"501 not implemented", status(501), once, once},
	}
	for _, row := range rows {
		for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "POST", "PATCH"} {
			t.Run(row.failure+" on "+method, func(t *testing.T) {
				want := row.safe
				if method == "POST" || method == "PATCH" {
					want = row.unsafe
				}
				server := newScript(t, row.step)
				c, clock := newClient(t, server.URL, nil)
				_, err := c.Do(t.Context(), Request{Method: method, Path: "/v3/portals", Body: map[string]any{"name": "x"}})
				if err == nil {
					t.Fatal("no error")
				}
				if got := len(server.requests()); got != want {
					t.Errorf("server saw %d requests, want %d (%v)", got, want, err)
				}
				if got := len(clock.slept); got != want-1 {
					t.Errorf("slept %d times, want %d", got, want-1)
				}
			})
		}
	}
}

func TestSuccessAfterRepeating(t *testing.T) {
	good := answer(200, "application/json", `{"id":"1"}`)
	rows := map[string]struct {
		method string
		steps  []step
		want   int
	}{
		"GET after three 502":          {"GET", []step{status(502), status(502), status(502), good}, 200},
		"GET after half an answer":     {"GET", []step{cutBody, good}, 200},
		"POST after 429":               {"POST", []step{status(429), good}, 200},
		"PUT after 503":                {"PUT", []step{status(503), good}, 200},
		"PUT after a cut":              {"PUT", []step{cut, good}, 200},
		"DELETE gone on second try":    {"DELETE", []step{cut, status(404)}, 204},
		"DELETE done on the third try": {"DELETE", []step{cut, status(503), status(204)}, 204},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			server := newScript(t, row.steps...)
			var told []int
			answers, want := 0, 0
			if row.method == "GET" {
				want = 1
			}
			c, _ := newClient(t, server.URL, func(cfg *Config) {
				cfg.OnRetry = func(i RetryInfo) { told = append(told, i.Attempt) }
				cfg.OnAnswer = func() { answers++ }
			})
			resp, err := c.Do(t.Context(), Request{Method: row.method, Path: "/v3/portals/1", Body: map[string]any{"name": "x"}})
			if err != nil {
				t.Fatal(err)
			}
			if resp.Status != row.want {
				t.Errorf("status %d, want %d", resp.Status, row.want)
			}
			if got := len(server.requests()); got != len(row.steps) {
				t.Errorf("server saw %d requests, want %d", got, len(row.steps))
			}
			if len(told) != len(row.steps)-1 || told[0] != 1 {
				t.Errorf("OnRetry was told of attempts %v", told)
			}
			if answers != want {
				t.Errorf("%d answers, want %d", answers, want)
			}
		})
	}
}

func TestHalfAnAnswerToPostIsNotRepeated(t *testing.T) {
	server := newScript(t, cutBody)
	c, _ := newClient(t, server.URL, nil)
	_, err := c.Do(t.Context(), Request{Method: "POST", Path: "/v3/portals", Body: map[string]any{}})
	var te *TransportError
	if !errors.As(err, &te) || !te.Sent {
		t.Errorf("error %#v, want a TransportError with Sent", err)
	}
	if got := len(server.requests()); got != 1 {
		t.Errorf("server saw %d requests", got)
	}
}

func TestPostCutOverHTTP2IsNotRepeated(t *testing.T) {
	var served atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1); r.ProtoMajor != 2 {
			t.Errorf("protocol %s", r.Proto)
		}
		cut(w, r)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	c, _ := newClient(t, server.URL, func(cfg *Config) { cfg.Transport = server.Client().Transport })
	_, err := c.Do(t.Context(), Request{Method: "POST", Path: "/v3/portals", Body: map[string]any{}})
	if !Unreachable(err) || served.Load() != 1 {
		t.Errorf("served %d times, error %v", served.Load(), err)
	}
}

func TestPostIsRepeatedWhenItSurelyDidNotArrive(t *testing.T) {
	for _, method := range []string{"POST", "PATCH"} {
		t.Run(method+" after refused connections", func(t *testing.T) {
			server := newScript(t, answer(201, "application/json", `{}`))
			c, clock := newClient(t, server.URL, func(cfg *Config) { cfg.Transport = flakyDial(3) })
			resp, err := c.Do(t.Context(), Request{Method: method, Path: "/v3/portals", Body: map[string]any{"name": "x"}})
			if err != nil || resp.Status != 201 {
				t.Fatalf("%v, %v", resp, err)
			}
			if len(server.requests()) != 1 || len(clock.slept) != 3 {
				t.Errorf("server saw %d requests after %d waits", len(server.requests()), len(clock.slept))
			}
		})
	}
	t.Run("POST after a TLS handshake that was hung up on", func(t *testing.T) {
		var accepted atomic.Int32
		addr := hangUp(t, &accepted)
		c, _ := newClient(t, "https://"+addr, nil)
		_, err := c.Do(t.Context(), Request{Method: "POST", Path: "/v3/portals", Body: map[string]any{}})
		var te *TransportError
		if !errors.As(err, &te) || te.Sent || te.Attempts != 6 || accepted.Load() != 6 {
			t.Errorf("error %#v after %d connections", err, accepted.Load())
		}
	})
}

// hangUp accepts connections and closes them without a word.
func hangUp(t *testing.T, accepted *atomic.Int32) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

func TestTransportThatReportsNothingProvesNothing(t *testing.T) {
	for method, want := range map[string]int{"GET": 6, "POST": 1} {
		tries := 0
		c, _ := newClient(t, "http://localhost", func(cfg *Config) {
			cfg.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
				tries++
				return nil, io.ErrUnexpectedEOF
			})
		})
		_, err := c.Do(t.Context(), Request{Method: method, Path: "/v3/portals"})
		if tries != want || !Unreachable(err) {
			t.Errorf("%s was tried %d times, want %d (%v)", method, tries, want, err)
		}
	}
}

func TestSentIsRememberedAcrossAttempts(t *testing.T) {
	tries := 0
	c, _ := newClient(t, "http://localhost", func(cfg *Config) {
		cfg.Retry.MaxAttempts = 2
		cfg.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
			if tries++; tries == 1 {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
		})
	})
	_, err := c.Do(t.Context(), Request{Method: "PUT", Path: "/v3/portals/1", Body: map[string]any{}})
	var te *TransportError
	if !errors.As(err, &te) || !te.Sent || te.Attempts != 2 {
		t.Errorf("error %#v, want Sent after 2 attempts", err)
	}
}

func TestCertificateAndNameErrorsAreFinal(t *testing.T) {
	server := newTLSServer(t)
	rows := map[string]struct {
		url  string
		dial func(context.Context, string, string) (net.Conn, error)
	}{
		"certificate of an unknown authority": {url: server.URL},
		"plain http behind https":             {url: strings.Replace(newScript(t, status(200)).URL, "http:", "https:", 1)},
		"unknown host": {url: "https://nowhere.invalid", dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}
		}},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			c, clock := newClient(t, row.url, func(cfg *Config) {
				cfg.Transport = &http.Transport{DisableKeepAlives: true, DialContext: row.dial}
			})
			_, err := c.Do(t.Context(), Request{Method: "GET", Path: "/v3/portals"})
			if !Unreachable(err) || len(clock.slept) != 0 {
				t.Errorf("%d waits, error %v", len(clock.slept), err)
			}
		})
	}
}

func TestWaits(t *testing.T) {
	date := newClock().now.Add(7 * time.Second).Format(http.TimeFormat)
	far := newClock().now.Add(24 * time.Hour).Format(http.TimeFormat)
	past := newClock().now.Add(-time.Hour).Format(http.TimeFormat)
	rows := map[string]struct {
		step step
		rand float64
		want []time.Duration
	}{
		"backoff doubles up to its ceiling": {
			status(503), 1,
			[]time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 20 * time.Second},
		},
		"jitter goes down to nothing":       {status(503), 0, []time.Duration{0, 0}},
		"Retry-After in seconds":            {status(429, "Retry-After", "3"), 0, []time.Duration{3 * time.Second, 3 * time.Second}},
		"Retry-After as a date":             {status(503, "Retry-After", date), 0, []time.Duration{7 * time.Second, 0}},
		"Retry-After is never cut by luck":  {status(429, "Retry-After", "10"), 1, []time.Duration{11 * time.Second}},
		"Retry-After is capped":             {status(503, "Retry-After", "86400"), 0, []time.Duration{2 * time.Minute}},
		"Retry-After as a date is capped":   {status(503, "Retry-After", far), 0, []time.Duration{2 * time.Minute}},
		"Retry-After beyond any number":     {status(503, "Retry-After", "9e99"), 0, []time.Duration{2 * time.Minute}},
		"Retry-After date in the past":      {status(503, "Retry-After", past), 1, []time.Duration{500 * time.Millisecond}},
		"Retry-After that is not one":       {status(503, "Retry-After", "soon"), 1, []time.Duration{500 * time.Millisecond}},
		"negative Retry-After":              {status(503, "Retry-After", "-5"), 1, []time.Duration{500 * time.Millisecond}},
		"429 without Retry-After":           {status(429), 0.5, []time.Duration{15 * time.Second, 15 * time.Second}},
		"429 without Retry-After, jittered": {status(429), 0, []time.Duration{7500 * time.Millisecond}},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			server := newScript(t, row.step)
			c, clock := newClient(t, server.URL, func(cfg *Config) {
				cfg.Rand = func() float64 { return row.rand }
				cfg.Retry.MaxAttempts = len(row.want) + 1
			})
			if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "/v3/portals"}); err == nil {
				t.Fatal("no error")
			}
			if d := cmp.Diff(row.want, clock.slept); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRateLimitFallbackIsASetting(t *testing.T) {
	server := newScript(t, status(429))
	c, clock := newClient(t, server.URL, func(cfg *Config) {
		cfg.RateLimitFallback, cfg.Retry.MaxAttempts = 2*time.Second, 2
		cfg.Rand = func() float64 { return 0.5 }
	})
	if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "/x"}); err == nil || clock.slept[0] != 2*time.Second {
		t.Errorf("slept %v, error %v", clock.slept, err)
	}
}

func TestCancelStopsAtOnce(t *testing.T) {
	t.Run("while waiting to repeat", func(t *testing.T) {
		server := newScript(t, status(429))
		ctx, cancel := context.WithCancel(t.Context())
		c, clock := newClient(t, server.URL, nil)
		clock.onSleep = cancel
		_, err := c.Do(ctx, Request{Method: "POST", Path: "/v3/portals"})
		var te *TransportError
		if !errors.Is(err, context.Canceled) || Unreachable(err) || !errors.As(err, &te) || te.Sent {
			t.Errorf("error %#v", err)
		}
		if got := len(server.requests()); got != 1 {
			t.Errorf("server saw %d requests", got)
		}
	})
	t.Run("while the service works", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server := newScript(t, func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		c, clock := newClient(t, server.URL, nil)
		_, err := c.Do(ctx, Request{Method: "GET", Path: "/v3/portals"})
		if !errors.Is(err, context.Canceled) || Unreachable(err) || len(clock.slept) != 0 {
			t.Errorf("slept %v, error %v", clock.slept, err)
		}
		if err.Error() != "GET /v3/portals: context canceled" {
			t.Errorf("text %q", err)
		}
	})
	t.Run("before the start", func(t *testing.T) {
		server := newScript(t, status(200))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c, _ := newClient(t, server.URL, nil)
		if _, err := c.Do(ctx, Request{Method: "GET", Path: "/x"}); !errors.Is(err, context.Canceled) || len(server.requests()) != 0 {
			t.Errorf("server saw %d requests, error %v", len(server.requests()), err)
		}
	})
}

func TestAttemptTimeLimit(t *testing.T) {
	for method, want := range map[string]int{"GET": 3, "POST": 1} {
		synctest.Test(t, func(t *testing.T) {
			tries := 0
			c, err := New(Config{
				BaseURL: "http://localhost", Retry: Retry{MaxAttempts: 3}, AttemptTimeout: time.Minute,
				Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					tries++
					<-r.Context().Done()
					return nil, r.Context().Err()
				}),
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Do(t.Context(), Request{Method: method, Path: "/v3/portals"})
			if tries != want || !Unreachable(err) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s was tried %d times, want %d (%v)", method, tries, want, err)
			}
			if !strings.Contains(err.Error(), "no answer within 1m0s") {
				t.Errorf("text %q", err)
			}
			if got := c.Stats().Limit; got >= firstLimit {
				t.Errorf("the bound stayed at %d", got)
			}
		})
	}
}

func TestRealClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := (realClock{}).Sleep(t.Context(), time.Hour); err != nil || time.Since(start) != time.Hour {
			t.Errorf("slept %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start = time.Now()
		if err := (realClock{}).Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Minute {
			t.Errorf("slept %v: %v", time.Since(start), err)
		}
	})
}
