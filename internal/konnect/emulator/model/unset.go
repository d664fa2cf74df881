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

// views are how a value is looked at to take the nulls out of it. Each may be nil.
type views struct {
	schema *contract.Schema
	// needed says which fields a resource must have.
	needed *contract.Schema
	// forms joins the variants of all unions that the value stands in: null for a field
	// of another one says nothing.
	forms *contract.Schema
}

// in copies a body without them.
func (b blank) in(at views, body map[string]any) map[string]any {
	given := WithoutNulls(body) // picks the variant of a union
	own, needed, forms := at.schema.Object(given), at.needed.Object(given), at.forms.Object(nil)
	out := make(map[string]any, len(body))
	for k, v := range body {
		var below views
		required, foreign := false, false
		switch f := own.Field(k); {
		case f != nil:
			below.schema, required = f.Schema, f.Required
		case own.Values != nil:
			below.schema = own.Values
		case forms.Field(k) != nil:
			foreign = true
		default: // no form has it, and it stays to be refused
			required = true
		}
		if f := needed.Field(k); f != nil {
			below.needed, required = f.Schema, required || f.Required
		}
		if f := forms.Field(k); f != nil {
			below.forms = f.Schema
		}
		if v == nil && !required && !b.items && (foreign || !nullable(below.schema)) {
			continue
		}
		out[k] = b.below(below, v)
	}
	return out
}

func (b blank) below(at views, v any) any {
	at = views{at.schema.Deref(), at.needed.Deref(), at.forms.Deref()}
	if at.schema == nil {
		return v
	}
	switch x := v.(type) {
	case map[string]any:
		return b.in(at, x)
	case []any:
		at = views{at.schema.Item(), at.needed.Item(), at.forms.Item()}
		if at.schema == nil {
			return x
		}
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = blank{}.below(at, e)
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
