package live

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// readBeside reads what may name the objects in a field: it has the same parent.
func (r *userReader) readBeside(ctx context.Context, cat *catalog.Catalog, removed []resource.Removed) error {
	scopes := map[string]remote.Scope{}
	for _, x := range removed {
		if x.Above == "" {
			continue
		}
		for _, use := range cat.Types().NamedBy(x.Kind) {
			s := remote.Scope{Type: catalog.OfType(use.By), Ancestors: x.Ancestors()}
			scopes[scopeKey(s.Type, s.Ancestors)] = s
		}
	}
	g, gctx := errgroup.WithContext(ctx)
	for key, s := range scopes {
		g.Go(func() error {
			objects, err := r.scope(gctx, s)
			if err != nil && (gctx.Err() != nil || resource.Fatal(err)) {
				return err
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if err != nil {
				r.errs[s.Type.Kind] = err
			}
			r.beside[key] = partsOf(s.Type, s.Ancestors, objects)
			return nil
		})
	}
	return g.Wait()
}

// naming finds the fields that name the objects in what was read beside them: by the
// name, or by the id.
func (r *userReader) naming(cat *catalog.Catalog, removed []resource.Removed, out *resource.Users) {
	for _, x := range removed {
		if x.Above == "" {
			continue
		}
		names := slices.DeleteFunc([]string{x.Name, x.ID}, func(s string) bool { return s == "" })
		for _, use := range cat.Types().NamedBy(x.Kind) {
			for _, part := range r.beside[scopeKey(catalog.OfType(use.By), x.Ancestors())] {
				own := part.Type.Kind == x.Kind && part.Object.ID == x.ID
				said := value.TextsAt(part.Object.Fields, value.ParsePath(use.Field))
				if !own && slices.ContainsFunc(said, func(s string) bool { return slices.Contains(names, s) }) {
					out.Refer[x.Object()] = append(out.Refer[x.Object()], resource.User{Part: part, Use: use})
				}
			}
		}
	}
}
