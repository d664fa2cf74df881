package export

import (
	"cmp"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// keepPlaces puts what is in trees into the order that Konnect has it in: a
// configuration cannot say that order, a state can.
func keepPlaces(list []*Resource) {
	rank := map[*catalog.Bound]int{}
	for i, r := range list {
		if _, seen := rank[r.Type]; !seen {
			rank[r.Type] = i
		}
	}
	slices.SortStableFunc(list, func(a, b *Resource) int {
		if a.Type == b.Type && a.Type.Tree != nil {
			return cmp.Compare(a.place, b.place)
		}
		return cmp.Compare(rank[a.Type], rank[b.Type])
	})
	for _, r := range list {
		keepPlaces(r.children)
	}
}

// KeepOrder lets a plan that fills an embedded Konnect make the siblings of
// trees one after the other, in the order of the configuration: a new one comes
// last.
func KeepOrder(cat *catalog.Catalog, p *plan.Plan) {
	last := map[string]*plan.Change{}
	for _, c := range p.Changes {
		t := cat.Kind(c.ResourceType)
		if t == nil || t.Tree == nil || c.Action != plan.Create || c.Parent == nil {
			continue
		}
		// The changes stand in an order in which none waits for a later one.
		owner := c.ResourceType + " " + c.Parent.Ref + " " + c.Parent.ID
		if before := last[owner]; before != nil && !slices.Contains(c.DependsOn, before.ID) {
			c.DependsOn = append(c.DependsOn, before.ID)
		}
		last[owner] = c
	}
}
