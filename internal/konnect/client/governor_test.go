package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func take(t *testing.T, g *governor, n int) []*slot {
	t.Helper()
	var out []*slot
	for range n {
		s, err := g.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func wantLimit(t *testing.T, g *governor, want int) {
	t.Helper()
	if got := g.stats().Limit; got != want {
		t.Fatalf("the bound is %d, want %d", got, want)
	}
}

func TestGovernorRaisesAndLowers(t *testing.T) {
	g := newGovernor(6, newClock())
	wantLimit(t, g, 4)
	for _, want := range []int{5, 6, 6} { // never complained: one up for each success, to the maximum
		take(t, g, 1)[0].done(healthy, 0)
		wantLimit(t, g, want)
	}
	for _, want := range []int{3, 1, 1} { // halves, never below one
		take(t, g, 1)[0].done(overloaded, 0)
		wantLimit(t, g, want)
	}
	for _, want := range []int{2, 2, 3, 3, 3, 4} { // after complaints: one up for a round of successes
		take(t, g, 1)[0].done(healthy, 0)
		wantLimit(t, g, want)
	}
	take(t, g, 1)[0].done(unclear, 0)
	wantLimit(t, g, 4)
}

func TestGovernorHalvesOncePerRound(t *testing.T) {
	g := newGovernor(16, newClock())
	slots := take(t, g, 4)
	for _, s := range slots[:3] {
		s.done(overloaded, 0)
	}
	wantLimit(t, g, 2)
	slots[3].done(healthy, 0) // started under the old bound: proves nothing for the new
	take(t, g, 1)[0].done(healthy, 0)
	wantLimit(t, g, 2)
	take(t, g, 1)[0].done(overloaded, 0)
	wantLimit(t, g, 1)
}

func TestGovernorStartsNoHigherThanItsMaximum(t *testing.T) {
	wantLimit(t, newGovernor(2, newClock()), 2)
}

func TestGovernorQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGovernor(2, realClock{})
		held := take(t, g, 2)
		order := make(chan int, 3)
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 3 {
			go func() {
				waitCtx := t.Context()
				if i == 1 {
					waitCtx = ctx
				}
				s, err := g.acquire(waitCtx)
				if (err != nil) != (i == 1) {
					t.Errorf("waiter %d: %v", i, err)
				}
				order <- i
				if s != nil {
					s.done(unclear, 0)
				}
			}()
			synctest.Wait()
		}
		if got := g.stats(); got != (Stats{Limit: 2, InFlight: 2, Waiting: 3}) {
			t.Fatalf("%+v", got)
		}
		cancel()
		if got := <-order; got != 1 {
			t.Fatalf("waiter %d came first, want the cancelled one", got)
		}
		held[0].done(unclear, 0)
		if first, second := <-order, <-order; first != 0 || second != 2 {
			t.Errorf("order %d, %d: not first come first served", first, second)
		}
		held[1].done(unclear, 0)
		synctest.Wait()
		if got := g.stats(); got != (Stats{Limit: 2}) {
			t.Errorf("in the end %+v", got)
		}
	})
}

func TestGovernorHandsOnATurnThatCameTooLate(t *testing.T) {
	for range 50 { // which of two events the waiter sees first is chance
		synctest.Test(t, func(t *testing.T) {
			g := newGovernor(1, realClock{})
			take(t, g, 1)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				if s, err := g.acquire(ctx); err == nil {
					s.done(unclear, 0)
				}
			}()
			synctest.Wait()
			g.mu.Lock() // the waiter gives up and gets its turn in one instant
			cancel()
			g.inFlight--
			g.admit()
			g.mu.Unlock()
			synctest.Wait()
			if got := g.stats(); got != (Stats{Limit: 1}) {
				t.Fatalf("in the end %+v", got)
			}
		})
	}
}

func TestPauseHoldsBackEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var log []string
		start := time.Now()
		c, err := New(Config{
			BaseURL: "http://localhost", Rand: func() float64 { return 0 },
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				log = append(log, fmt.Sprintf("%s at %s", r.URL.Path, time.Since(start)))
				if len(log) == 1 {
					res := emptyAnswer(r, 429)
					res.Header.Set("Retry-After", "30")
					return res, nil
				}
				return emptyAnswer(r, 204), nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i, path := range []string{"/first", "/second", "/third"} {
			time.Sleep(time.Duration(i) * time.Second)
			wg.Go(func() {
				if _, err := c.Do(t.Context(), Request{Method: "POST", Path: path}); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		wg.Wait()
		for i, line := range log {
			if want := "at 30s"; i > 0 && line[len(line)-len(want):] != want {
				t.Errorf("request %d: %s", i, line)
			}
		}
		if len(log) != 4 {
			t.Errorf("requests %q", log)
		}
	})
}

func TestPauseCanBeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGovernor(4, realClock{})
		take(t, g, 1)[0].done(overloaded, time.Hour)
		take := func(patience time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			s, err := g.acquire(ctx)
			if err == nil {
				s.done(unclear, 0)
			}
			return err
		}
		for range 5 { // more than there are slots: none is lost
			if err := take(time.Minute); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
		}
		if err := take(time.Hour); err != nil {
			t.Errorf("after the pause: %v", err)
		}
		if got := g.stats(); got.InFlight != 0 {
			t.Errorf("in the end %+v", got)
		}
	})
}

func TestConcurrencyFollowsTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		var refuse atomic.Bool
		c, err := New(Config{
			BaseURL: "http://localhost", MaxConcurrency: 8, Retry: Retry{MaxAttempts: 50},
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				n := now.Add(1)
				defer now.Add(-1)
				most.Store(max(most.Load(), n))
				time.Sleep(100 * time.Millisecond)
				if refuse.Load() {
					return emptyAnswer(r, 503), nil
				}
				return emptyAnswer(r, 204), nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		run := func(n int) {
			most.Store(0)
			for range n {
				wg.Go(func() {
					if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "/x"}); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		}
		run(100)
		if most.Load() != 8 || c.Stats() != (Stats{Limit: 8}) {
			t.Errorf("a willing service got %d at once; %+v", most.Load(), c.Stats())
		}
		refuse.Store(true)
		time.AfterFunc(5*time.Second, func() { refuse.Store(false) })
		var low atomic.Int32
		time.AfterFunc(4*time.Second, func() { low.Store(int32(c.Stats().Limit)) })
		run(20)
		if low.Load() != 1 {
			t.Errorf("an overloaded service still got %d at once", low.Load())
		}
	})
}
