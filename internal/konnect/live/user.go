package live

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/kongctl/kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// ReadUsers finds what refers to the given objects. It reads the lists of the
// types that can, each once and over all parents, and reuses what a snapshot
// has of them; nil means none. What cannot be read is noted.
func ReadUsers(ctx context.Context, t remote.Target, cat *catalog.Catalog, snap *Snapshot, removed []resource.Removed) (*resource.Users, error) {
	if snap == nil {
		snap = newSnapshot()
	}
	r := &userReader{
		t: t, snap: snap, lists: map[string][]resource.Part{}, above: map[string]*resource.Object{},
		errs: map[string]error{}, leads: map[resource.Removed]lead{}, beside: map[string][]resource.Part{},
	}
	if err := r.readTypes(ctx, usingTypes(cat, removed)); err != nil {
		return nil, err
	}
	if err := r.readThrough(ctx, cat, removed); err != nil {
		return nil, err
	}
	if err := r.readBeside(ctx, cat, removed); err != nil {
		return nil, err
	}
	out := r.users(cat, removed)
	r.naming(cat, removed, out)
	if err := r.readSources(ctx, cat, out); err != nil {
		return nil, err
	}
	roots := map[string]*catalog.Bound{}
	for _, users := range out.Refer {
		for _, u := range users {
			roots[u.Type.Top().Kind] = catalog.OfType(u.Type.Top())
		}
	}
	if err := r.readTypes(ctx, roots); err != nil {
		return nil, err
	}
	r.own(out)
	out.Failed = r.errs
	return out, nil
}

// usingTypes are the types that may refer to the objects.
func usingTypes(cat *catalog.Catalog, removed []resource.Removed) map[string]*catalog.Bound {
	out := map[string]*catalog.Bound{}
	for _, x := range removed {
		uses := cat.Types().UsesThrough(x.Kind)
		if !x.Derived {
			uses = append(uses, cat.Types().Referring(x.Kind)...)
		}
		for _, use := range uses {
			out[use.By.Kind] = catalog.OfType(use.By)
		}
	}
	return out
}

type userReader struct {
	t     remote.Target
	snap  *Snapshot
	mu    sync.Mutex
	lists map[string][]resource.Part
	above map[string]*resource.Object // what others belong to, by place
	errs  map[string]error
	// leads says with which of the objects something below one goes.
	leads map[resource.Removed]lead
	// beside are lists of what has the same parent as one of the objects, by scope.
	beside map[string][]resource.Part
}

// lead is something below one of the objects that others may refer to.
type lead struct {
	of      resource.Removed
	through *resource.Through
}

// readTypes reads all objects of types that were not read yet, concurrently.
func (r *userReader) readTypes(ctx context.Context, types map[string]*catalog.Bound) error {
	unread := maps.Clone(types)
	maps.DeleteFunc(unread, func(kind string, _ *catalog.Bound) bool {
		_, known := r.lists[kind]
		return known || r.errs[kind] != nil
	})
	g, gctx := errgroup.WithContext(ctx)
	for kind, t := range unread {
		g.Go(func() error {
			parts, err := r.everywhere(gctx, t)
			if err != nil && (gctx.Err() != nil || resource.Fatal(err)) {
				return err
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if err != nil {
				r.errs[kind] = err
			} else {
				r.lists[kind] = parts
			}
			return nil
		})
	}
	return g.Wait()
}

// readThrough reads what comes into being below the objects, where something that
// was read may refer to it.
func (r *userReader) readThrough(ctx context.Context, cat *catalog.Catalog, removed []resource.Removed) error {
	g, gctx := errgroup.WithContext(ctx)
	for _, x := range removed {
		for _, use := range cat.Types().UsesThrough(x.Kind) {
			if len(r.lists[use.By.Kind]) == 0 || x.Derived && cat.Kind(use.Kind).Derived == nil {
				continue
			}
			g.Go(func() error {
				s := remote.Scope{Type: cat.Kind(use.Kind), Ancestors: []string{x.ID}}
				objects, err := r.scope(gctx, s)
				if err != nil && (gctx.Err() != nil || resource.Fatal(err)) {
					return err
				}
				r.mu.Lock()
				defer r.mu.Unlock()
				if err != nil { // whether those that were read refer to it is unknown
					r.errs[use.By.Kind] = err
				}
				for _, o := range objects {
					r.leads[resource.Removed{Kind: use.Kind, ID: o.ID}] = lead{x, &resource.Through{Type: s.Type.Neutral(), Object: o}}
				}
				return nil
			})
		}
	}
	return g.Wait()
}

// everywhere reads all objects of a type, below whichever parent.
func (r *userReader) everywhere(ctx context.Context, t *catalog.Bound) ([]resource.Part, error) {
	if t.Everywhere() {
		objects, known := r.snap.whole(t)
		if !known {
			var err error
			if objects, err = r.t.List(ctx, remote.Scope{Type: t}); err != nil {
				return nil, err
			}
		}
		return partsOf(t, nil, objects), nil
	}
	parents, err := r.everywhere(ctx, t.Parent)
	if err != nil {
		return nil, err
	}
	parents = slices.DeleteFunc(parents, func(p resource.Part) bool { return !t.HasBelow(p.Object.Fields) })
	r.note(parents)
	found := make([][]resource.Part, len(parents))
	g, gctx := errgroup.WithContext(ctx)
	for i, p := range parents {
		g.Go(func() error {
			at := append(slices.Clone(p.Ancestors), p.Object.ID)
			objects, err := r.scope(gctx, remote.Scope{Type: t, Ancestors: at})
			found[i] = partsOf(t, at, objects)
			return err
		})
	}
	err = g.Wait()
	return slices.Concat(found...), err
}

// scope lists the objects of a scope, as a snapshot has them where it has read them.
// There are no objects below something that does not exist.
func (r *userReader) scope(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	if objects, known := r.snap.scopes[scopeKey(s.Type, s.Ancestors)]; known {
		return objects, nil
	}
	objects, err := list(ctx, r.t, s)
	if resource.Missing(err) {
		return nil, nil
	}
	return objects, err
}

// note remembers what others belong to.
func (r *userReader) note(parents []resource.Part) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range parents {
		r.above[p.Place()] = p.Object
	}
}

