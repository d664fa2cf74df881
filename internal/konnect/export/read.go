package export

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// Options say what to read.
type Options struct {
	// Resources are kinds or root keys; none stands for everything.
	Resources []string
	// Filters: a resource is chosen when one of them fits.
	Filters []Filter
	// Children also chooses what belongs to a chosen resource.
	Children bool
	// Linked also chooses, with their children, resources that others own and whose
	// children refer to a chosen type.
	Linked bool
	// Regional leaves out what belongs to the whole organization.
	Regional bool
}

// readers bounds how many reads wait at once; how many run is the target's
// business.
const readers = 64

// Read reads what is asked for: lists depth by depth, each page once, then one
// by one what lists do not give whole.
func Read(ctx context.Context, t remote.Target, cat *catalog.Catalog, o Options) (*Snapshot, error) {
	c, err := newChoice(cat, o)
	if err != nil {
		return nil, err
	}
	r := &reader{
		t: t, choice: c, regional: o.Regional, found: map[*Resource][]*Resource{},
		snap: &Snapshot{Catalog: cat, Prune: pruneOf(o)},
	}
	level := []*Resource{nil} // above the roots there is nothing
	for len(level) > 0 {
		if level, err = r.below(ctx, level); err != nil {
			return nil, err
		}
	}
	r.snap.Roots = r.keep(nil)
	r.snap.sort()
	if len(r.snap.Failed) > 0 {
		r.snap.Prune = resource.NarrowerPrune(resource.PruneDeclared, r.snap.Prune)
	}
	if len(r.snap.Failed) > 0 && len(r.snap.Roots) == 0 {
		return nil, r.snap.Failed[0].Err
	}
	if err := r.details(ctx); err != nil {
		return nil, err
	}
	return r.snap, r.externals(ctx)
}

type reader struct {
	t      remote.Target
	choice *choice
	// regional leaves out what belongs to the whole organization.
	regional bool
	snap     *Snapshot
	found    map[*Resource][]*Resource // children of each, nil for the roots
}

// wants tells whether children of a type are read.
func (r *reader) wants(parent *Resource, t *catalog.Bound) bool {
	if t.ReadOnly && !r.choice.leads[t] || r.regional && catalog.Global(t) {
		return false
	}
	return r.choice.leads[t] || parent != nil && parent.chosen && r.choice.children
}

// types are those right below a parent.
func (r *reader) types(parent *Resource) []*catalog.Bound {
	if parent != nil {
		return parent.Type.Children
	}
	var roots []*catalog.Bound
	for _, t := range r.snap.Catalog.All() {
		if t.Parent == nil {
			roots = append(roots, t)
		}
	}
	return roots
}

// scope is a list to read: below one parent or, where the API has one list over
// all, below several.
type scope struct {
	t       *catalog.Bound
	parents []*Resource
	objects []*resource.Object
	refused error
}

// scopes are the lists right below the parents.
func (r *reader) scopes(parents []*Resource) []*scope {
	var out []*scope
	shared := map[*catalog.Bound]*scope{}
	for _, p := range parents {
		for _, t := range r.types(p) {
			switch {
			case !r.wants(p, t):
			case shared[t] != nil:
				shared[t].parents = append(shared[t].parents, p)
			default:
				s := &scope{t: t, parents: []*Resource{p}}
				out = append(out, s)
				if t.ListParent != "" {
					shared[t] = s
				}
			}
		}
	}
	return out
}

