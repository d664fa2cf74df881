package execute

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/resource"
)

// await is something that changes wait for and that no change is about.
type await struct {
	driver Awaiter
	name   string
	err    error // why it is not ready
}

// awaits adds to the graph what changes of a driver wait for besides each other:
// each is waited for once, from the start.
func (b *book) awaits(g *graph.Graph[string], index int, d Driver) {
	driver, ok := d.(Awaiter)
	if !ok {
		return
	}
	for _, c := range b.driven[d] {
		if b.doneBefore(c.Change.ID) {
			continue
		}
		for _, name := range driver.Awaits(c) {
			id := fmt.Sprintf("%s%d:%s", gatePrefix, index, name)
			b.awaited[id] = &await{driver: driver, name: name}
			g.Need(c.Change.ID, id)
		}
	}
}

// awaitOne waits for what changes wait for.
func (r *run) awaitOne(a *await) graph.Outcome {
	ctx, cancel := resource.Waiting(r.aborting)
	defer cancel()
	if err := a.driver.Await(ctx, a.name); err != nil {
		a.err = err // read when Skip is called, after this
		return graph.Failed
	}
	return graph.Done
}

// because completes the result of a change that is skipped for another one, or for
// something else that is not ready.
func (r *run) because(res *Result, id string) {
	if a := r.book.awaited[id]; a != nil {
		res.Err, res.Error = a.err, a.err.Error()
		return
	}
	how := "failed"
	switch {
	case r.book.leftOut(id):
		how = "was skipped"
	case r.book.aborted(id):
		how = "was aborted"
	}
	res.Error = fmt.Sprintf("waits for %s, which %s", r.book.calls[id].Name, how)
}
