package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// sharesSet reports whether a change is about a set that others have items in.
func sharesSet(t *catalog.Bound, c *plan.Change) bool {
	return t.Neutral().SetField != "" && c.External()
}

// formerSet is a set without what a change added to it, and with what it took out:
// what others did to it since stays.
func formerSet(v undoing, t *catalog.Bound, c *plan.Change, o *resource.Object) []any {
	set := t.Neutral()
	x := c.ChangedFields[set.SetField]
	old, _ := x.Old.([]any)
	now := sentItems(v, t, c, x.New)
	left := resource.ItemsBut(set, resource.SetItems(set, o.Fields), resource.ItemsBut(set, now, old))
	return slices.Concat(left, resource.ItemsBut(set, resource.ItemsBut(set, old, now), left))
}

// sentItems are items of a set that a change sent, with the ids of what the plan made.
func sentItems(v undoing, t *catalog.Bound, c *plan.Change, items any) []any {
	set := t.Neutral().SetField
	out := map[string]any{set: value.Clone(items)}
	for path, ref := range c.References {
		p := value.ParsePath(path)
		if by := v.Plan.Change(ref.Change); by != nil && p[0] == set {
			id, _ := madeID(v, by)
			value.Set(out, p, id)
		}
	}
	list, _ := out[set].([]any)
	return list
}

// addedTo reports whether others have put items into a set since a change created it.
func addedTo(v undoing, t *catalog.Bound, c *plan.Change, o *resource.Object) bool {
	set := t.Neutral()
	return sharesSet(t, c) && len(resource.ItemsBut(set, resource.SetItems(set, o.Fields), sentItems(v, t, c, c.Fields[set.SetField]))) > 0
}
