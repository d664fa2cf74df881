// Package client speaks HTTP to Konnect.
//
// In: a request as method, path and plain data, or a type of the catalog and
// its values. Out: plain data, or an error that says by its type whether the
// service refused (APIError), was not reached (TransportError) or answered
// something unusable (AnswerError). Repeating, waiting and bounding the number
// of requests happen here and nowhere else. It must never import plan, execute
// or anything that renders, and never hand the token to a host other than the
// configured two.
package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// Clock is the time that waiting goes by.
type Clock interface {
	Now() time.Time
	// Sleep returns the context's error when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// Config says where to and how.
type Config struct {
	BaseURL   string // regional host
	GlobalURL string // identity host; empty means BaseURL
	Token     string // bearer; empty sends none
	// Renew returns the token to use from now on: another one where the token is
	// about to expire, or where the service refused one. Nil: the token stays.
	Renew     func(ctx context.Context, refused string) (string, error)
	UserAgent string

	MaxConcurrency    int           // most requests at once; default 16
	Retry             Retry         // zero values: the defaults
	AttemptTimeout    time.Duration // per attempt; default 2 minutes
	RateLimitFallback time.Duration // wait after a 429 that names no time; default 15 s

	Transport http.RoundTripper // nil: one with the environment's proxy
	Clock     Clock             // nil: real
	Rand      func() float64    // jitter in [0,1), safe for concurrent use; nil: math/rand
	Log       *slog.Logger      // nil: none
	OnRetry   func(RetryInfo)   // may be called from several goroutines at once
	OnRead    func(objects int) // how many objects a list has, or a singleton; likewise
	// OnReading takes how many reads for a plan are about to start, and how many ended;
	// likewise.
	OnReading func(started, ended int)
	// OnAnswer is called when a request that reads ended; its repetitions are no
	// requests of their own. Likewise.
	OnAnswer func()
}

// Format keeps the token out of every printed form.
func (c Config) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "konnect at "+c.BaseURL) }

// Request is one call. Path is already escaped and has no query.
type Request struct {
	Method string
	Path   string
	Query  url.Values
	Body   any // plain data; nil sends none
	Global bool
	// Secrets are texts in Body that must not come back in an error.
	Secrets []string
}

// Response is an answer below 300.
type Response struct {
	Status int
	Header http.Header
	Body   any // plain data with json.Number; nil when empty
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	base, global   *url.URL
	guard          *guard
	http           *http.Client
	gov            *governor
	circuit        circuit
	policy         policy
	clock          Clock
	log            *slog.Logger
	onRetry        func(RetryInfo)
	onRead         func(int)
	onAnswer       func()
	onReading      func(int, int)
	userAgent      string
	attemptTimeout time.Duration
	maxBody        int64
}

