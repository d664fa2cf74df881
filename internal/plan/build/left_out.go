package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// noteLeftOut notes that a delete would also delete, by cascade, a resource that
// the filter leaves out, that is external, or that belongs to an external one.
// Where nothing declares it, --allow-cascade permits it.
func noteLeftOut(b *Draft, u used) {
	alone := u.r != nil && (b.selection.LeftOut(u.r) || u.r.External != nil || b.selection.Others[u.r])
	if above := parentOf(b, u); u.r == nil {
		alone = above != nil && above.External != nil && !Permits(b.Types, b.AllowCascade, u.by.ResourceType, u.by.ResourceRef)
		if slices.Contains(b.Set.Namespaces, u.user.Namespace()) {
			alone = alone || b.selection.Spares(u.user.Type, u.user.Object, above) && !isFormer(b, u)
		}
	}
	if alone {
		b.LeftOut[u.by] = append(b.LeftOut[u.by], plan.UserName(u.user))
	}
}

// parentOf is the declared resource that a user belongs to; nil where it has
// none.
func parentOf(b *Draft, u used) *resource.Resource {
	t, above := u.user.Type, u.user.Ancestors
	if t.Parent == nil || len(above) == 0 {
		return nil
	}
	return b.declaredAt[ObjectKey(t.Parent, above[len(above)-1], above[:len(above)-1])]
}
