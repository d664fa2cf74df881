package export

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// What stands in for a resource that another target writes.
const (
	keyExternal    = "_external"
	keyID          = "id"
	keySelector    = "selector"
	keyMatchFields = "matchFields"
)

// sought is a list of what another target or nobody writes, and the ids of those in
// it that the export refers to.
type sought struct {
	t *catalog.Bound
	// parent is nil for a list of roots.
	parent  *Resource
	ids     map[string]bool
	objects []*resource.Object
	// shown: what refers to them says all that is needed.
	shown bool
}

// externals finds what is referred to and written by another target, such as the
// service of an implementation, or by nobody, such as an operation of an API. It stands below its parent, or at the
// root, as an external, by name: an id would be good for this one Konnect alone. A
// dump has ids all over.
func (r *reader) externals(ctx context.Context) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	lists := r.sought()
	for _, s := range lists {
		if s.shown {
			continue
		}
		g.Go(func() (err error) {
			scope := remote.Scope{Type: s.t}
			if s.parent != nil {
				scope.Ancestors = s.parent.path()
			}
			s.objects, err = r.t.List(inner, scope)
			var refused *client.APIError
			if errors.As(err, &refused) && (refused.Status == http.StatusForbidden || refused.Status == http.StatusNotFound) {
				return nil // its id is written instead
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, s := range lists {
		if found := s.found(); s.parent != nil {
			s.parent.children = append(s.parent.children, found...)
		} else {
			r.snap.Roots = append(r.snap.Roots, found...)
		}
	}
	if len(lists) > 0 {
		r.snap.sort()
	}
	return nil
}

// sought goes by the references of what was read.
func (r *reader) sought() []*sought {
	all := r.snap.All()
	index := newIndex(all)
	var out []*sought
	for _, x := range all {
		for _, ref := range x.Type.References {
			v, _ := value.Get(x.Object.Fields, value.ParsePath(ref.Field))
			id, ok := v.(string)
			t := r.snap.Catalog.Kind(ref.Kind)
			if t == nil || !ok || id == "" {
				continue
			}
			root := t.Parent == nil && t.ReadOnly && t.List != nil && index.target(x, ref, id) == nil
			if t.Parent == nil && !root {
				continue
			}
			var parent *Resource
			var o *resource.Object
			switch {
			case root:
			case t.Writer != "":
				parent = x.beside(index, t.Parent.Kind)
			default:
				if shown, ok := catalog.Shows(r.snap.Catalog, x.Type, ref); ok {
					var above string
					o, above = shown.Object(id, x.Object.Fields)
					parent = index.target(x, catalog.Reference{Kind: t.Parent.Kind}, above)
				}
			}
			if parent == nil && !root {
				continue
			}
			i := slices.IndexFunc(out, func(s *sought) bool { return s.t == t && s.parent == parent })
			if i < 0 {
				i = len(out)
				out = append(out, &sought{t: t, parent: parent, ids: map[string]bool{}, shown: o != nil})
			}
			if o != nil && !out[i].ids[id] {
				out[i].objects = append(out[i].objects, o)
			}
			out[i].ids[id] = true
		}
	}
	return out
}

// beside is the resource of a kind that a resource refers to, too; nil for none.
func (r *Resource) beside(x index, kind string) *Resource {
	for _, ref := range r.Type.References {
		id, _ := value.Get(r.Object.Fields, value.ParsePath(ref.Field))
		if text, ok := id.(string); ok && ref.Kind == kind {
			if t := x.target(r, ref, text); t != nil {
				return t
			}
		}
	}
	return nil
}

// found are those that have a name of their own.
func (s *sought) found() []*Resource {
	named := map[string]int{}
	for _, o := range s.objects {
		named[(&Resource{Type: s.t, Object: o}).Name()]++
	}
	var out []*Resource
	for _, o := range s.objects {
		x := &Resource{Type: s.t, Object: o, Parent: s.parent, external: true}
		if f := s.t.NameField(); !s.shown && (f == "" || o.Fields[f] != x.Name()) || x.Name() == "" || named[x.Name()] > 1 {
			continue
		}
		if s.ids[o.ID] {
			out = append(out, x)
		}
	}
	return out
}

// selector is how a configuration finds an external: by its id where all are named
// by theirs.
func (w *writer) selector(r *Resource) value.Value {
	match := map[string]any{r.Type.NameField(): r.Name()}
	if r.Type.Writer == "" {
		match = identityOf(r)
	}
	by := map[string]any{keySelector: map[string]any{keyMatchFields: match}}
	if w.o.ByID && r.Object.ID != "" {
		by = map[string]any{keyID: r.Object.ID}
	}
	return value.MapAt(value.Pos{}, value.Entry{Key: keyRef, Value: value.StringAt(value.Pos{}, w.names.refs[r])}, value.Entry{Key: keyExternal, Value: value.From(value.Pos{}, by)})
}
