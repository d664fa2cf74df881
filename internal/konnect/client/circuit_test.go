package client

import (
	"context"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/resource"
)

// Nobody answers: after a while requests are tried once each, and an answer
// brings the attempts back.
func TestUnreachableHostFailsAtOnce(t *testing.T) {
	server := newScript(t, answer(200, "application/json", `{}`))
	c, clock := newClient(t, server.URL, func(cfg *Config) {
		cfg.Transport = flakyDial(60)
		cfg.Rand = func() float64 { return 0.99 }
	})
	began, slept := clock.Now(), 0
	for n := range 20 {
		_, err := c.Do(t.Context(), Request{Method: "GET", Path: "/v3/portals"})
		if !Unreachable(err) {
			t.Fatalf("request %d: %v", n, err)
		}
		if n > 0 && len(clock.slept) > slept {
			t.Errorf("request %d waited", n)
		}
		slept = len(clock.slept)
	}
	if took := clock.Now().Sub(began); took > 30*time.Second {
		t.Errorf("20 requests took %s", took)
	}
	var err error
	for range 60 {
		if _, err = c.Do(t.Context(), Request{Method: "GET", Path: "/v3/portals"}); err == nil {
			break
		}
	}
	if err != nil || c.circuit.failures != 0 {
		t.Errorf("it does not recover: %v", err)
	}
}

// When nothing must be repeated any more, the wait before the next attempt ends.
func TestStopEndsTheWaitBetweenAttempts(t *testing.T) {
	server := newScript(t, status(503))
	stop, end := context.WithCancel(t.Context())
	c, clock := newClient(t, server.URL, func(cfg *Config) { cfg.OnRetry = func(RetryInfo) { end() } })
	_, err := c.Do(resource.WithStop(t.Context(), stop), Request{Method: "GET", Path: "/v3/portals"})
	if !hasStatus(err, 503) || len(server.requests()) != 1 {
		t.Errorf("%d requests, %v, slept %v", len(server.requests()), err, clock.slept)
	}
}

// A change that has written nothing is given back when the run stops: its request
// waits no longer, and was not sent. One that has is finished.
func TestStopGivesBackWhatIsNotSent(t *testing.T) {
	post := Request{Method: "POST", Path: "/v3/portals"}
	for name, c := range map[string]struct {
		steps  []step
		before []Request
		unsent bool
	}{
		"refused unseen":              {[]step{status(429)}, nil, true},
		"after a read":                {[]step{status(200), status(429)}, []Request{{Method: "GET", Path: "/v3/portals"}}, true},
		"after a write":               {[]step{status(201), status(429)}, []Request{post}, false},
		"after a write that may work": {[]step{status(500), status(429)}, []Request{post}, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := newScript(t, c.steps...)
			stop, end := context.WithCancel(t.Context())
			client, _ := newClient(t, server.URL, func(cfg *Config) { cfg.OnRetry = func(RetryInfo) { end() } })
			ctx, sending := resource.WithSending(resource.WithStop(t.Context(), stop))
			for _, r := range c.before {
				_, _ = client.Do(ctx, r) // some fail
			}
			_, err := client.Do(ctx, post)
			if got := resource.Unsent(err); got != c.unsent || sending.Untouched() != c.unsent || sending.Held() {
				t.Errorf("unsent %v, want %v: %v", got, c.unsent, err)
			}
			if !c.unsent && !hasStatus(err, 429) {
				t.Errorf("error %v", err)
			}
			if c.unsent {
				if _, err := client.Do(ctx, post); !resource.Unsent(err) || len(server.requests()) != len(c.steps) {
					t.Errorf("%d requests, and later %v", len(server.requests()), err)
				}
			}
		})
	}
}
