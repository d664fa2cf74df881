package emulator

import (
	"kongctl/internal/konnect/contract"
)

// fill adds the defaults of a request schema, in all mappings that are there.
func fill(schema *contract.Schema, v any) {
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
				fill(f, e)
			} else if f.HasDefault() && f.Default != nil {
				x[name] = clone(f.Default)
			}
		}
		if o.Values != nil {
			for k, e := range x {
				if o.Field(k) == nil {
					fill(o.Values, e)
				}
			}
		}
	case []any:
		if schema.Items != nil {
			for _, e := range x {
				fill(schema.Items, e)
			}
		}
	}
}

// merge lays a PATCH over what is stored: null removes, mappings are merged,
// everything else takes the place of the old. A mapping of free keys whose
// values cannot be null is replaced, for nothing in it could be removed.
func merge(schema *contract.Schema, old, patch map[string]any) map[string]any {
	out := cloneMap(old)
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
			out[k] = clone(x)
			continue
		}
		was, _ := out[k].(map[string]any)
		switch {
		case field == nil:
			out[k] = mergeFree(was, next)
		case replaced(field):
			out[k] = withoutNulls(next)
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

func mergeFree(old, patch map[string]any) map[string]any {
	out := cloneMap(old)
	for k, x := range patch {
		next, isMap := x.(map[string]any)
		switch {
		case x == nil:
			delete(out, k)
		case isMap:
			was, _ := out[k].(map[string]any)
			out[k] = mergeFree(was, next)
		default:
			out[k] = clone(x)
		}
	}
	return out
}

// withoutNulls copies a new mapping: null in it removes what is not there.
func withoutNulls(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if v != nil {
			out[k] = clone(v)
		}
	}
	return out
}
