package model

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// Fill adds the defaults of a request schema, in all mappings that are there.
func Fill(schema *contract.Schema, v any) {
	schema = schema.Deref()
	switch x := v.(type) {
	case map[string]any:
		o := schema.Object(x)
		for _, name := range o.Names() {
			f := o.Field(name).Schema
			if f.ReadOnly {
				continue
			}
			if e, ok := x[name]; ok {
				Fill(f, e)
			} else if f.HasDefault() && f.Default != nil {
				x[name] = Clone(f.Default)
			}
		}
		if o.Values != nil {
			for k, e := range x {
				if o.Field(k) == nil {
					Fill(o.Values, e)
				}
			}
		}
	case []any:
		if schema.Items != nil {
			for _, e := range x {
				Fill(schema.Items, e)
			}
		}
	}
}

// merge lays a PATCH over what is stored: null removes, mappings are merged unless the
// contract says that they are replaced, everything else takes the place of the old. A
// mapping of free keys whose values cannot be null is replaced, unless it has a null,
// which removes one.
func merge(schema *contract.Schema, old, patch map[string]any) map[string]any {
	out := CloneMap(old)
	o := schema.Object(patch)
	for k, x := range patch {
		field := o.Values
		if f := o.Field(k); f != nil {
			field = f.Schema
		}
		if x == nil {
			delete(out, k)
			continue
		}
		next, isMap := x.(map[string]any)
		if !isMap {
			out[k] = Clone(x)
			continue
		}
		was, _ := out[k].(map[string]any)
		switch {
		case field == nil:
			out[k] = mergeFree(was, next)
		case field.Whole, replaced(field) && !slices.Contains(slices.Collect(maps.Values(next)), any(nil)), otherVariant(field, was, next):
			out[k] = WithoutNulls(next)
		default:
			out[k] = merge(field, was, next)
		}
	}
	return out
}

func replaced(schema *contract.Schema) bool {
	o := schema.Object(nil)
	return len(o.Names()) == 0 && o.Values != nil && !nullable(o.Values)
}

// otherVariant reports whether a value of a union takes the place of one of another
// variant.
func otherVariant(schema *contract.Schema, was, next map[string]any) bool {
	schema = schema.Deref()
	if was == nil || len(schema.Branches()) == 0 {
		return false
	}
	from, to := schema.Pick(was), schema.Pick(next)
	return from != nil && to != nil && from != to
}

func mergeFree(old, patch map[string]any) map[string]any {
	out := CloneMap(old)
	for k, x := range patch {
		next, isMap := x.(map[string]any)
		switch {
		case x == nil:
			delete(out, k)
		case isMap:
			was, _ := out[k].(map[string]any)
			out[k] = mergeFree(was, next)
		default:
			out[k] = Clone(x)
		}
	}
	return out
}

// WithoutNulls copies a new mapping: null in it removes what is not there.
func WithoutNulls(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if v != nil {
			out[k] = Clone(v)
		}
	}
	return out
}
