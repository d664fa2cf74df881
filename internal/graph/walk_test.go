package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/graph"
)

// plot is a random graph with a fate for every node. Time is virtual: a walk
// of an hour takes no time.
type plot struct {
	g     graph.Graph[int]
	limit int
	takes []time.Duration
	fails []bool
}

func random(r *rand.Rand) *plot {
	n := 1 + r.IntN(24)
	p := &plot{limit: r.IntN(6)}
	density := r.Float64() * 0.4
	for i := range n {
		p.g.Add(i)
		p.takes = append(p.takes, time.Duration(1+r.IntN(5))*time.Second)
		p.fails = append(p.fails, r.Float64() < 0.15)
		for j := range i {
			if r.Float64() < density {
				p.g.Need(i, j)
			}
		}
	}
	return p
}

// behindFailure lists the nodes that can be reached from a node that fails.
func (p *plot) behindFailure() map[int]bool {
	out := map[int]bool{}
	for i := range p.takes { // edges lead to smaller numbers
		out[i] = slices.ContainsFunc(p.g.Needs(i), func(j int) bool { return out[j] || p.fails[j] })
	}
	return out
}

// waitsFor tells whether i needs j through any number of steps.
func (p *plot) waitsFor(i, j int) bool {
	return slices.ContainsFunc(p.g.Needs(i), func(k int) bool { return k == j || p.waitsFor(k, j) })
}

// watch is what was seen of a walk.
type watch struct {
	mu      sync.Mutex
	t       *testing.T
	plot    *plot
	stopped bool
	flying  int
	began   map[int]time.Time
	ended   map[int]time.Time
	skipped map[int]*int
}

func (p *plot) walk(ctx context.Context, t *testing.T) (*watch, map[int]graph.Outcome) {
	w := &watch{t: t, plot: p, began: map[int]time.Time{}, ended: map[int]time.Time{}, skipped: map[int]*int{}}
	if done := ctx.Done(); done != nil {
		go func() {
			<-done
			w.mu.Lock()
			defer w.mu.Unlock()
			w.stopped = true
		}()
	}
	return w, p.g.Walk(ctx, graph.Walker[int]{Do: w.do, Skip: w.skip, Limit: p.limit})
}

func (w *watch) do(_ context.Context, n int) graph.Outcome {
	w.begin(n)
	time.Sleep(w.plot.takes[n])
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flying--
	w.ended[n] = time.Now()
	if w.plot.fails[n] {
		return graph.Failed
	}
	return graph.Done
}

func (w *watch) begin(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, again := w.began[n]; again {
		w.t.Errorf("node %d started twice", n)
	}
	for _, before := range w.plot.g.Needs(n) {
		if _, ok := w.ended[before]; !ok || w.plot.fails[before] {
			w.t.Errorf("node %d started before %d was done", n, before)
		}
	}
	if w.stopped {
		w.t.Errorf("node %d started after the context ended", n)
	}
	w.began[n] = time.Now()
	if w.flying++; w.flying > max(1, w.plot.limit) {
		w.t.Errorf("%d nodes at once, the limit is %d", w.flying, w.plot.limit)
	}
}

func (w *watch) skip(n int, because *int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, again := w.skipped[n]; again {
		w.t.Errorf("node %d skipped twice", n)
	}
	w.skipped[n] = because
}

// each runs a check on many random graphs, in virtual time.
func each(t *testing.T, seed uint64, check func(t *testing.T, r *rand.Rand, p *plot)) {
	t.Helper()
	for i := range uint64(300) {
		ok := t.Run(fmt.Sprintf("graph %d", i), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, i))
				check(t, r, random(r))
			})
		})
		if !ok {
			return
		}
	}
}

func TestWalkSkipsExactlyWhatIsBehindAFailure(t *testing.T) {
	each(t, 1, func(t *testing.T, _ *rand.Rand, p *plot) {
		w, got := p.walk(context.Background(), t)
		want := map[int]graph.Outcome{}
		behind := p.behindFailure()
		for i := range p.takes {
			switch {
			case behind[i]:
				want[i] = graph.Skipped
			case p.fails[i]:
				want[i] = graph.Failed
			default:
				want[i] = graph.Done
			}
			if _, started := w.began[i]; started == behind[i] {
				t.Errorf("node %d: behind a failure %v, started %v", i, behind[i], started)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("outcomes (-want +got):\n%s", diff)
		}
		for n, because := range w.skipped {
			if because == nil || !p.fails[*because] || !p.waitsFor(n, *because) {
				t.Errorf("node %d was skipped for the wrong reason", n)
			}
		}
		if len(w.skipped) != len(behind)-countFalse(behind) {
			t.Errorf("told of %d skipped nodes", len(w.skipped))
		}
	})
}

func countFalse(m map[int]bool) int {
	n := 0
	for _, b := range m {
		if !b {
			n++
		}
	}
	return n
}

func TestWalkStartsANodeAsSoonAsItCan(t *testing.T) {
	each(t, 2, func(t *testing.T, _ *rand.Rand, p *plot) {
		p.limit = len(p.takes)
		start := time.Now()
		w, _ := p.walk(context.Background(), t)
		for n, began := range w.began {
			ready := start
			for _, before := range p.g.Needs(n) {
				if w.ended[before].After(ready) {
					ready = w.ended[before]
				}
			}
			if !began.Equal(ready) {
				t.Errorf("node %d could start at %s and started at %s", n, ready.Sub(start), began.Sub(start))
			}
		}
	})
}

func TestWalkUsesItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &plot{limit: 3, fails: make([]bool, 7)}
		for i := range 7 {
			p.g.Add(i)
			p.takes = append(p.takes, time.Second)
		}
		start := time.Now()
		p.walk(context.Background(), t)
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("7 nodes of a second each, 3 at once, took %s", took)
		}
	})
}

