package drive

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
)

// settings names what exists once below a delete, settings and orders, and is not
// what the plan noted. What this run changed below the same parent may have moved it.
func (k *checker) settings(ctx context.Context, c *plan.Change) ([]string, error) {
	noted := k.d.plan.Settings(c)
	out := make([]string, len(noted))
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
		g.Go(func() error {
			o, err := live.ReadOne(gctx, k.d.Target, remote.Scope{Type: t, Ancestors: x.Ancestors}, "")
			if err == nil && o != nil && t.Neutral().Fingerprint(o) != x.Fingerprint {
				out[i] = t.Neutral().Words + " was changed"
			}
			return err
		})
	}
	err := g.Wait()
	return slices.DeleteFunc(out, func(text string) bool { return text == "" }), err
}