// below reads what is right below the parents and returns it.
func (r *reader) below(ctx context.Context, parents []*Resource) ([]*Resource, error) {
	scopes := r.scopes(parents)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for _, s := range scopes {
		g.Go(func() error { return s.read(ctx, r.t) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var next []*Resource
	for _, s := range scopes {
		if s.refused != nil {
			f := Failure{Type: s.t, Err: s.refused}
			if len(s.parents) == 1 {
				f.Parent = s.parents[0]
			}
			r.snap.Failed = append(r.snap.Failed, f)
		}
		next = append(next, r.place(s)...)
	}
	return next, nil
}

// read reads a scope. What may not be read, or is not there for this
// organization, does not stop the rest.
func (s *scope) read(ctx context.Context, t remote.Target) error {
	at := remote.Scope{Type: s.t}
	if len(s.parents) == 1 && s.parents[0] != nil {
		at.Ancestors = s.parents[0].path()
	}
	err := s.list(ctx, t, at)
	var refused *client.APIError
	if errors.As(err, &refused) && (refused.Status == http.StatusForbidden || refused.Status == http.StatusNotFound) {
		s.refused = err
		return nil
	}
	return err
}

func (s *scope) list(ctx context.Context, t remote.Target, at remote.Scope) (err error) {
	if s.t.Shape != catalog.Singleton {
		s.objects, err = t.List(ctx, at)
		return err
	}
	o, err := t.Read(ctx, at, "")
	if o != nil {
		s.objects = []*resource.Object{o}
	}
	return err
}

// path is the ids from the root down to the resource.
func (r *Resource) path() []string {
	var ids []string
	for x := r; x != nil; x = x.Parent {
		ids = append(ids, x.Object.ID)
	}
	slices.Reverse(ids)
	return ids
}

// place puts objects below their parents and tells which are chosen.
func (r *reader) place(s *scope) []*Resource {
	byID := map[string]*Resource{}
	for _, p := range s.parents {
		if p != nil {
			byID[p.Object.ID] = p
		}
	}
	var out []*Resource
	latest, older := catalog.Latest(s.t, s.objects)
	if len(older) > 0 {
		r.snap.older = append(r.snap.older, olderVersions{s.t, older})
	}
	for i, o := range latest {
		if s.t.SystemFlag != "" && o.Fields[s.t.SystemFlag] == true {
			continue // Konnect made it by itself
		}
		parent := s.parents[0]
		if len(s.parents) > 1 {
			if parent = byID[catalog.ParentID(o)]; parent == nil {
				continue
			}
		}
		x := &Resource{Type: s.t, Object: o, Parent: parent, place: i}
		x.chosen = parent != nil && parent.chosen && r.choice.children || r.choice.picks(x)
		out = append(out, x)
		r.found[parent] = append(r.found[parent], x)
	}
	if s.t.Tree != nil {
		r.nest(out)
	}
	return out
}

// nest finds what the resources of a tree nest in, and adds what nests
// in a chosen one.
func (r *reader) nest(list []*Resource) {
	byID := map[string]*Resource{}
	for _, x := range list {
		byID[x.Object.ID] = x
	}
	for _, x := range list {
		if id, ok := x.Object.Fields[x.Type.Tree.Parent].(string); ok {
			x.Above = byID[id]
		}
	}
	if !r.choice.children {
		return
	}
	for _, x := range list {
		for above := x.Above; above != nil; above = above.Above {
			x.chosen = x.chosen || above.chosen
		}
	}
}

// keep is what is chosen below a parent, and what leads to it.
func (r *reader) keep(parent *Resource) []*Resource {
	needed := map[*Resource]bool{}
	for _, x := range r.found[parent] {
		x.children = r.keep(x)
		bare := x.Type.ReadOnly && !r.choice.asks(x.Type) // others write it: its children count
		if x.chosen && !bare || len(x.children) > 0 {
			for y := x; y != nil; y = y.Above {
				needed[y] = true
			}
		}
	}
	var out []*Resource
	for _, x := range r.found[parent] {
		if needed[x] {
			out = append(out, x)
		}
	}
	return out
}

// details reads one by one what lists do not give whole.
func (r *reader) details(ctx context.Context) error {
	type detail struct {
		of    *Resource
		scope remote.Scope
		whole *resource.Object
	}
	var list []*detail
	for _, x := range r.snap.All() {
		if x.Type.ListLacksFields() {
			d := &detail{of: x, scope: remote.Scope{Type: x.Type}}
			if x.Parent != nil {
				d.scope.Ancestors = x.Parent.path()
			}
			list = append(list, d)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for _, d := range list {
		g.Go(func() (err error) {
			d.whole, err = r.t.Read(ctx, d.scope, d.of.Object.ID)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	gone := map[*Resource]bool{}
	for _, d := range list {
		if d.whole == nil {
			gone[d.of] = true
			continue
		}
		d.of.Object = d.whole
	}
	if len(gone) > 0 {
		r.snap.Roots = without(r.snap.Roots, gone)
	}
	return nil
}

// without leaves out what was deleted while it was read.
func without(list []*Resource, gone map[*Resource]bool) []*Resource {
	var out []*Resource
	for _, x := range list {
		lost := false
		for y := x; y != nil; y = y.Above {
			lost = lost || gone[y]
		}
		if lost {
			continue
		}
		x.children = without(x.children, gone)
		out = append(out, x)
	}
	return out
}

// pruneOf is how a sync of what is asked for may prune: a filter leaves out some of a
// list, all else that is left out has no key.
func pruneOf(o Options) string {
	switch {
	case len(o.Filters) > 0:
		return resource.PruneNone
	case len(o.Resources) > 0 || !o.Children:
		return resource.PruneDeclared
	default:
		return ""
	}
}
