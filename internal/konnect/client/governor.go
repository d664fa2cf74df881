package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
)

const firstLimit = 4

// Stats is what the governor does at this moment.
type Stats struct {
	Limit    int // requests allowed at once
	InFlight int
	Waiting  int
}

// governor bounds the requests in flight. The bound rises while the service
// copes and falls when it says that it does not.
type governor struct {
	clock Clock
	most  int

	mu       sync.Mutex
	limit    int
	inFlight int
	queue    []chan struct{}
	until    time.Time // nobody starts before
	epoch    int       // how many times the bound fell
	credit   int       // successes since the bound last changed
}

func newGovernor(most int, clock Clock) *governor {
	return &governor{clock: clock, most: most, limit: min(firstLimit, most)}
}

func (g *governor) stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Stats{Limit: g.limit, InFlight: g.inFlight, Waiting: len(g.queue)}
}

// slot is the right to have one request in flight.
type slot struct {
	g     *governor
	epoch int
}

// acquire waits for a slot, first come first served, and for the end of a
// pause. The error is the context's.
func (g *governor) acquire(ctx context.Context) (*slot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := g.enter(ctx); err != nil {
		return nil, err
	}
	for {
		g.mu.Lock()
		wait, epoch := g.until.Sub(g.clock.Now()), g.epoch
		g.mu.Unlock()
		if wait <= 0 {
			return &slot{g: g, epoch: epoch}, nil
		}
		if err := g.clock.Sleep(ctx, wait); err != nil {
			g.leave()
			return nil, err
		}
	}
}

func (g *governor) enter(ctx context.Context) error {
	g.mu.Lock()
	if len(g.queue) == 0 && g.inFlight < g.limit {
		g.inFlight++
		g.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	g.queue = append(g.queue, turn)
	g.mu.Unlock()

	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	i := slices.Index(g.queue, turn)
	if i >= 0 {
		g.queue = slices.Delete(g.queue, i, i+1)
	}
	g.mu.Unlock()
	if i < 0 { // the turn came in the same instant: hand it on
		g.leave()
	}
	return ctx.Err()
}

func (g *governor) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inFlight--
	g.admit()
}

func (g *governor) admit() {
	for len(g.queue) > 0 && g.inFlight < g.limit {
		g.inFlight++
		close(g.queue[0])
		g.queue = g.queue[1:]
	}
}

// load is what one answer says about the service.
type load int

const (
	unclear load = iota
	healthy
	overloaded
)

func loadOf(err error) load {
	if err == nil {
		return healthy
	}
	var ae *APIError
	if errors.As(err, &ae) {
		switch ae.Status {
		case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return overloaded
		}
		if ae.Status < http.StatusInternalServerError {
			return healthy
		}
		return unclear
	}
	var te *TransportError
	if errors.As(err, &te) && !te.interrupted && isTimeout(te.Err) {
		return overloaded
	}
	return unclear
}

// done gives the slot back with what was learnt. A pause holds back everybody.
func (s *slot) done(l load, pause time.Duration) {
	g := s.g
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := g.clock.Now().Add(pause); pause > 0 && until.After(g.until) {
		g.until = until
	}
	// Requests that started before the bound fell tell of the old bound:
	// one burst of refusals halves it once.
	if s.epoch == g.epoch {
		switch l {
		case overloaded:
			g.limit, g.credit = max(1, g.limit/2), 0
			g.epoch++
		case healthy:
			g.raise()
		case unclear:
		}
	}
	g.inFlight--
	g.admit()
}

// raise adds one: for every success until the service first complains, then
// for every full round of successes.
func (g *governor) raise() {
	g.credit++
	if g.limit < g.most && (g.epoch == 0 || g.credit >= g.limit) {
		g.limit++
		g.credit = 0
	}
}
