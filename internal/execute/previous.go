package execute

import (
	"context"
	"fmt"
	"time"

	"kongctl/internal/resource"

	"kongctl/internal/graph"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
)

// succeeded reports whether the run that this one continues carried a change
// out.
func (r *run) succeeded(id string) bool {
	if r.Unfinished == nil {
		return false
	}
	res := r.Unfinished.Results[id]
	return res != nil && res.Status == Succeeded
}

// doneBefore reports whether an earlier part of the run carried a change out,
// and its result was seen.
func (r *run) doneBefore(id string) bool { return r.Done[id] != nil && r.succeeded(id) }

// before counts the changes that an earlier part of the run carried out.
func (r *run) before() int {
	n := 0
	for _, c := range r.Plan.Changes {
		if r.doneBefore(c.ID) {
			n++
		}
	}
	return n
}

// keep takes over a change that an earlier part of the run carried out.
func (r *run) keep(c *plan.Change, res *Result) graph.Outcome {
	ancestors, err := r.ancestors(c)
	if err != nil {
		r.failed(res, err)
		r.store(res, nil, nil)
		return graph.Failed
	}
	r.takeOver(c, res, ancestors)
	return graph.Done
}

func (r *run) takeOver(c *plan.Change, res *Result, ancestors []string) {
	res.Status, res.ResourceID, res.AlreadyDone = Succeeded, r.Done[c.ID].ID, true
	r.store(res, r.Done[c.ID], ancestors)
}

// previous checks a change that an earlier part of the run carried out. It
// counts as done only if its result is there; false leaves it to be checked like
// any other.
func (k *checker) previous(ctx context.Context, c *plan.Change, s remote.Scope) (bool, error) {
	switch {
	case c.Action == plan.Create:
		return true, k.created(ctx, c, s)
	case c.Action == plan.Update && (len(c.SecretWrites) > 0 || k.writtenLater(c)):
		o, err := k.object(ctx, s, c)
		if err != nil || o == nil {
			return false, err
		}
		_, w, err := k.run.filled(c)
		if k.writtenLater(c) || err == nil && fulfilled(s.Type, w.Fields, o) {
			k.done(c, s, o)
			return true, nil
		}
	}
	return false, nil
}

// created looks for what an earlier part of the run created, by its id.
func (k *checker) created(ctx context.Context, c *plan.Change, s remote.Scope) error {
	u := k.run.Unfinished
	id := u.Results[c.ID].ResourceID
	var o *resource.Object
	err := resource.Await(ctx, k.age(u.Ended[c.ID]), k.run.sleep, func() (found bool, err error) {
		o, err = k.byID(ctx, s, id)
		return o != nil, err
	})
	switch {
	case err != nil:
		return err
	case o == nil:
		k.moved(Moved{Change: c, Why: fmt.Sprintf("this run created it (id %s), and it no longer exists", id)})
	case s.Type.HasLabels() && remote.Labels(o)[label.Namespace] != c.Namespace:
		k.moved(Moved{Change: c, Why: fmt.Sprintf("this run created it (id %s), and it no longer belongs to namespace %s", id, c.Namespace)})
	default:
		k.done(c, s, o)
	}
	return nil
}

func (k *checker) byID(ctx context.Context, s remote.Scope, id string) (*resource.Object, error) {
	switch {
	case s.Type.Shape == catalog.Singleton:
		return k.run.Target.Read(ctx, s, "")
	case s.Type.Read != nil:
		return k.run.Target.Read(ctx, s, id)
	}
	objects, err := k.run.Target.List(ctx, s)
	if resource.Missing(err) {
		return nil, nil
	}
	return find(objects, id), err
}

// recent looks by their ids for what other runs created in a scope and its list
// does not show yet.
func (k *checker) recent(ctx context.Context, s remote.Scope, id string, w remote.Write) (*resource.Object, error) {
	for _, m := range k.run.Made {
		if m.ID == "" || scopeKey(remote.Scope{Type: m.Type, Ancestors: m.Ancestors}) != scopeKey(s) || find(k.lists[scopeKey(s)], m.ID) != nil {
			continue
		}
		var o *resource.Object
		if err := resource.Await(ctx, m.Age, k.run.sleep, func() (found bool, err error) {
			o, err = k.byID(ctx, s, m.ID)
			return o != nil, err
		}); err != nil {
			return nil, err
		}
		if o != nil && k.run.named(s.Type, o, id, w.Fields) {
			return o, nil
		}
	}
	return nil, nil
}

// age is how long ago something happened; what is not known was long ago.
func (k *checker) age(at time.Time) time.Duration {
	if at.IsZero() {
		return resource.Settle
	}
	return k.run.Now().Sub(at)
}

// writtenLater reports whether another change of the plan has written the same
// resource after this one.
func (k *checker) writtenLater(c *plan.Change) bool {
	after := false
	for _, other := range k.run.Plan.Changes {
		if after && other.ResourceType == c.ResourceType && other.ResourceID == c.ResourceID && other.ResourceID != "" && k.run.succeeded(other.ID) {
			return true
		}
		after = after || other == c
	}
	return false
}

// sent looks for what a create made whose outcome is not known: reads may be
// behind.
func (k *checker) sent(ctx context.Context, c *plan.Change, s remote.Scope, id string, w remote.Write) (*resource.Object, error) {
	u := k.run.Unfinished
	if u == nil || !u.uncertain(c.ID) {
		return nil, nil
	}
	var o *resource.Object
	err := resource.Await(ctx, k.age(u.Attempts[c.ID].At), k.run.sleep, func() (found bool, err error) {
		o, err = k.run.locate(ctx, s, id, c, w)
		return o != nil, err
	})
	return o, err
}
