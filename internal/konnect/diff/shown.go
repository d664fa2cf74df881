package diff

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Shown is what a field had, as people compare it with what it gets: what means the
// same is the same, and what nobody declared and the service added is left out. The
// words stand in its place where Konnect does not return the field.
func Shown(t *catalog.Bound, p value.Path, old, now any) (shown any, words string) {
	for _, e := range t.Evidence {
		if text, ok := old.(string); ok && e.Of == p.String() {
			seen := value.ParsePath(e.Seen)
			return old, fmt.Sprintf("(not returned; %s is %s)", seen[len(seen)-1], text)
		}
	}
	c := &comparer{t: t}
	s := t.Write().At(p.Generic(), nil)
	return c.shown(p, s, s, old, now), ""
}

// shown is what is shown of a value: s describes what comes after it, was itself.
func (c *comparer) shown(p value.Path, s, was *contract.Schema, old, now any) any {
	s = s.Deref()
	if s == nil || old == nil || now == nil {
		return old
	}
	_, parts := old.(map[string]any)
	if (!parts || s == was.Deref()) && c.same(p, s, now, old) { // else a form may lack what another has
		return now
	}
	switch before := old.(type) {
	case map[string]any:
		if is, ok := now.(map[string]any); ok {
			return c.shownFields(p, s, was, before, is)
		}
	case []any:
		if is, ok := now.([]any); ok && s.Items != nil {
			return c.shownItems(p, s.Items, itemOf(was), before, is)
		}
	}
	return old
}

func (c *comparer) shownFields(p value.Path, s, was *contract.Schema, old, now map[string]any) map[string]any {
	o, had := s.Object(now), was.Deref().Object(old)
	out := make(map[string]any, len(old))
	for k, v := range old {
		at := p.Child(k)
		to, declared := now[k]
		switch f := o.Field(k); {
		case declared:
			out[k] = c.shown(at, fieldOf(o, k), fieldOf(had, k), v, to)
		case blank(v) && !inDocument(c.t, at), f == nil && o.Values == nil && !o.Open && !canBeWritten(fieldOf(had, k)):
		case f != nil && (f.Schema.ReadOnly || c.defaulted(at, f.Schema, v) || c.t.IsComputed(at.Generic()) && !workedOutDifferently(c, at, f.Schema, v, now)):
		default: // fields of another form go with it, whoever filled them in
			out[k] = v
		}
	}
	return out
}

// workedOutDifferently reports whether Konnect works out another value for a field that is left
// out than the one it had.
func workedOutDifferently(c *comparer, at value.Path, s *contract.Schema, had any, beside map[string]any) bool {
	to := worked(c.t, at.Generic(), beside)
	_, unknown := to.(value.Unknown)
	return to != nil && !unknown && !c.same(at, s, to, had)
}

func canBeWritten(s *contract.Schema) bool { return s.Deref() != nil && !s.Deref().ReadOnly }

// defaulted reports whether a field has its default, with what belongs to it.
func (c *comparer) defaulted(p value.Path, s *contract.Schema, v any) bool {
	return value.Equal(s.Default, v) || s.Default != nil && c.same(p, s, s.Default, v)
}

// shownItems keeps the places of items, but for those of a set: they stand where the
// declaration has them.
func (c *comparer) shownItems(p value.Path, s, was *contract.Schema, old, now []any) []any {
	of := make([]int, len(old)) // the declared item that each one is, or -1
	taken := make([]bool, len(now))
	pair := func(is func(i, j int) bool) {
		for i := range old {
			for j := range now {
				if of[i] < 0 && !taken[j] && is(i, j) {
					of[i], taken[j] = j, true
				}
			}
		}
	}
	for i := range of {
		of[i] = -1
	}
	const most = 100 // items that are compared each with each
	if len(old) <= most && len(now) <= most {
		pair(func(i, j int) bool { return c.same(p.Index(i), s, now[j], old[i]) })
		pair(func(i, j int) bool { return oneName(old[i], now[j]) })
		alike := alikeItems(c, p, s, old, now)
		for _, score := range slices.Backward(slices.Compact(slices.Sorted(maps.Values(alike)))) {
			pair(func(i, j int) bool { return alike[[2]int{i, j}] == score })
		}
	}
	pair(func(i, j int) bool { return i == j && len(old) == len(now) && !otherName(old[i], now[j]) })
	out := make([]any, len(old))
	for i, j := range of {
		if j >= 0 {
			out[i] = c.shown(p.Index(i), s, was, old[i], now[j])
			continue
		}
		out[i] = c.shown(p.Index(i), s, was, old[i], map[string]any{})
	}
	if !c.t.IsUnordered(p.Generic()) {
		return out
	}
	places := make([]int, len(out))
	for i := range places {
		places[i] = i
	}
	last := func(i int) int {
		if of[i] < 0 {
			return len(now)
		}
		return of[i]
	}
	slices.SortStableFunc(places, func(a, b int) int { return last(a) - last(b) })
	sorted := make([]any, len(out))
	for n, i := range places {
		sorted[n] = out[i]
	}
	return sorted
}

// alikeItems rates pairs of items of which half of the fields are the same or more, as
// those who show lists pair items.
func alikeItems(c *comparer, p value.Path, s *contract.Schema, old, now []any) map[[2]int]int {
	out := map[[2]int]int{}
	for i := range old {
		for j := range now {
			a, isMap := normal(s, declarable(s, old[i])).(map[string]any)
			b, both := normal(s, now[j]).(map[string]any)
			if !isMap || !both || otherName(a, b) {
				continue
			}
			o, equal := s.Object(b), 0
			for k, x := range a {
				if y, has := b[k]; has && c.same(p.Index(i).Child(k), fieldOf(o, k), y, x) {
					equal++
				}
			}
			if most := max(len(a), len(b)); 2*equal >= most {
				out[[2]int{i, j}] = 100 * equal / most
			}
		}
	}
	return out
}

// oneName and otherName compare items by the first field that names both.
func oneName(a, b any) bool   { return byName(a, b) > 0 }
func otherName(a, b any) bool { return byName(a, b) < 0 }

func byName(a, b any) int {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for _, k := range []string{"id", "ref", "key", "name", "title", "slug"} {
		if x[k] == nil || y[k] == nil {
			continue
		}
		if value.Equal(x[k], y[k]) {
			return 1
		}
		return -1
	}
	return 0
}

// itemOf describes the items of a list; nil where nothing does.
func itemOf(s *contract.Schema) *contract.Schema {
	if s = s.Deref(); s == nil {
		return nil
	}
	return s.Item()
}
