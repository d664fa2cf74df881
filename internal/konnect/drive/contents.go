package drive

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// contentsAtOnce is how many resources are read at once for one delete.
const contentsAtOnce = 8

// unlisted are the fields of a resource to delete that its list leaves out and that
// are not what the plan kept. Where it kept nothing, the time of the last change
// must be what it was, unless this run may have moved it.
func (k *checker) unlisted(ctx context.Context, call *execute.Call, s remote.Scope, o *resource.Object) ([]execute.MovedField, error) {
	c := call.Change
	if c.Action != plan.Delete || !s.Type.ListLacksFields() || propose.NeedsRead(c, s.Type) || call.Written() {
		return nil, nil
	}
	kept := c.KeptItself()
	if kept == nil {
		was, is := c.Expect.UpdatedAt, plan.UpdatedAt(o)
		if was == is || was == "" || k.ours(resource.Part{Type: s.Type.Neutral(), Ancestors: s.Ancestors, Object: o}) {
			return nil, nil
		}
		return []execute.MovedField{{Field: "updated_at", PlannedFrom: was, Is: is}}, nil
	}
	now, err := live.ReadOne(ctx, k.d.Target, s, c.ResourceID)
	if now == nil || err != nil {
		return nil, err
	}
	return notAsKept(s.Type, *kept, now), nil
}

// contents adds what goes with a delete and is not what the plan kept, though its
// list does not say so. What lists give whole is compared as they give it.
func (k *checker) contents(ctx context.Context, c *plan.Change, found *affected) error {
	losses := k.d.places.Losses(c)
	objects, err := k.readEach(ctx, losses, func(t *catalog.Bound, kept plan.Kept) bool {
		return (t.Shape == catalog.Singleton || t.ListLacksFields()) && (t.Shape != catalog.Singleton || !k.stays(c, kept))
	})
	if err != nil {
		return err
	}
	for i, o := range objects {
		if o == nil {
			continue
		}
		t := k.d.Catalog.Kind(losses[i].Type)
		if k.emptied(c, t, o) {
			continue
		}
		if fields := notAsKept(t, losses[i], o); len(fields) > 0 {
			found.add(plan.NewStranger(resource.Part{Type: t.Neutral(), Ancestors: losses[i].Ancestors, Object: o}, "was changed"), fields)
		}
	}
	return nil
}

// readEach reads those of the parts that are meant; nil stands for the others, and for
// what is not there.
func (k *checker) readEach(ctx context.Context, parts []plan.Kept, meant func(*catalog.Bound, plan.Kept) bool) ([]*resource.Object, error) {
	objects := make([]*resource.Object, len(parts))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(contentsAtOnce)
	for i, x := range parts {
		t := k.d.Catalog.Kind(x.Type)
		if t == nil || t.ReadOnly || !meant(t, x) {
			continue
		}
		g.Go(func() (err error) {
			objects[i], err = live.ReadOne(gctx, k.d.Target, remote.Scope{Type: t, Ancestors: x.Ancestors}, x.ID)
			return err
		})
	}
	return objects, g.Wait()
}

// stays reports whether a delete leaves what it kept of something that exists once:
// the order that its resource had a place in. What this run did beside it may have
// changed it.
func (k *checker) stays(c *plan.Change, kept plan.Kept) bool {
	above := plan.AncestorsOf(c)
	if len(kept.Ancestors) == 0 || slices.Equal(kept.Ancestors, above) {
		return true
	}
	parent := &resource.Object{ID: kept.Ancestors[len(kept.Ancestors)-1]}
	return k.ours(resource.Part{Type: k.d.Catalog.Kind(kept.Type).Parent.Neutral(), Object: parent})
}

// notAsKept are the fields of an object that are not what the plan kept. What it
// hides is not compared.
func notAsKept(t *catalog.Bound, kept plan.Kept, o *resource.Object) []execute.MovedField {
	was, is := t.Neutral().Essence(t.Neutral().Recorded(kept.ID, kept.State)), t.Neutral().Essence(o)
	for field, like := range was {
		was[field], is[field] = plan.HideLike(like, like), plan.HideLike(like, is[field])
	}
	return compare(was, is)
}

// ours reports whether this run has changed something below a resource, or what
// nests in it: the time of its last change may be ours.
func (k *checker) ours(x resource.Part) bool {
	for _, call := range k.d.calls {
		c := call.Change
		nested := x.Type.Nest != "" && c.ResourceType == x.Type.Kind && (c.CurrentState[x.Type.Nest] == x.Object.ID || c.Fields[x.Type.Nest] == x.Object.ID)
		if (nested || slices.Contains(plan.AncestorsOf(c), x.Object.ID)) && call.Done() {
			return true
		}
	}
	return false
}
