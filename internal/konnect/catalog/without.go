package catalog

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Without is the value of a reference field without some ids, and whether the
// field can have it. Where the reference stands in the items of a list, it is that
// list with as little less as can be: the items lose an optional field, else the
// innermost list that can lose an item does. The list without which there is no
// resource is never empty, and loses whole items: what one needs may depend on what
// stands beside the list. Without a value, it is one that holds an id alone.
func (k behaviour) Without(path []string, now any, ids []string) (any, bool) {
	if k.b.Update == nil {
		return nil, false
	}
	body := k.b.Update.Body()
	for n := 1; n < len(path); n++ {
		if above := body.At(path[:n], nil); above != nil && above.Type == "array" {
			if path[0] == k.b.Emptied {
				left := withoutItems(path[n:], now, ids)
				return left, len(left) > 0 && mayHave(above, len(left))
			}
			return shed(above, path[n:], now, ids)
		}
	}
	s := body.At(path, nil)
	if list, isList := now.([]any); isList {
		if left := withoutItems(nil, list, ids); mayHave(s, len(left)) && (len(left) > 0 || path[0] != k.b.Emptied) {
			return left, true
		}
	}
	if s == nil {
		return nil, false
	}
	switch {
	case s.Nullable:
		return nil, true
	case s.HasDefault():
		return value.Clone(s.Default), true
	default:
		return nil, false
	}
}

// withoutItems is a list without the items that have one of the ids at a path.
func withoutItems(path []string, v any, ids []string) []any {
	list, _ := v.([]any)
	left := []any{}
	for _, x := range list {
		if !hasAny(x, path, ids) {
			left = append(left, x)
		}
	}
	return left
}

func hasAny(v any, path, ids []string) bool {
	return slices.ContainsFunc(value.TextsAt(v, path), func(id string) bool { return slices.Contains(ids, id) })
}

// shed is a value inside a list without the ids that it has at a path, and whether
// there is such a value.
func shed(s *contract.Schema, path []string, v any, ids []string) (any, bool) {
	if v != nil && !hasAny(v, path, ids) {
		return v, true
	}
	if s != nil && s.Type == "array" {
		return shedItems(s, path, v, ids)
	}
	if s == nil || len(path) == 0 {
		return nil, false
	}
	m, _ := v.(map[string]any)
	if below, can := shed(s.At(path[:1], m), path[1:], m[path[0]], ids); can {
		out := maps.Clone(m)
		if out == nil {
			out = map[string]any{}
		}
		out[path[0]] = below
		return out, true
	}
	// A mapping with an id or a name in it stands for what it refers to.
	if path[0] == "id" || needs(s, m, path[0]) {
		return nil, false
	}
	out := maps.Clone(m)
	delete(out, path[0])
	return out, true
}

// shedItems is a list whose items have no such ids; those that cannot be without go.
func shedItems(s *contract.Schema, path []string, v any, ids []string) (any, bool) {
	list, _ := v.([]any)
	if v == nil {
		list = []any{nil}
	}
	left := []any{}
	for _, x := range list {
		if y, can := shed(s.Items.Deref(), path, x, ids); can {
			left = append(left, y)
		}
	}
	return left, mayHave(s, len(left))
}

// needs reports whether a mapping has to have a field: in the form that it is of, or
// in any where that is not known.
func needs(s *contract.Schema, m map[string]any, name string) bool {
	required := func(s *contract.Schema) bool {
		f := s.Object(nil).Field(name)
		return f != nil && f.Required
	}
	if len(s.Branches()) == 0 || required(s) {
		return required(s)
	}
	if form := s.Pick(m); m != nil && form != nil {
		return needs(form, m, name)
	}
	return slices.ContainsFunc(s.Branches(), func(b *contract.Schema) bool { return needs(b, m, name) })
}

// mayHave reports whether a list may have so many items.
func mayHave(s *contract.Schema, n int) bool {
	return s != nil && s.Type == "array" && (s.MinItems == nil || n >= *s.MinItems)
}
