package live

import (
	"context"
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// Made is a resource that an unfinished run created, or may have created. A
// list that does not hold it yet would make a plan create it a second time.
type Made struct {
	Type      *catalog.Bound
	Ancestors []string
	// ID is "" when the answer to the create was lost; then Identity and
	// Namespace say what to look for.
	ID        string
	Identity  map[string]any
	Namespace string
	// Age is how long ago it was created.
	Age time.Duration
}

// recall adds to the lists of scopes what unfinished runs created and the lists
// do not show yet.
func (r *reader) recall(ctx context.Context, scopes []remote.Scope) error {
	asked := map[string]bool{}
	for _, s := range scopes {
		asked[scopeKey(s.Type, s.Ancestors)] = true
	}
	var missing []Made
	age := resource.Settle
	for _, m := range r.q.Made {
		if asked[scopeKey(m.Type, m.Ancestors)] && r.misses(m) {
			missing = append(missing, m)
			age = min(age, m.Age)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return resource.Await(ctx, age, r.q.Sleep, func() (bool, error) {
		if err := r.lookFor(ctx, missing); err != nil {
			return false, err
		}
		missing = slices.DeleteFunc(missing, func(m Made) bool { return !r.misses(m) })
		return len(missing) == 0, nil
	})
}

// misses reports whether a list that was read does not hold a resource.
func (r *reader) misses(m Made) bool {
	objects, read := r.snap.scopes[scopeKey(m.Type, m.Ancestors)]
	return read && !slices.ContainsFunc(objects, m.is)
}

func (m Made) is(o *resource.Object) bool {
	if m.ID != "" {
		return o.ID == m.ID
	}
	if m.Type.HasLabels() && catalog.Labels(o)[label.Namespace] != m.Namespace {
		return false
	}
	return resource.SameIdentity(m.Type.Neutral(), m.Identity, o)
}

// lookFor reads by id what has one, and the lists of the others again. What
// cannot be read is not known: it gets no change.
func (r *reader) lookFor(ctx context.Context, missing []Made) error {
	found := make([][]*resource.Object, len(missing))
	errs := make([]error, len(missing))
	g, gctx := errgroup.WithContext(ctx)
	for i, m := range missing {
		g.Go(func() error {
			found[i], errs[i] = r.read(gctx, m)
			if errs[i] != nil && (gctx.Err() != nil || resource.Fatal(errs[i])) {
				return errs[i]
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, m := range missing {
		key := scopeKey(m.Type, m.Ancestors)
		if errs[i] != nil {
			r.snap.failed[key] = errs[i]
			delete(r.snap.scopes, key)
		}
		known, read := r.snap.scopes[key]
		if !read {
			continue
		}
		for _, o := range found[i] {
			if !slices.ContainsFunc(known, func(x *resource.Object) bool { return x.ID == o.ID }) {
				known = append(slices.Clone(known), o)
			}
		}
		r.snap.scopes[key] = known
	}
	return nil
}

func (r *reader) read(ctx context.Context, m Made) ([]*resource.Object, error) {
	s := remote.Scope{Type: m.Type, Ancestors: m.Ancestors}
	if m.ID == "" || m.Type.Read == nil {
		objects, err := list(ctx, r.t, s)
		if resource.Missing(err) {
			return nil, nil
		}
		return objects, err
	}
	o, err := r.t.Read(ctx, s, m.ID)
	if o == nil {
		return nil, err
	}
	return []*resource.Object{o}, err
}
