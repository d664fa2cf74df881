package execute

import (
	"context"
	"time"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/diff"
	"kongctl/internal/live"
	"kongctl/internal/plan"
	"kongctl/internal/target"
	"kongctl/internal/value"
)

// How often a write whose outcome is not known is looked at and repeated, and
// how long to wait between.
const (
	writeTries = 6
	firstWait  = 200 * time.Millisecond
	longWait   = 5 * time.Second
)

// How often to look for what a lost answer may have made: reads may be behind.
const looks = 3

// write makes or changes a resource. When the answer is lost, a create is
// looked for before it is repeated, so that there is never a second one; an
// update sets fields to what they shall be and can be repeated as it is.
func (r *run) write(ctx context.Context, s target.Scope, id string, c *plan.Change, w target.Write) (*target.Object, error) {
	wait := firstWait
	for try := 1; ; try++ {
		o, err := r.once(ctx, s, id, c, w)
		// There is one already: the one that an earlier try made, though reads
		// did not show it.
		again := target.Uncertain(err) || (try > 1 && target.Taken(err))
		if err == nil || !again || try == writeTries {
			return o, err
		}
		if c.Action == plan.Create && s.Type.Shape != catalog.Map {
			found, lerr := r.lookFor(ctx, s, id, c, w)
			if lerr != nil {
				return nil, err
			}
			if found != nil {
				return found, nil
			}
		}
		if serr := r.sleep(ctx, wait); serr != nil {
			return nil, err
		}
		wait = min(2*wait, longWait)
	}
}

func (r *run) once(ctx context.Context, s target.Scope, id string, c *plan.Change, w target.Write) (*target.Object, error) {
	if c.Action == plan.Create {
		return r.Target.Create(ctx, s, id, w)
	}
	return r.Target.Update(ctx, s, id, w)
}

func (r *run) sleep(ctx context.Context, d time.Duration) error {
	if r.Sleep != nil {
		return r.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lookFor finds what an earlier try may have made.
func (r *run) lookFor(ctx context.Context, s target.Scope, id string, c *plan.Change, w target.Write) (*target.Object, error) {
	for look := 1; ; look++ {
		o, err := r.locate(ctx, s, id, c, w)
		if err != nil || o != nil || look == looks {
			return o, err
		}
		if err := r.sleep(ctx, firstWait<<look); err != nil {
			return nil, err
		}
	}
}

// locate finds the resource that a create stands for, by its identity, and of
// a root by the label that says whose it is.
func (r *run) locate(ctx context.Context, s target.Scope, id string, c *plan.Change, w target.Write) (*target.Object, error) {
	t := s.Type
	if t.Shape == catalog.Singleton {
		return r.Target.Read(ctx, s, "")
	}
	objects, err := r.Target.List(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		if !r.isIt(t, o, id, c, w.Fields) {
			continue
		}
		if !t.ListLacksFields() {
			return o, nil
		}
		return r.Target.Read(ctx, s, o.ID)
	}
	return nil, nil
}

func (r *run) isIt(t *catalog.Bound, o *target.Object, id string, c *plan.Change, fields map[string]any) bool {
	if t.HasLabels() && o.Labels[live.NamespaceLabel] != c.Namespace {
		return false
	}
	return r.named(t, o, id, fields)
}

// named tells whether an object has the identity of what a create makes.
func (r *run) named(t *catalog.Bound, o *target.Object, id string, fields map[string]any) bool {
	want := map[string]any{}
	for _, f := range t.Identity {
		v, _ := value.Get(fields, value.ParsePath(f))
		if f == t.MapKey {
			v = id
		}
		want[f] = v
	}
	if t.Tree != nil {
		want[t.Tree.Parent] = fields[t.Tree.Parent]
	}
	return live.SameIdentity(t, want, o)
}

// fulfilled tells whether a resource already is what a change would make it.
func fulfilled(t *catalog.Bound, fields map[string]any, o *target.Object) bool {
	if !diff.Compare(t, fields, o.Fields, diff.Merge).Empty() {
		return false
	}
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		want, declared := value.Get(fields, p)
		have, _ := value.Get(o.Fields, p)
		if declared && !live.SameText(want, have) {
			return false
		}
	}
	labels, _ := fields["labels"].(map[string]any)
	for k, v := range labels {
		if k == plan.HashLabel || k == plan.LastUpdatedLabel || k == config.LabelPrefix+"managed" {
			continue
		}
		have, ok := o.Labels[k]
		if (v == nil) == ok || (v != nil && v != any(have)) {
			return false
		}
	}
	return true
}
