package drive

import (
	"context"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// settings adds what exists once below a delete, settings and orders, and is not
// what the plan noted. What this run changed below the same parent may have moved it.
func (k *checker) settings(ctx context.Context, c *plan.Change, found *affected) error {
	noted := k.d.places.Settings(c)
	parts := make([]plan.Kept, len(noted))
	for i, x := range noted {
		parts[i] = plan.Kept{Type: x.Kind, Ancestors: x.Ancestors}
	}
	objects, err := k.readEach(ctx, parts, func(t *catalog.Bound, x plan.Kept) bool {
		return t.Shape == catalog.Singleton && t.Parent != nil && !k.stays(c, x)
	})
	if err != nil {
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
