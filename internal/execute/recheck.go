package execute

import (
	"context"
	"sync"
	"time"

	"kongctl/internal/resource"

	"kongctl/internal/event"
	"kongctl/internal/graph"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
)

// recheckAfter is how old the last look at a resource may be when it is
// written.
const recheckAfter = 30 * time.Second

// lookout keeps the lists that checks during a run read, so that many changes of
// one list cost one read.
type lookout struct {
	mu    sync.Mutex
	lists map[string]*sight
}

// sight is one list and when it was read.
type sight struct {
	mu      sync.Mutex
	at      time.Time
	objects []*resource.Object
	err     error
}

// outdated reports whether a change must be checked again before it is carried
// out. What belongs to something that this run created cannot have moved.
func (r *run) outdated(c *plan.Change) bool {
	if r.Checked.IsZero() || r.Now().Sub(r.Checked) <= recheckAfter {
		return false
	}
	if c.Action == plan.Create && c.Replace {
		return false // its other half was checked, and both are carried out or neither
	}
	return (c.Parent == nil || c.Parent.Change == "") && !r.written(c)
}

// written reports whether this run has already changed the resource of a
// change: it is not what the plan expects any more, and that is right.
func (r *run) written(c *plan.Change) bool {
	if c.ResourceID == "" {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, other := range r.Plan.Changes {
		if other != c && other.ResourceType == c.ResourceType && other.ResourceID == c.ResourceID && r.done[other.ID] != nil {
			return true
		}
	}
	return false
}

// SkippedBecause is why a change is left out whose resource is not what the plan
// expects.
func SkippedBecause(m Moved) string {
	return "changed in Konnect since this plan was created: " + m.Why
}

// leaveOut skips a change whose resource is not what the plan expects.
func (r *run) leaveOut(c *plan.Change, res *Result, reason string) graph.Outcome {
	res.Status, res.Error, res.LeftOut = Skipped, reason, true
	r.store(res, nil, nil)
	r.emit(event.ChangeSkipped{Change: describe(c), Reason: reason})
	return graph.Skipped
}

// recheck looks at one change again, right before it is carried out. It returns
// the resource when there is nothing left to do.
func (r *run) recheck(ctx context.Context, c *plan.Change) (*resource.Object, error) {
	k := newChecker(r, []*plan.Change{c})
	k.list = r.recent
	if err := k.read(ctx, k.roots([]*plan.Change{c})); err != nil {
		return nil, err
	}
	if err := k.group(ctx, []*plan.Change{c}); err != nil {
		return nil, err
	}
	if len(k.out.Moved) > 0 {
		return nil, &MovedError{Moved: k.out.Moved}
	}
	return k.out.Done[c.ID], nil
}

// recent reads a list unless this run has done so a moment ago.
func (r *run) recent(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	key := scopeKey(s)
	r.rechecks.mu.Lock()
	l := r.rechecks.lists[key]
	if l == nil {
		l = &sight{}
		r.rechecks.lists[key] = l
	}
	r.rechecks.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := r.Now(); l.at.IsZero() || l.err != nil || now.Sub(l.at) > recheckAfter {
		l.at = now
		l.objects, l.err = r.Target.List(ctx, s)
	}
	return l.objects, l.err
}
