package cluster

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/resource"
)

// TestRepeated asserts which requests are sent again, and what is known when
// that did not help.
func TestRepeated(t *testing.T) {
	get := func(c *Cluster) error {
		_, err := c.Get(context.Background(), configMaps, "n", "a")
		return err
	}
	apply := func(c *Cluster) error {
		_, err := c.Apply(context.Background(), configMaps, object(t, oneConfigMap), ApplyOptions{Manager: "m"})
		return err
	}
	create := func(c *Cluster) error {
		_, err := c.Create(context.Background(), configMaps, object(t, oneConfigMap), false)
		return err
	}
	deleteIt := func(c *Cluster) error {
		return c.Delete(context.Background(), configMaps, "n", "a", DeleteOptions{UID: "1"})
	}
	deleteAny := func(c *Cluster) error {
		return c.Delete(context.Background(), configMaps, "n", "a", DeleteOptions{})
	}
	ok := answer(200, oneConfigMap)
	tests := []struct {
		name      string
		do        func(*Cluster) error
		answers   []http.HandlerFunc
		requests  int
		fails     string
		uncertain bool
	}{
		{name: "a read after a lost connection", do: get, answers: []http.HandlerFunc{lost, lost, ok}, requests: 3},
		{name: "a read of a server that is about to start", do: get, answers: []http.HandlerFunc{failure(503, "ServiceUnavailable", "starting"), ok}, requests: 2},
		{name: "any write that the server refused unseen", do: create, answers: []http.HandlerFunc{failure(429, "TooManyRequests", "later"), ok}, requests: 2},
		{name: "an apply after a lost connection", do: apply, answers: []http.HandlerFunc{lost, ok}, requests: 2},
		{name: "a delete of one object after a lost connection", do: deleteIt, answers: []http.HandlerFunc{lost, failure(404, "NotFound", "gone")}, requests: 2},
		{name: "a delete of nothing", do: deleteIt, answers: []http.HandlerFunc{failure(404, "NotFound", "gone")}, requests: 1, fails: "delete ConfigMap n/a: gone"},
		{name: "not a delete of any object", do: deleteAny, answers: []http.HandlerFunc{lost}, requests: 1, fails: "delete ConfigMap n/a: ", uncertain: true},
		{name: "not a create that may have been done", do: create, answers: []http.HandlerFunc{lost, ok}, requests: 1, fails: "create ConfigMap n/a: ", uncertain: true},
		{
			name: "not a create, even when the server names a time", do: create, requests: 1, fails: "create ConfigMap n/a: slow", uncertain: true,
			answers: []http.HandlerFunc{failureAfter(504, "Timeout", "slow", 1), ok},
		},
		{name: "not what is wrong", do: apply, answers: []http.HandlerFunc{failure(422, "Invalid", "wrong")}, requests: 1, fails: "apply ConfigMap n/a: wrong"},
		{name: "not what failed inside", do: apply, answers: []http.HandlerFunc{failure(500, "InternalError", "disk full")}, requests: 1, fails: "apply ConfigMap n/a: disk full", uncertain: true},
		{
			name: "what a busy server refused in plain text", do: apply, requests: 2,
			answers: []http.HandlerFunc{answer(429, "Too many requests", "Retry-After", "1", "Content-Type", "text/plain"), ok},
		},
		{name: "what failed inside and may be tried again", do: apply, answers: []http.HandlerFunc{failureAfter(500, "ServerTimeout", "busy", 1), ok}, requests: 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := newAnswers(t, test.answers...)
			err := test.do(server.open(t))
			if got := server.count(); got != test.requests {
				t.Errorf("%d requests, want %d", got, test.requests)
			}
			switch {
			case test.fails == "" && err != nil, test.fails != "" && err == nil:
				t.Errorf("error %v", err)
			case err != nil && !strings.HasPrefix(err.Error(), test.fails):
				t.Errorf("error %v, want %s", err, test.fails)
			}
			if resource.Uncertain(err) != test.uncertain {
				t.Errorf("uncertain is %t", resource.Uncertain(err))
			}
			if err != nil && strings.Contains(err.Error(), "hush") {
				t.Errorf("the error shows the token: %v", err)
			}
		})
	}
}

