package derive

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// distinct gives what is made below one parent refs of its own: the ref of what nothing
// declared is its name, which several may share. Those get the ref of what they nest in
// before their name, or a number behind it. The halves of a replace keep theirs, which is
// how they are known.
func distinct(v *Undoing) {
	var all []*plan.Change
	for _, c := range slices.Backward(v.b.Plan.Changes) { // as the plan had them
		if c.Action == plan.Create {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *plan.Change) int {
		switch {
		case a.Replace == b.Replace:
			return 0
		case a.Replace:
			return -1
		default:
			return 1
		}
	})
	place := func(c *plan.Change, ref string) string {
		return plan.PlaceKey(c.ResourceType, plan.AncestorsOf(c), ref)
	}
	count, taken := map[string]int{}, map[string]bool{}
	for _, c := range all {
		count[place(c, c.ResourceRef)]++
	}
	for _, c := range all {
		ref := c.ResourceRef
		if count[place(c, ref)] > 1 && !c.Replace {
			ref = nestedRef(v, c)
		}
		for n := 2; taken[place(c, ref)]; n++ {
			ref = resource.ShortRef(fmt.Sprintf("%s-%d", c.ResourceRef, n))
		}
		c.ResourceRef = ref
		taken[place(c, ref)] = true
	}
}

// nestedRef is the ref of a resource with that of the one it nests in before it; its own
// where that is not made again.
func nestedRef(v *Undoing, c *plan.Change) string {
	t := v.Types.Kind(c.ResourceType)
	if t.Nest == "" {
		return c.ResourceRef
	}
	id, _ := value.Get(c.Fields, value.ParsePath(t.Nest))
	above := v.remade[fmt.Sprint(id)]
	if above == nil {
		return c.ResourceRef
	}
	return resource.ShortRef(above.ResourceRef + "-" + c.ResourceRef)
}
