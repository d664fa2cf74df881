package drive

import (
	"context"
	"fmt"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// previous checks a change that an earlier part of the run carried out. It
// counts as done only if its result is there; false leaves it to be checked like
// any other.
func (k *checker) previous(ctx context.Context, call *execute.Call, s remote.Scope) (bool, error) {
	c := call.Change
	switch {
	case c.Action == plan.Create:
		return true, k.created(ctx, call, s)
	case c.Action == plan.Update && (len(c.SecretWrites) > 0 || k.writtenLater(c)):
		o, err := k.object(ctx, s, c)
		if err != nil || o == nil {
			return false, err
		}
		if k.writtenLater(c) || k.carriedOut(call, s, o) {
			k.done(call, o)
			return true, nil
		}
	}
	return false, nil
}

// created looks for what an earlier part of the run created, by its id.
func (k *checker) created(ctx context.Context, call *execute.Call, s remote.Scope) error {
	c, id := call.Change, call.Before.Result.ResourceID
	var o *resource.Object
	err := resource.Await(ctx, k.age(call.Before.Ended), k.d.sleep, func() (found bool, err error) {
		o, err = k.byID(ctx, s, id)
		return o != nil, err
	})
	switch {
	case err != nil:
		return err
	case o == nil:
		k.moved(call, fmt.Sprintf("this run created it (id %s), and it no longer exists", id))
	case s.Type.HasLabels() && catalog.Labels(o)[label.Namespace] != c.Namespace:
		k.moved(call, fmt.Sprintf("this run created it (id %s), and it no longer belongs to namespace %s", id, c.Namespace))
	default:
		k.done(call, o)
	}
	return nil
}

func (k *checker) byID(ctx context.Context, s remote.Scope, id string) (*resource.Object, error) {
	switch {
	case s.Type.Shape == catalog.Singleton:
		return k.d.Target.Read(ctx, s, "")
	case s.Type.Read != nil:
		return k.d.Target.Read(ctx, s, id)
	}
	objects, err := k.d.Target.List(ctx, s)
	if resource.Missing(err) {
		return nil, nil
	}
	return find(objects, id), err
}

// recent looks by their ids for what other runs created in a scope and its list
// does not show yet.
func (k *checker) recent(ctx context.Context, s remote.Scope, id string, c *plan.Change, w remote.Write) (*resource.Object, error) {
	for _, m := range k.d.Made {
		if m.ID == "" || scopeKey(remote.Scope{Type: m.Type, Ancestors: m.Ancestors}) != scopeKey(s) || find(k.lists[scopeKey(s)], m.ID) != nil {
			continue
		}
		var o *resource.Object
		if err := resource.Await(ctx, m.Age, k.d.sleep, func() (found bool, err error) {
			o, err = k.byID(ctx, s, m.ID)
			return o != nil, err
		}); err != nil {
			return nil, err
		}
		if o != nil && inPlace(s.Type, o, id, c, w.Fields) {
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
	return k.d.Now().Sub(at)
}

// writtenLater reports whether another change of the plan has written the same
// resource after this one.
func (k *checker) writtenLater(c *plan.Change) bool {
	after := false
	for _, other := range k.d.plan.Changes {
		if after && other.ResourceType == c.ResourceType && other.ResourceID == c.ResourceID && other.ResourceID != "" && k.d.calls[other.ID].Before.Succeeded() {
			return true
		}
		after = after || other == c
	}
	return false
}

// sent looks for what a create made whose outcome is not known: reads may be
// behind.
func (k *checker) sent(ctx context.Context, c *execute.Call, s remote.Scope, id string, w remote.Write) (*resource.Object, error) {
	if !c.Before.Uncertain() {
		return nil, nil
	}
	var o *resource.Object
	err := resource.Await(ctx, k.age(c.Before.Sent), k.d.sleep, func() (found bool, err error) {
		o, err = k.d.locate(ctx, s, id, c.Change, w)
		return o != nil, err
	})
	return o, err
}