// TestRetryAfter asserts that the time that the server names is waited for.
func TestRetryAfter(t *testing.T) {
	e := &Error{Attempts: 1, Err: statusError(t, failureAfter(429, "TooManyRequests", "later", 3))}
	if got := delay(e); got < 3*time.Second || got > 4*time.Second {
		t.Errorf("waits %s, want at least 3s", got)
	}
	for attempt, most := range map[int]time.Duration{1: backoffFirst, 3: 4 * backoffFirst, 20: backoffMost} {
		e := &Error{Attempts: attempt, Err: errors.New("lost")}
		if got := delay(e); got < most/2 || got > most {
			t.Errorf("attempt %d waits %s, want %s to %s", attempt, got, most/2, most)
		}
	}
}

// statusError is the error that an answer becomes.
func statusError(t *testing.T, h http.HandlerFunc) error {
	t.Helper()
	c := newAnswers(t, h).open(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		time.Sleep(200 * time.Millisecond) // one answer is enough
		cancel()
	}()
	_, err := c.Get(ctx, configMaps, "n", "a")
	return errors.Unwrap(err)
}

func TestInterrupted(t *testing.T) {
	asked := make(chan struct{})
	server := newAnswers(t, func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	})
	c := server.open(t, func(c *Config) { c.Concurrency = 1 })
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 2)
	go func() {
		_, err := c.Apply(ctx, configMaps, object(t, oneConfigMap), ApplyOptions{Manager: "m"})
		errs <- err
	}()
	<-asked
	go func() { // it waits for the only slot
		_, err := c.Create(ctx, configMaps, object(t, oneConfigMap), false)
		errs <- err
	}()
	cancel()
	for range 2 {
		err := <-errs
		var failed *Error
		if !errors.As(err, &failed) || !errors.Is(err, context.Canceled) || resource.Uncertain(err) {
			t.Fatalf("%v", err)
		}
		if _, unreachable := resource.Unreachable(err); unreachable {
			t.Errorf("%v counts as unreachable", err)
		}
		if sent := strings.HasPrefix(err.Error(), "apply"); resource.Unsent(err) == sent {
			t.Errorf("%v: unsent is %t", err, !sent)
		}
	}
	if server.count() != 1 {
		t.Errorf("%d requests", server.count())
	}
}

func TestTimeLimit(t *testing.T) {
	server := newAnswers(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	c := server.open(t, func(c *Config) { c.Timeout = 50 * time.Millisecond })
	_, err := c.Create(t.Context(), configMaps, object(t, oneConfigMap), false)
	if !resource.Uncertain(err) || !resource.Lingering(err) || !strings.HasSuffix(err.Error(), ": no answer within 50ms") {
		t.Errorf("%v", err)
	}
	if silence, ok := resource.Unreachable(err); !ok || "https://"+silence.Host != server.URL {
		t.Errorf("%v", silence)
	}
}

// TestGivenUp asserts that only the first request waits long for a server that
// has gone, and that an answer ends that.
func TestGivenUp(t *testing.T) {
	read, c := call{op: "get", repeatable: true}, &Cluster{}
	lost := func(attempts int) *Error { return &Error{Attempts: attempts, Err: errors.New("lost")} }
	for _, step := range []struct {
		name     string
		do       func()
		attempts int
	}{
		{"never answered", func() {}, firstAttempts},
		{"answered", func() { c.answered.Store(true) }, maxAttempts},
		{"one request failed for another reason", func() { c.giveUp(lost(1)) }, maxAttempts},
		{"one request waited to the end", func() { c.giveUp(lost(maxAttempts)) }, firstAttempts},
		{"answered again", func() { c.answered.Store(true) }, maxAttempts},
	} {
		step.do()
		n := 1
		for c.again(read, lost(n)) {
			n++
		}
		if n != step.attempts {
			t.Errorf("%s: %d attempts, want %d", step.name, n, step.attempts)
		}
	}
}
