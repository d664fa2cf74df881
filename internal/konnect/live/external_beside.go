package live

import (
	"context"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// askBeside reads what externals are known by though it is a field of another: a
// route by the name of its service. A list that was read anyway is not read again.
func (r *reader) askBeside(ctx context.Context, externals []*resource.Resource) error {
	for _, x := range externals {
		ancestors, ok := r.snap.Ancestors(x)
		if !ok || !searches(x) {
			continue
		}
		for _, c := range conditions(x) {
			to, _, _ := r.q.Catalog.Beside(catalog.Of(x), c.Path)
			if to == nil || catalog.Of(x).ReturnedAt(c.Path).OK {
				continue
			}
			key := scopeKey(to, ancestors)
			if _, read := r.matcher.beside[key]; read {
				continue
			}
			objects, read := r.snap.scopes[key]
			if !read {
				var err error
				if objects, err = r.t.List(ctx, remote.Scope{Type: to, Ancestors: ancestors}); err != nil {
					if err := ending(ctx, err); err != nil {
						return err
					}
					r.snap.partial[x] = err
					continue
				}
			}
			r.matcher.beside[key] = objects
		}
	}
	return nil
}

// condition is what an object has where a condition looks: in its own fields, or
// in those of what it refers to.
func (m *matcher) condition(x *resource.Resource, o *resource.Object, p value.Path) (any, bool) {
	t := catalog.Of(x)
	to, id, below := m.q.Catalog.Beside(t, p)
	if to == nil || t.ReturnedAt(p).OK {
		return value.Get(o.Fields, t.FieldPath(p))
	}
	ancestors, _ := m.snap.Ancestors(x)
	is, _ := value.Get(o.Fields, t.FieldPath(id))
	for _, other := range m.beside[scopeKey(to, ancestors)] {
		if is == other.ID {
			return value.Get(other.Fields, to.FieldPath(below))
		}
	}
	return nil, false
}
