// Package live reads what exists, no more than a plan needs, and finds the
// declared resources in it.
//
// In: a linked configuration and a target. Out: an immutable snapshot. Reads
// of one depth run concurrently; each page is read once. It must never decide
// what to change.
package live

import (
	"context"
	"slices"
	"sort"
	"strings"

	"golang.org/x/sync/errgroup"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/diag"
	"kongctl/internal/ref"
	"kongctl/internal/target"
)

// The ways to prune.
const (
	PruneFull     = "full"
	PruneDeclared = "declared"
	PruneNone     = "none"
)

// NamespaceLabel marks a resource as managed and says by whom.
const NamespaceLabel = config.LabelPrefix + "namespace"

// Query says what to read.
type Query struct {
	Catalog *catalog.Catalog
	Set     *config.Set
	Links   *ref.Links
	// Sync asks for what is not declared too, as far as Prune goes.
	Sync  bool
	Prune string
}

// Snapshot is what exists.
type Snapshot struct {
	objects map[*config.Resource]*target.Object
	scopes  map[string][]*target.Object
	read    map[string]bool // kinds
	taken   map[*target.Object]bool
}

// Object is the live counterpart of a resource; nil when there is none.
func (s *Snapshot) Object(r *config.Resource) *target.Object { return s.objects[r] }