func TestWalkFinishesWhatIsInFlightWhenTheContextEnds(t *testing.T) {
	interrupted := 0
	each(t, 3, func(t *testing.T, r *rand.Rand, p *plot) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		over := make(chan struct{})
		after := time.Duration(r.IntN(12)) * 500 * time.Millisecond
		go func() {
			defer close(over)
			time.Sleep(after)
			synctest.Wait() // all that start at this moment have started
			cancel()
		}()
		w, got := p.walk(ctx, t)
		if len(got) != len(p.takes) {
			t.Errorf("%d outcomes for %d nodes", len(got), len(p.takes))
		}
		for n := range w.began {
			if _, ended := w.ended[n]; !ended {
				t.Errorf("node %d was left in flight", n)
			}
			if got[n] == graph.Skipped {
				t.Errorf("node %d was worked on and counts as skipped", n)
			}
		}
		for n, because := range w.skipped {
			if because == nil {
				interrupted++
			}
			if _, started := w.began[n]; started {
				t.Errorf("node %d was skipped and started", n)
			}
			if because == nil && ctx.Err() == nil {
				t.Errorf("node %d was skipped as if the context had ended", n)
			}
		}
		if len(w.began)+len(w.skipped) != len(p.takes) {
			t.Errorf("%d started and %d skipped of %d", len(w.began), len(w.skipped), len(p.takes))
		}
		<-over
	})
	if interrupted == 0 {
		t.Error("no walk was interrupted: the test shows nothing")
	}
}

func TestWalkOfAnEndedContextStartsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := build([]string{"a"}, []edge{{"b", "a"}})
	var skipped []string
	got := g.Walk(ctx, graph.Walker[string]{
		Do:   func(context.Context, string) graph.Outcome { t.Error("started"); return graph.Done },
		Skip: func(n string, _ *string) { skipped = append(skipped, n) },
	})
	if diff := cmp.Diff([]string{"a", "b"}, skipped); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]graph.Outcome{"a": graph.Skipped, "b": graph.Skipped}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWalkPassesTheContextOn(t *testing.T) {
	type key struct{}
	g := build([]string{"a"}, nil)
	g.Walk(context.WithValue(context.Background(), key{}, "there"), graph.Walker[string]{
		Do: func(ctx context.Context, _ string) graph.Outcome {
			if ctx.Value(key{}) != "there" {
				t.Error("the context lost its value")
			}
			return graph.Done
		},
	})
}

func TestGroupsOfRandomGraphs(t *testing.T) {
	each(t, 4, func(t *testing.T, _ *rand.Rand, p *plot) {
		group := map[int]int{}
		for i, nodes := range p.g.Groups() {
			for _, n := range nodes {
				group[n] = i
			}
		}
		for n := range p.takes {
			first := 0
			for _, before := range p.g.Needs(n) {
				first = max(first, group[before]+1)
			}
			if got, ok := group[n]; !ok || got != first {
				t.Errorf("node %d is in group %d and fits into %d", n, got, first)
			}
		}
		if c := p.g.Cycle(); c != nil {
			t.Errorf("a cycle where there is none: %v", c)
		}
	})
}

// What comes after others starts when those have ended, failed and skipped ones
// too.
func TestWalkAfterTheEnd(t *testing.T) {
	var g graph.Graph[string]
	g.Need("behind", "fails")
	for _, before := range []string{"fails", "behind", "fine"} {
		g.After("last", before)
	}
	if got := g.Order()[3]; got != "last" {
		t.Errorf("order: %v", g.Order())
	}
	var order []string
	out := g.Walk(t.Context(), graph.Walker[string]{
		Do: func(_ context.Context, n string) graph.Outcome {
			order = append(order, n)
			if n == "fails" {
				return graph.Failed
			}
			return graph.Done
		},
		Skip: func(n string, _ *string) { order = append(order, "skip "+n) },
	})
	if diff := cmp.Diff([]string{"fails", "skip behind", "fine", "last"}, order); diff != "" {
		t.Error(diff)
	}
	if out["last"] != graph.Done {
		t.Errorf("last: %v", out["last"])
	}
	g.Need("fine", "last")
	if cycle := g.Cycle(); cycle == nil {
		t.Error("the cycle was not found")
	}
}

// What waits leaves its slot to others, and what needs it starts when it is done.
func TestWalkWithWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g graph.Graph[string]
		for _, n := range []string{"a", "b", "c"} {
			g.Add(n)
		}
		g.Need("after a", "a")
		g.Need("after c", "c")
		began, start := map[string]time.Duration{}, time.Now()
		out := g.Walk(t.Context(), graph.Walker[string]{
			Do: func(_ context.Context, n string) graph.Outcome {
				began[n] = time.Since(start)
				time.Sleep(time.Second)
				if len(n) == 1 {
					return graph.Waiting
				}
				return graph.Done
			},
			Wait: func(_ context.Context, n string) graph.Outcome {
				time.Sleep(time.Minute)
				if n == "c" {
					return graph.Failed
				}
				return graph.Done
			},
		})
		want := map[string]time.Duration{"a": 0, "b": time.Second, "c": 2 * time.Second, "after a": time.Minute + time.Second}
		if diff := cmp.Diff(want, began); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]graph.Outcome{"a": graph.Done, "b": graph.Done, "c": graph.Failed, "after a": graph.Done, "after c": graph.Skipped}, out); diff != "" {
			t.Error(diff)
		}
	})
}