// New checks the configuration; it calls nobody.
func New(cfg Config) (*Client, error) {
	base, err := parseBase("base URL", cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	global := base
	if cfg.GlobalURL != "" {
		if global, err = parseBase("identity URL", cfg.GlobalURL); err != nil {
			return nil, err
		}
	}
	token := strings.TrimSpace(cfg.Token)
	if err := checkToken(token); err != nil {
		return nil, err
	}
	if cfg.MaxConcurrency < 0 || !cfg.Retry.valid() || cfg.AttemptTimeout < 0 || cfg.RateLimitFallback < 0 {
		return nil, errors.New("client: concurrency, attempts and times must not be negative")
	}
	cfg = withDefaults(cfg)
	g := &guard{
		next:    cfg.Transport,
		allowed: map[string]bool{origin(base): true, origin(global): true},
		tokens:  newTokens(token, cfg.Renew),
	}
	return &Client{
		base: base, global: global,
		guard:          g,
		http:           &http.Client{Transport: g, CheckRedirect: g.checkRedirect},
		gov:            newGovernor(cfg.MaxConcurrency, cfg.Clock),
		policy:         policy{Retry: cfg.Retry.withDefaults(), fallback: cfg.RateLimitFallback, rand: cfg.Rand},
		clock:          cfg.Clock,
		log:            cfg.Log,
		onRetry:        cfg.OnRetry,
		onRead:         cfg.OnRead,
		onAnswer:       cfg.OnAnswer,
		onReading:      cfg.OnReading,
		userAgent:      cfg.UserAgent,
		attemptTimeout: cfg.AttemptTimeout,
		maxBody:        maxBodySize,
	}, nil
}

func withDefaults(cfg Config) Config {
	if cfg.MaxConcurrency == 0 {
		cfg.MaxConcurrency = 16
	}
	if cfg.AttemptTimeout == 0 {
		cfg.AttemptTimeout = 2 * time.Minute
	}
	if cfg.RateLimitFallback == 0 {
		cfg.RateLimitFallback = 15 * time.Second
	}
	if cfg.UserAgent == "" {
		cfg.UserAgent = "kongctl"
	}
	if cfg.Transport == nil {
		cfg.Transport = newTransport(cfg.MaxConcurrency)
	}
	if cfg.Clock == nil {
		cfg.Clock = realClock{}
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.Float64
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.OnRetry == nil {
		cfg.OnRetry = func(RetryInfo) {}
	}
	if cfg.OnAnswer == nil {
		cfg.OnAnswer = func() {}
	}
	if cfg.OnRead == nil {
		cfg.OnRead = func(int) {}
	}
	if cfg.OnReading == nil {
		cfg.OnReading = func(int, int) {}
	}
	return cfg
}

// Sleep waits, for those who ask again what a client's own rules do not.
func (c *Client) Sleep(ctx context.Context, d time.Duration) error { return c.clock.Sleep(ctx, d) }

// Token returns the token that a request would carry now, for programs that make
// requests of their own to the same hosts.
func (c *Client) Token(ctx context.Context) string { return c.guard.tokens.use(ctx) }

// Stats tells what the governor does at this moment.
func (c *Client) Stats() Stats { return c.gov.stats() }

// Do sends a request, again where that is safe, and returns the answer. The
// error is an APIError for a status of 400 or more, a TransportError when no
// answer came, an AnswerError when the answer cannot be used.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	k, err := c.prepare(r)
	if err != nil {
		return nil, err
	}
	if !k.writes() {
		defer c.onAnswer()
	}
	return c.send(ctx, k)
}

// send makes attempts until one is good or the last of them is used up.
func (c *Client) send(ctx context.Context, k *call) (*Response, error) {
	sent := false // an attempt may have had its effect
	renewed := false
	var effort *remote.Effort
	if k.writes() {
		effort = remote.EffortOf(ctx)
	}
	for attempt := 1; ; attempt++ {
		s, err := c.turn(ctx)
		if err != nil {
			return nil, k.interrupted(err, attempt-1, sent)
		}
		used := c.guard.tokens.use(ctx)
		resp, err := c.try(ctx, k, attempt)
		if !renewed && hasStatus(err, http.StatusUnauthorized) && c.guard.tokens.replace(ctx, used) {
			s.done(unclear, 0)
			renewed = true
			attempt-- // it was refused unseen
			continue
		}
		effort.Attempt(c.policy.MaxAttempts)
		unreachable := c.circuit.note(err, c.clock.Now())
		if k.writes() && (err == nil || noteSent(err, sent)) {
			resource.Wrote(ctx)
		}
		if err == nil {
			s.done(healthy, 0)
			return resp, nil
		}
		wait, pause := c.policy.delay(attempt, err), time.Duration(0)
		if hasStatus(err, http.StatusTooManyRequests) {
			pause = wait
		}
		s.done(loadOf(err), pause)
		// The attempt before may have deleted it although its answer was lost.
		if k.method == http.MethodDelete && attempt > 1 && IsNotFound(err) {
			return &Response{Status: http.StatusNoContent}, nil
		}
		sent = noteSent(err, sent)
		if unreachable || effort.Spent() || !c.policy.again(k.method, attempt, err) {
			return nil, err
		}
		c.onRetry(RetryInfo{Method: k.method, Path: k.path, Attempt: attempt, Wait: wait, Err: err})
		if serr := c.pause(ctx, wait); serr != nil && ctx.Err() == nil && !resource.Unstarted(ctx) {
			return nil, err // what is running is finished, but not repeated
		} else if serr != nil {
			return nil, k.interrupted(serr, attempt, sent)
		}
	}
}

// turn waits until a request may be sent.
func (c *Client) turn(ctx context.Context) (*slot, error) {
	held, release := resource.Held(ctx)
	defer release()
	return c.gov.acquire(held)
}

// pause waits before a request is repeated.
func (c *Client) pause(ctx context.Context, d time.Duration) error {
	held, release := resource.Held(ctx)
	defer release()
	waiting, cancel := resource.Waiting(held)
	defer cancel()
	return c.clock.Sleep(waiting, d)
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Sleep(ctx context.Context, d time.Duration) error { return clock.Sleep(ctx, d) }
