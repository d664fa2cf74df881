package model

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// blank takes the nulls out of bodies that stand for no value: those of fields
// that need none and that the schema lets have no null.
type blank struct {
	// items: only those in the items of lists, which a PATCH replaces. Others it
	// takes out of what is stored.
	items bool
}

// in copies a body without them. needed says which fields a resource must have.
func (b blank) in(schema, needed *contract.Schema, body map[string]any) map[string]any {
	given := WithoutNulls(body) // picks the variant of a union
	o, must := schema.Object(given), needed.Object(given)
	out := make(map[string]any, len(body))
	for k, v := range body {
		f, n := o.Field(k), must.Field(k)
		var at, below *contract.Schema
		switch {
		case f != nil:
			at = f.Schema
		case o.Values != nil:
			at = o.Values
		}
		free := o.Values != nil || inVariant(schema, k)
		required := f == nil && !free || f != nil && f.Required
		if n != nil {
			below, required = n.Schema, required || n.Required
		}
		if v == nil && !required && !b.items && (at == nil || !nullable(at)) {
			continue
		}
		out[k] = b.below(at, below, v)
	}
	return out
}

// inVariant reports whether any variant of a union has a field.
func inVariant(schema *contract.Schema, name string) bool {
	return hasUnion(schema) && schema.Object(nil).Field(name) != nil
}

func (b blank) below(schema, needed *contract.Schema, v any) any {
	schema, needed = schema.Deref(), needed.Deref()
	if schema == nil {
		return v
	}
	switch x := v.(type) {
	case map[string]any:
		return b.in(schema, needed, x)
	case []any:
		if schema.Items == nil {
			return x
		}
		var item *contract.Schema
		if needed != nil {
			item = needed.Items
		}
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = blank{}.below(schema.Items, item, e)
		}
		return out
	default:
		return v
	}
}

// hasNull reports whether there is a null anywhere in a value.
func hasNull(v any) bool {
	switch x := v.(type) {
	case map[string]any:
		for _, e := range x {
			if hasNull(e) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(x, hasNull)
	default:
		return v == nil
	}
}

// restore gives the fields that a PATCH unset their defaults again, where they
// cannot be null.
func restore(schema *contract.Schema, fields, patch map[string]any) {
	o := schema.Object(fields)
	for k, v := range patch {
		f := o.Field(k)
		if f == nil {
			continue
		}
		below, _ := fields[k].(map[string]any)
		next, isMap := v.(map[string]any)
		switch {
		case isMap && below != nil:
			restore(f.Schema, below, next)
		case v == nil && f.Schema.HasDefault() && f.Schema.Default != nil && !nullable(f.Schema):
			fields[k] = Clone(f.Schema.Default)
		}
	}
}
