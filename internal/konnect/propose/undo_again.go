package propose

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// undoAgain deals with a deleted resource that exists again. As it was, there is nothing
// to undo but what was deleted with it; otherwise it is left alone. What exists once
// below such a resource goes back to what it was.
func undoAgain(v undoing, t *catalog.Bound, c *plan.Change, tr plan.Trace) *plan.Change {
	o, differs := tr.Object, differing(t, c, tr.Object)
	switch {
	case tr.Restored:
		v.Restored(c)
		if c.With == nil {
			v.Nothing(c, "exists again"+o.InParentheses())
		}
	case c.With != nil && t.Orders != "":
		return undoOrder(v, t, c, tr)
	case c.With != nil && !t.Optional():
		return v.undoUpdate(t, asUpdate(c, o, differs), tr)
	case len(differs) == 0, t.HasLabels() && catalog.Labels(o)[label.Namespace] != c.Namespace:
		v.Cannot(c, nil, "another one has its place%s", o.InParentheses())
	default:
		v.Cannot(c, nil, "it exists again%s, and not as it was (%s)", o.InParentheses(), strings.Join(differs, ", "))
	}
	return nil
}

// IsAsBefore reports whether an object is what a plan deleted, as far as the plan knows
// that.
func IsAsBefore(t *catalog.Bound, c *plan.Change, o *resource.Object) bool {
	return c.CurrentState != nil && len(differing(t, c, o)) == 0
}

// differing lists the fields that an object has otherwise than what a plan deleted. What
// the plan does not hold cannot be compared.
func differing(t *catalog.Bound, c *plan.Change, o *resource.Object) []string {
	fields, lost := formerState(t, c)
	for _, path := range lost {
		p := value.ParsePath(path)
		if have, ok := value.Get(o.Fields, p); ok {
			value.Set(fields, p, value.Clone(have))
		}
	}
	var out []string
	for _, x := range diff.CompareWith(t, fields, o.Fields, diff.New, diff.Beside{Ordered: true}).Changes {
		out = append(out, x.Path[0])
	}
	if t.HasLabels() && !sameLabels(c.CurrentState["labels"], o) {
		out = append(out, "labels")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sameLabels reports whether an object has the labels of a deleted one, but for what
// kongctl notes about its writes.
func sameLabels(was any, o *resource.Object) bool {
	before, _ := was.(map[string]any)
	now := catalog.Labels(o)
	written := func(k string) bool { return k == label.LastUpdated || k == label.Hash || k == label.Managed }
	for k, x := range before {
		if !written(k) && x != any(now[k]) {
			return false
		}
	}
	for k := range now {
		if _, had := before[k]; !had && !written(k) {
			return false
		}
	}
	return true
}

// asUpdate is a delete as the update that gave fields of a resource the values that they
// have now.
func asUpdate(c *plan.Change, o *resource.Object, fields []string) *plan.Change {
	out := *c
	out.Action, out.ChangedFields = plan.Update, map[string]plan.OldNew{}
	for _, k := range fields {
		out.ChangedFields[k] = plan.OldNew{Old: c.CurrentState[k], New: o.Fields[k]}
	}
	return &out
}