// Kinds lists the types that were read.
func (s *Snapshot) Kinds() []string {
	out := make([]string, 0, len(s.read))
	for k := range s.read {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Undeclared lists the objects of a scope that no resource declares, and
// whether the scope was read.
func (s *Snapshot) Undeclared(t *catalog.Bound, ancestors []string) ([]*target.Object, bool) {
	objects, ok := s.scopes[scopeKey(t, ancestors)]
	var out []*target.Object
	for _, o := range objects {
		if !s.taken[o] {
			out = append(out, o)
		}
	}
	return out, ok
}

// Ancestors are the ids above a resource, root first; nil and false when one of
// them does not exist.
func (s *Snapshot) Ancestors(r *config.Resource) ([]string, bool) {
	var ids []string
	for p := r.Parent; p != nil; p = p.Parent {
		o := s.objects[p]
		if o == nil {
			return nil, false
		}
		ids = append(ids, o.ID)
	}
	slices.Reverse(ids)
	return ids, true
}

func scopeKey(t *catalog.Bound, ancestors []string) string {
	return t.Kind + "\x00" + strings.Join(ancestors, "\x00")
}

// Read reads what the query needs.
func Read(ctx context.Context, t target.Target, q Query) (*Snapshot, diag.List, error) {
	r := &reader{
		q: q, t: t,
		snap: &Snapshot{objects: map[*config.Resource]*target.Object{}, scopes: map[string][]*target.Object{}, read: map[string]bool{}, taken: map[*target.Object]bool{}},
	}
	for depth := 0; depth <= r.maxDepth(); depth++ {
		scopes := r.scopesAt(depth)
		if err := r.lists(ctx, scopes); err != nil {
			return nil, nil, err
		}
		matched := r.match(depth)
		if err := r.details(ctx, matched); err != nil {
			return nil, nil, err
		}
	}
	return r.snap, r.diags, nil
}

type reader struct {
	q     Query
	t     target.Target
	snap  *Snapshot
	diags diag.List
}

func (r *reader) maxDepth() int {
	deepest := 0
	for _, t := range r.q.Catalog.All() {
		deepest = max(deepest, t.Depth())
	}
	return deepest
}

// scopesAt lists the scopes to read at one depth, once each.
func (r *reader) scopesAt(depth int) []target.Scope {
	var out []target.Scope
	seen := map[string]bool{}
	add := func(t *catalog.Bound, ancestors []string) {
		if key := scopeKey(t, ancestors); !seen[key] && !t.External {
			seen[key] = true
			out = append(out, target.Scope{Type: t, Ancestors: ancestors})
		}
	}
	if depth == 0 {
		for _, t := range r.q.Catalog.All() {
			if t.Parent == nil && r.wantsRoot(t) {
				add(t, nil)
			}
		}
		return out
	}
	for _, parent := range r.q.Set.Resources {
		if parent.Type.Depth() != depth-1 || r.snap.Object(parent) == nil {
			continue
		}
		above, _ := r.snap.Ancestors(parent)
		ancestors := append(slices.Clone(above), r.snap.Object(parent).ID)
		for _, t := range parent.Type.Children {
			if r.wantsChildren(parent, t) {
				add(t, ancestors)
			}
		}
	}
	return out
}

func (r *reader) wantsRoot(t *catalog.Bound) bool {
	for _, x := range r.q.Set.Resources {
		if x.Type == t {
			return true
		}
	}
	return r.q.Sync && t.HasLabels() && len(r.q.Set.Namespaces) > 0 &&
		(r.q.Prune == PruneFull || (r.q.Prune == PruneDeclared && r.q.Set.Roots[t.Kind]))
}

func (r *reader) wantsChildren(parent *config.Resource, t *catalog.Bound) bool {
	for _, x := range r.q.Set.Resources {
		if x.Type == t && x.Parent == parent {
			return true
		}
	}
	return r.q.Sync && Prunes(t, parent, r.q.Prune)
}

// Prunes tells whether undeclared resources of a type are deleted below a
// declared parent.
func Prunes(t *catalog.Bound, parent *config.Resource, prune string) bool {
	if t.External || t.Delete == nil || !t.Optional() {
		return false
	}
	switch prune {
	case PruneFull:
		return !t.KeyedPrune || parent.Written[t.Key]
	case PruneDeclared:
		return parent.Written[t.Key]
	default:
		return false
	}
}

// lists reads the scopes concurrently. A type that is listed over all parents
// is read once when several parents want it.
func (r *reader) lists(ctx context.Context, scopes []target.Scope) error {
	perType := map[*catalog.Bound]int{}
	for _, s := range scopes {
		perType[s.Type]++
		r.snap.read[s.Type.Kind] = true
	}
	g, ctx := errgroup.WithContext(ctx)
	results := make([][]*target.Object, len(scopes))
	shared := map[*catalog.Bound]*[]*target.Object{}
	for i, s := range scopes {
		if s.Type.ListParent != "" && perType[s.Type] > 1 {
			if shared[s.Type] == nil {
				all := new([]*target.Object)
				shared[s.Type] = all
				g.Go(func() (err error) {
					*all, err = r.t.List(ctx, target.Scope{Type: s.Type})
					return err
				})
			}
			continue
		}
		g.Go(func() (err error) {
			results[i], err = r.list(ctx, s)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, s := range scopes {
		if all := shared[s.Type]; all != nil {
			parent := s.Ancestors[len(s.Ancestors)-1]
			for _, o := range *all {
				if o.ParentID == parent {
					results[i] = append(results[i], o)
				}
			}
		}
		r.snap.scopes[scopeKey(s.Type, s.Ancestors)] = results[i]
	}
	return nil
}

func (r *reader) list(ctx context.Context, s target.Scope) ([]*target.Object, error) {
	if s.Type.Shape != catalog.Singleton {
		return r.t.List(ctx, s)
	}
	o, err := r.t.Read(ctx, s, "")
	if err != nil || o == nil {
		return nil, err
	}
	return []*target.Object{o}, nil
}

// details reads one by one what the list does not give whole.
func (r *reader) details(ctx context.Context, matched []*config.Resource) error {
	g, ctx := errgroup.WithContext(ctx)
	full := make([]*target.Object, len(matched))
	for i, x := range matched {
		if !x.Type.ListLacksFields() {
			continue
		}
		ancestors, _ := r.snap.Ancestors(x)
		id := r.snap.Object(x).ID
		g.Go(func() (err error) {
			full[i], err = r.t.Read(ctx, target.Scope{Type: x.Type, Ancestors: ancestors}, id)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, x := range matched {
		if full[i] != nil {
			r.snap.objects[x] = full[i]
		}
	}
	return nil
}
