package graph

import "context"

// Outcome is how the work on a node ended.
type Outcome uint8

// The outcomes. Waiting is not an end: Wait says how the node ends.
const (
	Done Outcome = iota
	Failed
	Skipped
	Waiting
)

// Walker says how to walk a graph.
type Walker[N comparable] struct {
	// Do works on a node. It runs concurrently.
	Do func(ctx context.Context, n N) Outcome
	// Wait waits for a node that Do left waiting. Any number of nodes wait at
	// once, besides those that are worked on.
	Wait func(ctx context.Context, n N) Outcome
	// Skip receives a node that is not worked on because one that it needs
	// was not done, or because the context ended (then because is nil).
	Skip func(n N, because *N)
	// Limit is how many nodes are worked on at once; 0 means one.
	Limit int
}

type result[N comparable] struct {
	node    N
	outcome Outcome
	waited  bool
}

// Walk works on every node as soon as all it needs are done and all that it
// comes after have ended. A failure skips only what needs the node. When ctx
// ends, what is in flight is finished and nothing new is started. Skip is called
// serially; Walk returns the outcomes.
func (g *Graph[N]) Walk(ctx context.Context, w Walker[N]) map[N]Outcome {
	run := &walk[N]{w: w, ctx: ctx, open: map[N]int{}, behind: map[N][]N{}, later: map[N][]N{}, out: map[N]Outcome{}, results: make(chan result[N])}
	if run.w.Limit < 1 {
		run.w.Limit = 1
	}
	for _, n := range g.nodes {
		run.open[n] = len(g.needs[n]) + len(g.after[n])
		for _, before := range g.needs[n] {
			run.behind[before] = append(run.behind[before], n)
		}
		for _, before := range g.after[n] {
			run.later[before] = append(run.later[before], n)
		}
		if run.open[n] == 0 {
			run.ready = append(run.ready, n)
		}
	}
	run.loop()
	return run.out
}

type walk[N comparable] struct {
	w   Walker[N]
	ctx context.Context
	// open counts what must end before a node starts; behind are the nodes that
	// need a node, later those that come after it.
	open          map[N]int
	behind, later map[N][]N
	ready         []N
	flying        int
	waiting       int
	out           map[N]Outcome
	results       chan result[N]
}

func (r *walk[N]) loop() {
	for len(r.ready) > 0 || r.flying+r.waiting > 0 {
		for len(r.ready) > 0 && r.flying < r.w.Limit {
			n := r.ready[0]
			r.ready = r.ready[1:]
			if r.ctx.Err() != nil {
				r.skip(n, nil)
				continue
			}
			r.flying++
			go func() { r.results <- result[N]{n, r.w.Do(r.ctx, n), false} }()
		}
		if r.flying+r.waiting == 0 {
			continue
		}
		r.take(<-r.results)
	}
}

func (r *walk[N]) take(res result[N]) {
	if res.waited {
		r.waiting--
	} else {
		r.flying--
	}
	if res.outcome == Waiting {
		r.waiting++
		go func() { r.results <- result[N]{res.node, r.w.Wait(r.ctx, res.node), true} }()
		return
	}
	r.out[res.node] = res.outcome
	if res.outcome == Done {
		r.release(r.behind[res.node])
	} else {
		for _, n := range r.behind[res.node] {
			r.skip(n, &res.node)
		}
	}
	r.release(r.later[res.node])
}

func (r *walk[N]) release(nodes []N) {
	for _, next := range nodes {
		r.open[next]--
		if _, over := r.out[next]; r.open[next] == 0 && !over {
			r.ready = append(r.ready, next)
		}
	}
}

func (r *walk[N]) skip(n N, because *N) {
	if _, over := r.out[n]; over {
		return
	}
	r.out[n] = Skipped
	if r.w.Skip != nil {
		r.w.Skip(n, because)
	}
	for _, next := range r.behind[n] {
		r.skip(next, because)
	}
	r.release(r.later[n])
}
