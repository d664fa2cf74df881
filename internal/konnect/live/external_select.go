package live

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// conditions are what an external must be like. A service that decK makes is
// known by its name.
func conditions(x *resource.Resource) []resource.Condition {
	if d := x.External.Made; d != nil && x.External.Selector == nil {
		return []resource.Condition{{Path: value.ParsePath(catalog.Of(x).Identity[0]), Operator: resource.In, Values: []any{d.Name}}}
	}
	return x.External.Selector.Conditions
}

// satisfies tells whether an object is what an external asks for: every
// condition holds, and it belongs to the parents that narrow the search.
func (m *matcher) satisfies(x *resource.Resource, o *resource.Object) bool {
	for _, c := range conditions(x) {
		v, there := m.condition(x, o, c.Path)
		if !holds(c, v, there && v != nil) {
			return false
		}
	}
	for _, ref := range catalog.Of(x).References {
		p := value.ParsePath(ref.Field)
		if x.Fields.Lookup(p).IsAbsent() {
			continue
		}
		want, known := resource.FieldValue(m.snap, m.q.Links, x, p)
		got, _ := value.Get(o.Fields, p)
		if !known || !value.Equal(want, got) {
			return false
		}
	}
	return true
}

func holds(c resource.Condition, v any, there bool) bool {
	switch c.Operator {
	case resource.Exists:
		return there
	case resource.DoesNotExist:
		return !there
	case resource.In:
		return there && among(c, v, same)
	case resource.NotIn:
		return !there || !among(c, v, same)
	case resource.Prefix:
		return there && among(c, v, func(want, got any) bool {
			text, ok := got.(string)
			return ok && strings.HasPrefix(text, fmt.Sprint(want))
		})
	default:
		return false
	}
}

// among tells whether a value, or an item of a list, is like one of the wanted.
func among(c resource.Condition, v any, like func(want, got any) bool) bool {
	got := []any{v}
	if list, ok := v.([]any); ok {
		got = list
	}
	for _, want := range c.Values {
		for _, g := range got {
			if like(want, g) {
				return true
			}
		}
	}
	return false
}

// same compares as people write: 8080 and "8080" are one.
func same(want, got any) bool { return value.Equal(want, got) || fmt.Sprint(want) == fmt.Sprint(got) }
