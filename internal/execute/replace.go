package execute

import (
	"context"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/plan"
)

// A replace is one thing: a DELETE and the CREATE that follows it. Both are
// carried out, or neither.

// skipWhole adds to what is skipped from the start what depends on it, the other
// halves of replaces, and what would be detached for them: a delete must not run
// when its create will not.
func (r *run) skipWhole() map[string]string {
	p, skip := r.Plan, r.Skip
	if len(skip) == 0 {
		return skip
	}
	pairs, detached, first := p.Halves(), detachedFor(p), map[string]string{}
	for id := range skip {
		first[id] = id
	}
	for again := true; again; {
		again = false
		for _, c := range p.Changes {
			if first[c.ID] != "" {
				continue
			}
			for _, id := range slices.Concat(c.DependsOn, []string{pairs[c.ID]}, detached[c.ID]) {
				if first[id] != "" {
					first[c.ID], again = first[id], true
				}
			}
		}
	}
	out := maps.Clone(skip)
	for id, because := range first {
		switch {
		case id == because:
		case pairs[id] == because:
			out[id] = skip[because]
		default:
			out[id] = "waits for " + r.book.calls[because].Name + ", which was skipped"
		}
	}
	return out
}

// joined lists the replaces whose CREATE waits for nothing but its DELETE and
// what that waits for, by the id of the DELETE. They are carried out in one go,
// so that nothing stops a run between the two.
func joined(p *plan.Plan) map[string]string {
	out := map[string]string{}
	for _, c := range p.Changes {
		d := p.Half(c)
		if c.Action != plan.Create || d == nil {
			continue
		}
		if !slices.ContainsFunc(c.DependsOn, func(x string) bool { return x != d.ID && !slices.Contains(d.DependsOn, x) }) {
			out[d.ID] = c.ID
		}
	}
	return out
}

// step carries out one change, and the CREATE of a replace right after its
// DELETE.
func (r *run) step(id string) graph.Outcome {
	if r.book.awaited[id] != nil {
		return graph.Waiting
	}
	if isGate(id) {
		return graph.Done
	}
	if outcome, done := r.book.ended(id); done {
		return outcome
	}
	return r.follow(id, r.change(id))
}

// follow continues with the CREATE of a replace whose DELETE is done.
func (r *run) follow(id string, outcome graph.Outcome) graph.Outcome {
	if next := r.joined[id]; next != "" && outcome == graph.Done && r.change(next) == graph.Waiting {
		return graph.Waiting
	}
	return outcome
}

// mayDelete refuses the DELETE of a replace when the target would refuse what
// its CREATE sends, now that all of it is known.
func (r *run) mayDelete(ctx context.Context, c *Call) error {
	if c.Change.Action != plan.Delete || !c.Change.Replace {
		return nil
	}
	half := r.Plan.Half(c.Change)
	if half == nil || r.book.calls[half.ID] == nil {
		return nil
	}
	next := r.book.calls[half.ID]
	driver, refuses := next.driver.(Replacer)
	err := next.Fill()
	switch {
	case err != nil && r.joined[c.Change.ID] == "":
		return nil // something in between makes it known
	case err != nil || !refuses:
		return err
	}
	return driver.MayReplace(ctx, next)
}
