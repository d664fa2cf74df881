package execute

import (
	"context"
	"errors"
	"maps"
	"slices"

	"kongctl/internal/graph"
	"kongctl/internal/plan"
)

// A replace is one thing: a DELETE and the CREATE that follows it. Both are
// carried out, or neither.

// halves pairs the changes of a plan that make up a replace, by id, both ways.
func halves(p *plan.Plan) map[string]string {
	out := map[string]string{}
	for _, c := range p.Changes {
		if c.Action != plan.Create || !c.Replace {
			continue
		}
		for _, id := range c.DependsOn {
			d := p.Change(id)
			if d != nil && d.Action == plan.Delete && d.Replace && d.ResourceType == c.ResourceType && d.ResourceRef == c.ResourceRef {
				out[c.ID], out[d.ID] = d.ID, c.ID
			}
		}
	}
	return out
}

// skipWhole adds to what is skipped from the start what depends on it, the other
// halves of replaces, and what would be detached for them: a delete must not run
// when its create will not.
func skipWhole(p *plan.Plan, skip map[string]string) map[string]string {
	if len(skip) == 0 {
		return skip
	}
	pairs, detached, first := halves(p), detachedFor(p), map[string]string{}
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
			out[id] = "waits for " + name(p.Change(because)) + ", which was skipped"
		}
	}
	return out
}

// joined lists the replaces whose CREATE waits for nothing but its DELETE and
// what that waits for, by the id of the DELETE. They are carried out in one go,
// so that nothing stops a run between the two.
func joined(p *plan.Plan) map[string]string {
	out, pairs := map[string]string{}, halves(p)
	for _, c := range p.Changes {
		id := pairs[c.ID]
		if c.Action != plan.Create || id == "" {
			continue
		}
		d := p.Change(id)
		if !slices.ContainsFunc(c.DependsOn, func(x string) bool { return x != id && !slices.Contains(d.DependsOn, x) }) {
			out[id] = c.ID
		}
	}
	return out
}

// step carries out one change, and the CREATE of a replace right after its
// DELETE.
func (r *run) step(ctx context.Context, id string) graph.Outcome {
	if outcome, done := r.ended(id); done {
		return outcome
	}
	outcome := r.change(ctx, id)
	if next := r.joined[id]; next != "" && outcome == graph.Done {
		r.change(context.WithoutCancel(ctx), next)
	}
	return outcome
}

// mayDelete refuses the DELETE of a replace when Konnect would refuse what its
// CREATE sends, now that all of it is known: for its form, or for a value that
// another resource has.
func (r *run) mayDelete(ctx context.Context, c *plan.Change) error {
	if c.Action != plan.Delete || !c.Replace {
		return nil
	}
	next := r.Plan.Change(halves(r.Plan)[c.ID])
	if next == nil {
		return nil
	}
	_, w, err := r.filled(next)
	switch {
	case err != nil && r.joined[c.ID] == "":
		return nil // something in between makes it known
	case err != nil:
		return err
	}
	if err := r.acceptable(next, w, false); err != nil || !r.replaces(next) {
		return err
	}
	all, err := holders(ctx, r.Target, r.Catalog.Kind(next.ResourceType))
	if err != nil {
		return err
	}
	if why := r.taken(next, w, all); why != "" {
		return errors.New(why)
	}
	return nil
}

// ended is the outcome of a change that was carried out with its other half.
func (r *run) ended(id string) (graph.Outcome, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	res := r.results[id]
	if res == nil {
		return graph.Done, false
	}
	switch res.Status {
	case Succeeded:
		return graph.Done, true
	case Failed:
		return graph.Failed, true
	default:
		return graph.Skipped, true
	}
}
