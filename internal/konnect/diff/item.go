package diff

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Completed is a declaration whose lists of mappings say of each item what a request must
// say for it to stay: lists are sent whole, and what an item leaves out is lost. In a
// merge that is all that the item has and nobody declares; in any mode it is what Konnect
// works out. Items are those that are known by the same texts, else those of which all
// that is declared is so. Secrets are left out, and so is what the body does not take.
// Hidden reports whether something in a mapping comes from a variable: what would be
// worked out of it is not shown.
func Completed(t *catalog.Bound, body *contract.Schema, desired, current map[string]any, mode Mode, with Beside, hidden func(value.Path) bool) map[string]any {
	c := completer{&comparer{t: t, mode: Merge, desired: desired, current: current}, body, mode, hidden}
	out, _ := c.lists(nil, t.Write(), desired, current).(map[string]any)
	for _, p := range slices.Concat(with.Unset, with.Nulled) {
		value.Delete(out, p)
	}
	return out
}

// completer puts what exists of items into their declarations.
type completer struct {
	compare *comparer
	body    *contract.Schema
	mode    Mode
	hidden  func(value.Path) bool
}

// lists completes the lists in a value.
func (c completer) lists(p value.Path, s *contract.Schema, desired, have any) any {
	switch d := desired.(type) {
	case map[string]any:
		h, isMap := have.(map[string]any)
		if !isMap || s == nil || !c.compare.merged(s, d) {
			return desired
		}
		o, out := s.Object(d), maps.Clone(d)
		for k, v := range d {
			out[k] = c.lists(p.Child(k), fieldOf(o, k), v, h[k])
		}
		return out
	case []any:
		if h, isList := have.([]any); isList {
			return c.items(p, s, d, h)
		}
	}
	return desired
}

// items completes each item of a list that exists.
func (c completer) items(p value.Path, s *contract.Schema, desired, have []any) []any {
	if s == nil || s.Secret || s.Item() == nil || len(s.Item().Object(nil).Names()) == 0 {
		return desired
	}
	out := slices.Clone(desired)
	for i, j := range c.pairs(p, s.Item(), desired, have) {
		out[i] = c.complete(p.Index(i), s.Item(), desired[i], have[j])
	}
	return out
}

// complete is a value in an item with what it has besides.
func (c completer) complete(p value.Path, s *contract.Schema, desired, have any) any {
	d, isMap := desired.(map[string]any)
	h, both := have.(map[string]any)
	if !isMap || !both {
		return c.lists(p, s, desired, have)
	}
	if f, _ := c.compare.t.Format(p.Generic()); s == nil || s.Deref().Whole || f == catalog.Document || !c.compare.merged(s, d) {
		return desired
	}
	o, out := s.Object(d), maps.Clone(d)
	for k, v := range d {
		out[k] = c.complete(p.Child(k), fieldOf(o, k), v, h[k])
	}
	for _, last := range []bool{false, true} { // what is worked out of the others comes last
		for _, k := range slices.Sorted(maps.Keys(h)) {
			at := p.Child(k)
			if _, declared := d[k]; !declared && last == isWorked(c.compare.t, at.Generic()) && c.stays(at, o, h[k]) {
				c.keep(at, o, out, h)
			}
		}
	}
	return out
}

// stays reports whether an update must say what an item has in a field for it to stay.
func (c completer) stays(p value.Path, o *contract.Object, live any) bool {
	s := fieldOf(o, p[len(p)-1])
	if live == nil || s == nil && !o.Open || s != nil && (hides(s, live) || c.body.At(p.Generic(), nil) == nil) {
		return false
	}
	if _, either := catalog.ByName(c.compare.t, append(slices.Clone(p[:len(p)-1]), "name").Generic()); either {
		return false // it is declared by its id or by its name
	}
	return c.mode == Merge || c.compare.t.IsComputed(p.Generic()) || s != nil && s.Secret
}

// hides reports whether a field may not be said in a request: Konnect alone says it, or it
// is a secret. A reference into a vault is not one.
func hides(s *contract.Schema, v any) bool {
	return s.ReadOnly || s.Secret && !value.AllFromVault(v)
}