func partsOf(t *catalog.Bound, ancestors []string, objects []*resource.Object) []resource.Part {
	out := make([]resource.Part, len(objects))
	for i, o := range objects {
		at := ancestors
		if t.Parent != nil && at == nil {
			at = []string{catalog.ParentID(o)}
		}
		out[i] = resource.Part{Type: t.Neutral(), Ancestors: at, Object: o}
	}
	return out
}

// users finds the references to the objects in what was read.
func (r *userReader) users(cat *catalog.Catalog, removed []resource.Removed) *resource.Users {
	out := &resource.Users{Refer: map[resource.Removed][]resource.User{}}
	wanted := map[resource.Removed]bool{}
	uses := map[string][]resource.Use{} // by the type that refers
	for _, x := range removed {
		wanted[x.Object()] = true
	}
	for _, t := range cat.Types().All() {
		for _, use := range cat.Types().Referring(t.Kind) {
			uses[use.By.Kind] = append(uses[use.By.Kind], use)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(r.lists)) {
		for _, x := range r.lists[kind] {
			for _, use := range uses[kind] {
				for _, id := range x.Type.ReferredIDs(x.Object, use.Field) {
					at := resource.Removed{Kind: use.Kind, ID: id}
					if wanted[at] {
						out.Refer[at] = append(out.Refer[at], resource.User{Part: x, Use: use})
					}
					if l, ok := r.leads[at]; ok {
						out.Refer[l.of] = append(out.Refer[l.of], resource.User{Part: x, Use: use, Through: l.through})
					}
				}
			}
		}
	}
	return out
}

// own finds the roots that the users belong to.
func (r *userReader) own(out *resource.Users) {
	roots := map[string]*resource.Object{}
	for kind, parts := range r.lists {
		for _, x := range parts {
			if x.Type.Parent == nil {
				roots[kind+" "+x.Object.ID] = x.Object
			}
		}
	}
	for _, users := range out.Refer {
		for i, u := range users {
			id := u.Object.ID
			if len(u.Ancestors) > 0 {
				id = u.Ancestors[0]
			}
			users[i].Root = roots[u.Type.Top().Kind+" "+id]
			if len(u.Ancestors) > 1 {
				users[i].Above = make([]*resource.Object, len(u.Ancestors)-1)
				for n, t := len(u.Ancestors)-1, u.Type.Parent; n > 0; n, t = n-1, t.Parent {
					at := resource.Part{Type: t, Ancestors: u.Ancestors[:n], Object: &resource.Object{ID: u.Ancestors[n]}}
					users[i].Above[n-1] = r.above[at.Place()]
				}
			}
		}
	}
}

// whole lists all objects of a type, below whichever parent, where they were
// read.
func (s *Snapshot) whole(t *catalog.Bound) ([]*resource.Object, bool) {
	if t.Parent == nil {
		objects, known := s.scopes[scopeKey(t, nil)]
		return objects, known
	}
	objects, known := s.shared[t.Kind]
	return objects, known
}
