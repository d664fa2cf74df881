package live

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/value"
)

// User is a live object that refers to one that a plan deletes.
type User struct {
	Part
	Use catalog.Use
	// Root is what the object belongs to, or the object itself: its labels say
	// who manages it.
	Root *resource.Object
}

// Removed is an object that a plan deletes.
type Removed struct{ Kind, ID string }

// Users is what refers to the objects that a plan deletes, in every namespace
// and unmanaged.
type Users struct {
	of     map[Removed][]User
	failed map[string]error // by the kind that could not be read
}

// Of lists what refers to an object.
func (u *Users) Of(kind, id string) []User {
	if u == nil {
		return nil
	}
	return u.of[Removed{kind, id}]
}

// Failures lists the types that could not be read.
func (u *Users) Failures() []Failure {
	if u == nil {
		return nil
	}
	var out []Failure
	for _, kind := range slices.Sorted(maps.Keys(u.failed)) {
		out = append(out, Failure{Kind: kind, Err: u.failed[kind]})
	}
	return out
}

// ReadUsers finds what refers to the given objects. It reads the lists of the
// types that can, each once and over all parents, and reuses what a snapshot
// has of them; nil is none. What cannot be read is noted.
func ReadUsers(ctx context.Context, t remote.Target, cat *catalog.Catalog, snap *Snapshot, removed []Removed) (*Users, error) {
	if snap == nil {
		snap = newSnapshot()
	}
	r := &userReader{reader: &reader{t: t, snap: snap}, lists: map[string][]Part{}, errs: map[string]error{}}
	if err := r.readTypes(ctx, usingTypes(cat, removed)); err != nil {
		return nil, err
	}
	out := r.users(cat, removed)
	roots := map[string]*catalog.Bound{}
	for _, users := range out.of {
		for _, u := range users {
			roots[u.Type.Top().Kind] = u.Type.Top()
		}
	}
	if err := r.readTypes(ctx, roots); err != nil {
		return nil, err
	}
	r.own(out)
	out.failed = r.errs
	return out, nil
}

// usingTypes are the types that may refer to the objects.
func usingTypes(cat *catalog.Catalog, removed []Removed) map[string]*catalog.Bound {
	out := map[string]*catalog.Bound{}
	for _, x := range removed {
		for _, use := range cat.Uses(x.Kind) {
			out[use.By.Kind] = use.By
		}
	}
	return out
}

type userReader struct {
	*reader
	mu    sync.Mutex
	lists map[string][]Part
	errs  map[string]error
}

// readTypes reads all objects of types that were not read yet, concurrently.
func (r *userReader) readTypes(ctx context.Context, types map[string]*catalog.Bound) error {
	g, gctx := errgroup.WithContext(ctx)
	for kind, t := range types {
		if _, known := r.lists[kind]; known || r.errs[kind] != nil {
			continue
		}
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

// everywhere reads all objects of a type, below whichever parent.
func (r *userReader) everywhere(ctx context.Context, t *catalog.Bound) ([]Part, error) {
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
	found := make([][]Part, len(parents))
	g, gctx := errgroup.WithContext(ctx)
	for i, p := range parents {
		g.Go(func() error {
			at := append(slices.Clone(p.Ancestors), p.Object.ID)
			objects, known := r.snap.scopes[scopeKey(t, at)]
			if !known {
				var err error
				if objects, err = r.list(gctx, remote.Scope{Type: t, Ancestors: at}); err != nil && !resource.Missing(err) {
					return err
				}
			}
			found[i] = partsOf(t, at, objects)
			return nil
		})
	}
	err = g.Wait()
	return slices.Concat(found...), err
}

func partsOf(t *catalog.Bound, ancestors []string, objects []*resource.Object) []Part {
	out := make([]Part, len(objects))
	for i, o := range objects {
		at := ancestors
		if t.Parent != nil && at == nil {
			at = []string{remote.ParentID(o)}
		}
		out[i] = Part{Type: t, Ancestors: at, Object: o}
	}
	return out
}

// users finds the references to the objects in what was read.
func (r *userReader) users(cat *catalog.Catalog, removed []Removed) *Users {
	out := &Users{of: map[Removed][]User{}}
	wanted := map[Removed]bool{}
	uses := map[string][]catalog.Use{} // by the type that refers
	for _, x := range removed {
		wanted[x] = true
	}
	for _, t := range cat.All() {
		for _, use := range cat.Uses(t.Kind) {
			uses[use.By.Kind] = append(uses[use.By.Kind], use)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(r.lists)) {
		for _, x := range r.lists[kind] {
			for _, use := range uses[kind] {
				for _, id := range ReferredIDs(x.Type, x.Object, use.Field) {
					if at := (Removed{use.Kind, id}); wanted[at] {
						out.of[at] = append(out.of[at], User{Part: x, Use: use})
					}
				}
			}
		}
	}
	return out
}

// own finds the roots that the users belong to.
func (r *userReader) own(out *Users) {
	roots := map[string]*resource.Object{}
	for kind, parts := range r.lists {
		for _, x := range parts {
			if x.Type.Parent == nil {
				roots[kind+" "+x.Object.ID] = x.Object
			}
		}
	}
	for _, users := range out.of {
		for i, u := range users {
			id := u.Object.ID
			if len(u.Ancestors) > 0 {
				id = u.Ancestors[0]
			}
			users[i].Root = roots[u.Type.Top().Kind+" "+id]
		}
	}
}

// ReferredIDs lists the ids that an object holds in a reference field.
func ReferredIDs(t *catalog.Bound, o *resource.Object, field string) []string {
	if field == t.MapKey {
		return []string{o.ID}
	}
	v, _ := value.Get(o.Fields, value.ParsePath(field))
	return value.Texts(v)
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

// Namespace is the namespace that the object belongs to; "" where it is not
// managed. What belongs to a root is managed with it.
func (u User) Namespace() string {
	if u.Root == nil {
		return ""
	}
	return remote.Labels(u.Root)[label.Namespace]
}

// Place names where the object is, by type and ids.
func (x Part) Place() string {
	return x.Type.Kind + "/" + strings.Join(append(slices.Clone(x.Ancestors), x.Object.ID), "/")
}
