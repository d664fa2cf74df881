package propose

import (
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
)

var _ build.Witness = Proposer{}

// WhoMoved says which side changed an object since it was last applied, by what
// the inventory lists and by the managers of its fields.
func (p Proposer) WhoMoved(r *resource.Resource) build.Mover {
	item, f := object.ItemOf(r), p.Read.Found(r)
	switch {
	case item.IsInventory() && p.Read.Lost(), f != nil && f.Live == nil && p.Read.Lists(item.ID), f != nil && f.Conflict != "":
		return build.TargetMoved
	case item.IsInventory(), f != nil && f.Live == nil:
		return build.ConfigurationMoved
	case f == nil || f.Unchecked != "" || p.Scope.Options.ForceConflicts: // nobody looked for fields of others
		return build.NobodyKnown
	case f.Manages(p.Scope.Options.Manager):
		return build.ConfigurationMoved
	default:
		return build.NobodyKnown
	}
}
