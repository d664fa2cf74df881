package propose

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// formerForm is what a resource was, where an update gave it, or a field of it,
// another form, and what differs from that: the fields of one form do not fit the
// other.
func formerForm(t *catalog.Bound, c *plan.Change, o *resource.Object, d diff.Delta) (map[string]any, diff.Delta) {
	body := t.Update.Body()
	if plan.HoldsHidden(c.CurrentState) {
		return nil, d
	}
	former, _ := strip(body, value.Clone(c.CurrentState)).(map[string]any)
	if t.HasLabels() {
		delete(former, "labels") // formerLabels takes them back
	}
	if t.Puts() && (picksAnother(body, c.CurrentState, o.Fields) || anotherPlugin(t, c, o, d)) {
		return former, diff.Compare(t, former, o.Fields, diff.Whole)
	}
	out := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(former)) {
		if !otherForm(body.At([]string{k}, o.Fields), c.CurrentState[k], o.Fields[k]) || !goesBack(t, c, o, d, k) {
			continue
		}
		out[k] = former[k]
		whole := maps.Clone(o.Fields)
		whole[k] = former[k]
		d.Changes = slices.DeleteFunc(d.Changes, func(x diff.Change) bool { return x.Path[0] == k })
		for _, x := range diff.Compare(t, whole, o.Fields, diff.Whole).Changes {
			if x.Path[0] == k {
				d.Changes = append(d.Changes, x)
			}
		}
	}
	return out, d
}

// anotherPlugin reports whether an update configured another plugin, and all of that can
// be taken back: configurations of plugins are compared as a whole, or by their fields.
func anotherPlugin(t *catalog.Bound, c *plan.Change, o *resource.Object, d diff.Delta) bool {
	of, configures := t.Update.Configuration()
	if !configures {
		return false
	}
	at := value.ParsePath(of.Field)
	return pluginOf(t, c.CurrentState, at) != pluginOf(t, o.Fields, at) && goesBack(t, c, o, d, at[0])
}

// picksAnother reports whether two values have different forms of a union, or of
// one that is a form of it.
func picksAnother(s *contract.Schema, was, is map[string]any) bool {
	if s = s.Deref(); s == nil || len(s.Branches()) == 0 {
		return false
	}
	a, b := s.Pick(was), s.Pick(is)
	if a == nil || b == nil {
		return false
	}
	return a.Deref() != b.Deref() || picksAnother(a, was, is)
}

// otherForm reports whether two values, or what they hold in the same place, have
// different forms of a union.
func otherForm(s *contract.Schema, was, is any) bool {
	a, wasMap := was.(map[string]any)
	b, isMap := is.(map[string]any)
	if s == nil || !wasMap || !isMap {
		return false
	}
	if picksAnother(s, a, b) {
		return true
	}
	form := s.Object(b)
	for k, x := range a {
		if f := form.Field(k); f != nil && otherForm(f.Schema, x, b[k]) {
			return true
		}
	}
	return false
}

// goesBack reports whether all that an update changed below a field can be taken
// back, or is as it was.
func goesBack(t *catalog.Bound, c *plan.Change, o *resource.Object, d diff.Delta, top string) bool {
	changed := false
	for name, x := range c.ChangedFields {
		p := value.ParsePath(name)
		if p[0] != top {
			continue
		}
		changed = true
		if !slices.ContainsFunc(d.Changes, func(y diff.Change) bool { return y.Path.String() == name }) && !same(t, p, x.Old, o) {
			return false
		}
	}
	return changed
}