// keep lets an item say what it has in a field, where it would not have it otherwise:
// defaults and what Konnect works out need not be said. What Konnect worked out of other
// values follows those.
func (c completer) keep(p value.Path, o *contract.Object, out, have map[string]any) {
	name := p[len(p)-1]
	live := have[name]
	to, was := worked(c.compare.t, p.Generic(), out), worked(c.compare.t, p.Generic(), have)
	chosen := value.Equal(was, live)
	switch {
	case to != nil && (value.Equal(to, live) || chosen && (to == any(value.Unknown{}) || c.hidden(p[:len(p)-1]))):
	case to != nil && to != any(value.Unknown{}) && !c.hidden(p[:len(p)-1]) && (chosen || c.mode == Whole):
		out[name] = to
	default:
		if v, says := said(fieldOf(o, name), o.Field(name), live); says {
			out[name] = v
		}
	}
}

// said is a value without secrets, what Konnect alone says, and defaults, and whether
// that says anything.
func said(s *contract.Schema, f *contract.Field, v any) (any, bool) {
	needed := f != nil && f.Required
	switch x := v.(type) {
	case nil:
		return nil, false
	case []any:
		var item *contract.Schema
		if s != nil {
			item = s.Item()
		}
		out := make([]any, len(x))
		for i := range x {
			out[i], _ = said(item, nil, x[i])
		}
		v = out
	case map[string]any:
		out, o := map[string]any{}, &contract.Object{Open: true}
		if s != nil {
			o = s.Object(x)
		}
		for k, y := range x {
			below := fieldOf(o, k)
			if below == nil && !o.Open || below != nil && hides(below, y) {
				continue
			}
			if z, says := said(below, o.Field(k), y); says {
				out[k] = z
			}
		}
		v = out
	}
	return v, needed || s == nil || !s.HasDefault() || !value.Equal(v, s.Default)
}

// pairs says which item of a list that exists each declared one is.
func (c completer) pairs(p value.Path, s *contract.Schema, desired, have []any) map[int]int {
	type pair struct{ i, j, changed int }
	var all []pair
	known := c.known(s, desired, have)
	const most = 100 // items that are compared each with each
	for i, d := range desired {
		for j, h := range have {
			x, isMap := d.(map[string]any)
			y, both := h.(map[string]any)
			if !isMap || !both || len(known) > 0 && !alike(known, x, y) || len(known) == 0 && i != j && max(len(desired), len(have)) > most {
				continue
			}
			if n := c.changed(p.Index(i), s, x, y); len(known) > 0 || n == 0 {
				all = append(all, pair{i, j, n})
			}
		}
	}
	moved := func(x pair) int { return max(x.i-x.j, x.j-x.i) }
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Or(a.changed-b.changed, moved(a)-moved(b)) })
	out, taken := map[int]int{}, map[int]bool{}
	for _, x := range all {
		if _, paired := out[x.i]; !paired && !taken[x.j] {
			out[x.i], taken[x.j] = x.j, true
		}
	}
	return out
}

// known are the texts that tell the items of a list apart; of a union the one that says
// which form they are of, where no two are of one form.
func (c completer) known(s *contract.Schema, desired, have []any) []string {
	if known := catalog.KnownBy(s.Object(nil)); len(known) > 0 {
		return known
	}
	if by, forms := s.Selector(); len(forms) > 1 && differ(desired, by) && differ(have, by) {
		return []string{by}
	}
	return nil
}

// differ reports whether each item has a value of its own in a field.
func differ(items []any, name string) bool {
	seen := map[any]bool{}
	for _, x := range items {
		m, _ := x.(map[string]any)
		text, ok := m[name].(string)
		if !ok || seen[text] {
			return false
		}
		seen[text] = true
	}
	return true
}

// alike reports whether two items are known by the same texts.
func alike(known []string, a, b map[string]any) bool {
	named := false
	for _, k := range known {
		if !value.Equal(a[k], b[k]) {
			return false
		}
		named = named || a[k] != nil
	}
	return named
}

// changed is in how many of its fields an item is not as declared.
func (c completer) changed(p value.Path, s *contract.Schema, desired, have map[string]any) int {
	merging, o, n := c, s.Object(desired), 0
	merging.mode = Merge
	for k, v := range desired {
		if f := fieldOf(o, k); !c.compare.same(p.Child(k), f, merging.complete(p.Child(k), f, v, have[k]), have[k]) {
			n++
		}
	}
	return n
}
