package diff

import (
	"fmt"
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
	return c.shown(p, t.Write().At(p.Generic(), nil), old, now), ""
}

func (c *comparer) shown(p value.Path, s *contract.Schema, old, now any) any {
	s = s.Deref()
	if s == nil || old == nil || now == nil {
		return old
	}
	if c.same(p, s, now, old) {
		return now
	}
	switch was := old.(type) {
	case map[string]any:
		if is, ok := now.(map[string]any); ok {
			return c.shownFields(p, s, was, is)
		}
	case []any:
		if is, ok := now.([]any); ok && s.Items != nil {
			return c.shownItems(p, s.Items, was, is)
		}
	}
	return old
}

func (c *comparer) shownFields(p value.Path, s *contract.Schema, old, now map[string]any) map[string]any {
	o := s.Object(now)
	out := make(map[string]any, len(old))
	for k, v := range old {
		to, declared := now[k]
		switch f := o.Field(k); {
		case declared:
			out[k] = c.shown(p.Child(k), fieldOf(o, k), v, to)
		case f == nil && o.Values == nil && !o.Open && s.Object(nil).Field(k) == nil:
		case blank(v), f != nil && (f.Schema.ReadOnly || c.defaulted(p.Child(k), f.Schema, v)):
		case slices.Contains(c.t.Computed, p.Child(k).Generic().String()):
		default:
			out[k] = v
		}
	}
	return out
}

// defaulted reports whether a field has its default, with what belongs to it.
func (c *comparer) defaulted(p value.Path, s *contract.Schema, v any) bool {
	return value.Equal(s.Default, v) || s.Default != nil && c.same(p, s, s.Default, v)
}

// shownItems keeps the places of items, but for those of a set: they stand where the
// declaration has them.
func (c *comparer) shownItems(p value.Path, s *contract.Schema, old, now []any) []any {
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
	}
	pair(func(i, j int) bool { return i == j && len(old) == len(now) && !otherName(old[i], now[j]) })
	out := make([]any, len(old))
	for i, j := range of {
		if j >= 0 {
			out[i] = c.shown(p.Index(i), s, old[i], now[j])
			continue
		}
		out[i] = c.shown(p.Index(i), s, old[i], map[string]any{})
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
