package live

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/value"
)

// Objects lists everything that was read of a type.
func (s *Snapshot) Objects(t *resource.Type) []resource.Part {
	var out []resource.Part
	for _, key := range slices.Sorted(maps.Keys(s.scopes)) {
		parts := strings.Split(key, "\x00")
		if parts[0] != t.Kind {
			continue
		}
		for _, o := range s.scopes[key] {
			out = append(out, resource.Part{Type: t, Ancestors: parts[1 : 1+t.Depth()], Object: o})
		}
	}
	return out
}

// holders reads what may have a value that a declared resource is going to take
// and that no two may share: the resources of its type below all other parents.
// Nothing is read while every such value is known and stays. What cannot be read
// is left to Konnect to refuse.
func (r *reader) holders(ctx context.Context) {
	var scopes []remote.Scope
	for _, t := range r.q.Catalog.All() {
		if len(t.Unique) == 0 || t.Depth() != 1 || !r.takesValue(t) {
			continue
		}
		for _, parent := range r.snap.scopes[scopeKey(t.Parent, nil)] {
			s := remote.Scope{Type: t, Ancestors: []string{parent.ID}}
			if _, read := r.at[scopeKey(t, s.Ancestors)]; !read {
				scopes = append(scopes, s)
			}
		}
	}
	found, errs := make([][]*resource.Object, len(scopes)), make([]error, len(scopes))
	var group sync.WaitGroup
	for i, s := range scopes {
		group.Go(func() { found[i], errs[i] = list(ctx, r.t, s) })
	}
	group.Wait()
	for i, s := range scopes {
		if errs[i] == nil {
			r.snap.scopes[scopeKey(s.Type, s.Ancestors)] = found[i]
		}
	}
}

// takesValue reports whether a declared resource of a type gets another value in
// a field that no two may share.
func (r *reader) takesValue(t *catalog.Bound) bool {
	if r.q.Brief || r.q.Lenient {
		return false
	}
	for _, x := range r.q.Set.Of(t.Neutral()) {
		if x.External != nil || r.q.leftOut(x) {
			continue
		}
		for _, f := range t.Unique {
			if r.takes(x, value.ParsePath(f)) {
				return true
			}
		}
	}
	return false
}

func (r *reader) takes(x *resource.Resource, p value.Path) bool {
	if x.Fields.Lookup(p).IsAbsent() {
		return false
	}
	want, known := resource.FieldValue(r.snap, r.q.Links, x, p)
	o := r.snap.objects[x]
	if o == nil || !known || r.fromElsewhere(x, p) {
		return true
	}
	have, _ := value.Get(o.Fields, p)
	return !resource.SameField(x.Type, p.String(), want, have)
}

// fromElsewhere reports whether a field comes from something that others write:
// decK may change it in the same run.
func (r *reader) fromElsewhere(x *resource.Resource, p value.Path) bool {
	link, ok := r.q.Links.At(x, p)
	for ok && catalog.Of(link.Target).Writer == "" {
		link, ok = r.q.Links.At(link.Target, value.ParsePath(link.Field))
	}
	return ok
}
