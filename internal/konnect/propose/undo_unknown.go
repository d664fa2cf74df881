package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// mayHave reports whether a field of an object may have what a change gave it, where the
// plan did not hold that: it comes from elsewhere, or leads to what the plan made.
func mayHave(v undoing, t *catalog.Bound, c *plan.Change, p value.Path, o *resource.Object) bool {
	now := c.ChangedFields[p.String()].New
	if plan.HoldsHidden(now) {
		return true
	}
	if filledIn(c, t, p, now) {
		return leadsToMade(v, t, p, o)
	}
	found := false
	for path, r := range c.References {
		q := value.ParsePath(path)
		if r.Change == "" || !q.HasPrefix(p) {
			continue
		}
		by := v.Plan.Change(r.Change)
		if found = true; by == nil || by.Action != plan.Create || r.Field != "" && r.Field != "id" {
			continue
		}
		id, known := madeID(v, by)
		if known && !slices.Contains(value.TextsAt(o.Fields, q.Generic()), id) {
			return false
		}
	}
	return found
}

// leadsToMade reports whether what another resource gave to a field is what the plan
// made, where it holds ids: had it been there before, the plan would have known it.
func leadsToMade(v undoing, t *catalog.Bound, p value.Path, o *resource.Object) bool {
	ref, refers := t.Reference(p.Generic())
	return !refers || !slices.ContainsFunc(value.TextsAt(o.Fields, p.Generic()), func(id string) bool {
		return !slices.ContainsFunc(v.Plan.Changes, func(by *plan.Change) bool {
			made, known := madeID(v, by)
			return by.Action == plan.Create && by.ResourceType == ref.Kind && (made == id || !known)
		})
	})
}

// madeID is the id of what a change made, "" where that is gone, and whether that is
// known.
func madeID(v undoing, by *plan.Change) (id string, known bool) {
	tr, t := v.Traces[by.ID], catalog.OfType(v.Types.Kind(by.ResourceType))
	if t == nil {
		return "", false // of another target
	}
	return tr.ID(), unfound(v, t, by, tr) == ""
}
