package live

import (
	"fmt"
	"strings"

	"kongctl/internal/konnect/language"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/value"
)

// conditions are what an external must be like. A service that decK makes is
// known by its name.
func conditions(x *language.Resource) []language.Condition {
	if d := x.External.Deck; d != nil && x.External.Selector == nil {
		return []language.Condition{{Path: value.ParsePath(x.Type.Identity[0]), Operator: language.In, Values: []any{d.Service}}}
	}
	return x.External.Selector.Conditions
}

// satisfies tells whether an object is what an external asks for: every
// condition holds, and it belongs to the parents that narrow the search.
func (r *reader) satisfies(x *language.Resource, o *remote.Object) bool {
	for _, c := range conditions(x) {
		v, there := value.Get(o.Fields, x.Type.FieldPath(c.Path))
		if !holds(c, v, there && v != nil) {
			return false
		}
	}
	for _, ref := range x.Type.References {
		p := value.ParsePath(ref.Field)
		if x.Fields.Lookup(p).IsAbsent() {
			continue
		}
		want, known := r.snap.Field(x, r.q.Links, p)
		got, _ := value.Get(o.Fields, p)
		if !known || !value.Equal(want, got) {
			return false
		}
	}
	return true
}

func holds(c language.Condition, v any, there bool) bool {
	switch c.Operator {
	case language.Exists:
		return there
	case language.DoesNotExist:
		return !there
	case language.In:
		return there && among(c, v, same)
	case language.NotIn:
		return !there || !among(c, v, same)
	case language.Prefix:
		return there && among(c, v, func(want, got any) bool {
			text, ok := got.(string)
			return ok && strings.HasPrefix(text, fmt.Sprint(want))
		})
	default:
		return false
	}
}

// among tells whether a value, or an item of a list, is like one of the wanted.
func among(c language.Condition, v any, like func(want, got any) bool) bool {
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
