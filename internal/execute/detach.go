package execute

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// detachedFor lists the changes that each detaching update is made for.
func detachedFor(p *plan.Plan) map[string][]string {
	out := map[string][]string{}
	for _, c := range p.Changes {
		for _, id := range c.DependsOn {
			if before := p.Change(id); before != nil && len(before.Detaches) > 0 {
				out[id] = append(out[id], c.ID)
			}
		}
	}
	return out
}

// findDetached finds what the run leaves detached.
func (r *Report) findDetached(p *plan.Plan) {
	done, sent := map[string]bool{}, map[string]bool{}
	for _, x := range r.Results {
		done[x.ChangeID] = x.Status == Succeeded
		sent[x.ChangeID] = x.Status == Succeeded || x.Unknown
	}
	r.Detached = p.Detached(func(id string) bool { return sent[id] }, func(id string) bool { return done[id] })
}

// leaves adds to the error of a half of a replace what was detached for it and
// is not attached again.
func (r *run) leaves(c *plan.Change, err error) error {
	if c.Action != plan.Delete && c.Action != plan.Create {
		return err
	}
	waits := c.DependsOn
	if half := r.Plan.Half(c); half != nil {
		waits = slices.Concat(waits, half.DependsOn)
	}
	r.book.mu.Lock()
	defer r.book.mu.Unlock()
	done := func(id string) bool { return r.book.done[id] != nil }
	for _, x := range r.Plan.Detached(done, done) {
		if slices.Contains(waits, x.Detach.ID) {
			err = fmt.Errorf("%w; %s", err, x)
		}
	}
	return err
}
