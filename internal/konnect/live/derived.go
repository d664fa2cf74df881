package live

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// readSources finds what derived resources that others use come from. It reads the
// texts below parents of which something derived is used, and no others.
func (r *userReader) readSources(ctx context.Context, cat *catalog.Catalog, out *resource.Users) error {
	g, gctx := errgroup.WithContext(ctx)
	for of, users := range out.Refer {
		if !of.Derived {
			continue
		}
		types := map[*resource.Type]bool{}
		for _, u := range users {
			types[u.Through.Type] = true
		}
		for t := range types {
			for _, from := range t.Derived.From {
				s := remote.Scope{Type: cat.Kind(from.Kind), Ancestors: []string{of.ID}}
				g.Go(func() error {
					sources, err := r.texts(gctx, t, s)
					if err != nil && (gctx.Err() != nil || resource.Fatal(err)) {
						return err
					}
					r.mu.Lock()
					defer r.mu.Unlock()
					if err != nil { // what stays is unknown
						for _, u := range users {
							r.errs[u.Type.Kind] = err
						}
					}
					derive(t, from.Kind, sources, users)
					return nil
				})
			}
		}
	}
	return g.Wait()
}

// derive notes from which of the objects, by their texts, the used ones come.
func derive(t *resource.Type, kind string, texts map[string]string, users []resource.User) {
	done := map[*resource.Through]bool{}
	for _, u := range users {
		if u.Through.Type != t || done[u.Through] {
			continue
		}
		done[u.Through] = true
		for id, text := range texts {
			if t.Derived.In(t, text, u.Through.Object) {
				u.Through.From = append(u.Through.From, resource.SourceKey(kind, id))
			}
		}
	}
}

// texts reads what is derived from, by id.
func (r *userReader) texts(ctx context.Context, t *resource.Type, s remote.Scope) (map[string]string, error) {
	objects, err := r.scope(ctx, s)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, o := range objects {
		text, has := t.Derived.Text(s.Type.Kind, o.Fields)
		if !has {
			full, err := r.t.Read(ctx, s, o.ID)
			if err != nil && !resource.Missing(err) {
				return nil, err
			}
			if full != nil {
				text, _ = t.Derived.Text(s.Type.Kind, full.Fields)
			}
		}
		out[o.ID] = text
	}
	return out, nil
}
