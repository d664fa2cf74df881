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
	have, _ := value.Get(dropSecretFields(t.Write(), o.Fields), p)
	return []diff.Change{{Path: p, Old: have, New: strip(body.At(p.Generic(), o.Fields), old)}}
}

// unset is how sync takes a field back that nothing declares any more. The other
// fields choose the form of a union that it stands in.
func unset(t *catalog.Bound, c *plan.Change, p value.Path, o *resource.Object) []diff.Change {
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
	var out []diff.Change
	for _, x := range diff.Compare(t, before, o.Fields, diff.Whole).Changes {
		if x.Path.HasPrefix(p) && !x.Immutable {
			out = append(out, x)
		}
	}
	return out
}
