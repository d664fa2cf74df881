package propose

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// takeBack is how a field goes back to what it was before a change; nothing where it
// had no value, and no update takes its value away.
func takeBack(t *catalog.Bound, c *plan.Change, p value.Path, old any, o *resource.Object) []diff.Change {
	body := t.Update.Body()
	if old == nil && !nullable(body, p) {
		return unset(t, c, p, o)
	}
	have, _ := value.Get(catalog.WithoutSecrets(t, o.Fields), p)
	return []diff.Change{{Path: p, Old: have, New: strip(body.At(p.Generic(), o.Fields), old)}}
}

// unset is how sync takes a field back that nothing declares any more.
func unset(t *catalog.Bound, c *plan.Change, p value.Path, o *resource.Object) []diff.Change {
	var out []diff.Change
	for _, x := range undeclared(t, c, o).Changes {
		if x.Path.HasPrefix(p) && !x.Immutable {
			out = append(out, x)
		}
	}
	return out
}

// isUnset reports whether a field that had no value has none, or the one that Konnect
// gives it then. Of references another resource may give that.
func isUnset(t *catalog.Bound, c *plan.Change, p value.Path, o *resource.Object) bool {
	if _, refers := t.Neutral().Reference(p.Generic()); refers {
		return false
	}
	d := undeclared(t, c, o)
	return !slices.ContainsFunc(d.Changes, func(x diff.Change) bool { return x.Path.HasPrefix(p) }) &&
		!slices.ContainsFunc(d.Kept, func(x diff.Kept) bool { return x.Path.HasPrefix(p) })
}

// undeclared is how a resource differs from what it was before a change, where nothing
// declares what was not set. The other fields choose the form of a union.
func undeclared(t *catalog.Bound, c *plan.Change, o *resource.Object) diff.Delta {
	before, _ := value.Clone(o.Fields).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(c.ChangedFields)) {
		x := c.ChangedFields[name]
		switch q := value.ParsePath(name); {
		case x.Old == nil:
			value.Delete(before, q)
		case !plan.HoldsHidden(x.Old):
			value.Set(before, q, value.Clone(x.Old))
		}
	}
	return diff.Compare(t, before, o.Fields, diff.Whole)
}
