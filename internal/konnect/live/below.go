package live

import (
	"context"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// unavailable tells of core entities that a Konnect does not have, or not for
// everyone: decK takes them for none, and so do we where they only go along.
func unavailable(t *catalog.Bound, err error) bool {
	return t.Writer != "" && !t.Referred && (resource.Missing(err) || resource.Denied(err))
}

// goesAlong tells of types whose resources go with their parent. What is always
// there is no loss of its own, and neither is what comes into being with others that
// go: operations with a specification, memberships with their members.
func goesAlong(t *catalog.Bound) bool {
	if t.ReadOnly && t.Writer == "" {
		return t.Create != nil && t.Link == ""
	}
	return t.ReadOnly || t.Optional()
}

// Below lists what was read of what goes with an object: what belongs to it and
// what nests in it, as lists give it.
func (s *Snapshot) Below(of *resource.Type, ancestors []string, id string) []resource.Part {
	t := catalog.OfType(of)
	if t == nil {
		return nil
	}
	return s.below(t, ancestors, id)
}

func (s *Snapshot) below(t *catalog.Bound, ancestors []string, id string) []resource.Part {
	var out []resource.Part
	own := []string{id}
	if t.Tree != nil {
		for _, o := range s.nestedIn(t, ancestors, id) {
			out = append(out, resource.Part{Type: t.Neutral(), Ancestors: ancestors, Object: o})
			own = append(own, o.ID)
		}
	}
	for _, id := range own {
		at := append(slices.Clone(ancestors), id)
		for _, child := range t.Children {
			if !goesAlong(child) {
				continue
			}
			for _, o := range s.scopes[scopeKey(child, at)] {
				out = append(out, resource.Part{Type: child.Neutral(), Ancestors: at, Object: o})
				if len(child.Children) > 0 {
					out = append(out, s.below(child, at, o.ID)...)
				}
			}
		}
	}
	return out
}

// nestedIn lists the objects of a tree below one of them.
func (s *Snapshot) nestedIn(t *catalog.Bound, ancestors []string, id string) []*resource.Object {
	var out []*resource.Object
	in := map[string]bool{id: true}
	for again := true; again; {
		again = false
		for _, o := range s.scopes[scopeKey(t, ancestors)] {
			if above, _ := o.Fields[t.Tree.Parent].(string); in[above] && !in[o.ID] {
				in[o.ID], again = true, true
				out = append(out, o)
			}
		}
	}
	return out
}

// Unread tells that something of what goes with an object could not be read.
func (s *Snapshot) Unread(of *resource.Type, ancestors []string, id string) bool {
	t := catalog.OfType(of)
	return t != nil && s.unread(t, ancestors, id)
}

func (s *Snapshot) unread(t *catalog.Bound, ancestors []string, id string) bool {
	at := append(slices.Clone(ancestors), id)
	for _, child := range t.Children {
		if s.failed[scopeKey(child, at)] != nil {
			return true
		}
		for _, o := range s.scopes[scopeKey(child, at)] {
			if len(child.Children) > 0 && s.unread(child, at, o.ID) {
				return true
			}
		}
	}
	return false
}

// ReadBelow reads what goes with one object, as Below gives it. Siblings is the
// list that the object is in; it is only needed where resources nest.
func ReadBelow(ctx context.Context, t remote.Target, b *catalog.Bound, ancestors []string, id string, siblings []*resource.Object) ([]resource.Part, error) {
	r := &reader{t: t, snap: newSnapshot()}
	r.snap.scopes[scopeKey(b, ancestors)] = siblings
	scopes := scopesBelow(b, ancestors, id)
	if b.Tree != nil {
		for _, o := range r.snap.nestedIn(b, ancestors, id) {
			scopes = append(scopes, scopesBelow(b, ancestors, o.ID)...)
		}
	}
	for len(scopes) > 0 {
		if err := r.readAll(ctx, scopes); err != nil {
			return nil, err
		}
		var next []remote.Scope
		for _, s := range scopes {
			for _, o := range r.snap.scopes[scopeKey(s.Type, s.Ancestors)] {
				next = append(next, scopesBelow(s.Type, s.Ancestors, o.ID)...)
			}
		}
		scopes = next
	}
	return r.snap.below(b, ancestors, id), nil
}

// scopesBelow are the lists of what goes with an object.
func scopesBelow(t *catalog.Bound, ancestors []string, id string) []remote.Scope {
	var out []remote.Scope
	for _, child := range t.Children {
		if goesAlong(child) {
			out = append(out, remote.Scope{Type: child, Ancestors: append(slices.Clone(ancestors), id)})
		}
	}
	return out
}

// readAll reads scopes concurrently; every one must be readable.
func (r *reader) readAll(ctx context.Context, scopes []remote.Scope) error {
	found := make([][]*resource.Object, len(scopes))
	g, gctx := errgroup.WithContext(ctx)
	for i, s := range scopes {
		g.Go(func() (err error) {
			if found[i], err = list(gctx, r.t, s); unavailable(s.Type, err) {
				err = nil
			}
			return err
		})
	}
	err := g.Wait()
	for i, s := range scopes {
		r.snap.scopes[scopeKey(s.Type, s.Ancestors)] = found[i]
	}
	return err
}

// going notes the undeclared objects that a plan may delete, or that are asked
// for, as soon as nothing declared can be one of them: what is below them must
// be known, too.
func (r *reader) going(stage int) {
	r.goes = r.goes[:0]
	for _, key := range slices.Sorted(maps.Keys(r.at)) {
		s := r.at[key]
		if r.went[key] || !r.matcher.settled(s, stage) {
			continue
		}
		r.went[key] = true
		for _, o := range r.snap.scopes[key] {
			if !r.snap.taken[o] && r.mayGo(s.Type, o) {
				r.goes = append(r.goes, resource.Part{Type: s.Type.Neutral(), Ancestors: s.Ancestors, Object: o})
			}
		}
	}
}

// mayGo tells of an undeclared object that may be deleted or is asked for.
func (r *reader) mayGo(t *catalog.Bound, o *resource.Object) bool {
	if t.Parent != nil {
		return r.q.All || r.q.Below || r.q.Sync && r.q.Prune != resource.PruneNone
	}
	ns := catalog.Labels(o)[label.Namespace]
	return slices.Contains(r.q.Set.Namespaces, ns) && (r.q.All || r.q.Sync && t.HasLabels() && resource.PrunesRoots(t.Neutral(), ns, r.q.Set, r.q.Prune))
}

func (r *reader) prunesRoots(t *catalog.Bound) bool {
	return r.q.Sync && t.HasLabels() &&
		slices.ContainsFunc(r.q.Set.Namespaces, func(ns string) bool { return resource.PrunesRoots(t.Neutral(), ns, r.q.Set, r.q.Prune) })
}
