package drive

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// settings adds what exists once below a delete, settings and orders, and is not
// what the plan noted. What this run changed below the same parent may have moved it.
func (k *checker) settings(ctx context.Context, c *plan.Change, found *affected) error {
	noted := k.d.plan.Settings(c)
	objects := make([]*resource.Object, len(noted))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(contentsAtOnce)
	for i, x := range noted {
		t := k.d.Catalog.Kind(x.Kind)
		if t == nil || t.ReadOnly || t.Shape != catalog.Singleton || t.Parent == nil {
			continue
		}
		if k.stays(c, plan.Kept{Type: x.Kind, Ancestors: x.Ancestors}) {
			continue
		}
		g.Go(func() (err error) {
			objects[i], err = live.ReadOne(gctx, k.d.Target, remote.Scope{Type: t, Ancestors: x.Ancestors}, "")
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, o := range objects {
		if o == nil {
			continue
		}
		part := resource.Part{Type: k.d.Catalog.Kind(noted[i].Kind).Neutral(), Ancestors: noted[i].Ancestors, Object: o}
		if part.Type.Fingerprint(o) != noted[i].Fingerprint {
			found.add(plan.NewStranger(part, "was changed"), nil)
		}
	}
	return nil
}
