package client

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// unanswered returns what an answer to a read lacks to be a resource of the type; ""
// when it has all. Fields that are absent would count as fields without a value, and
// differ from what is declared.
func unanswered(t *catalog.Bound, op *contract.Operation, body map[string]any) string {
	_, schema := op.Success()
	if w := op.Wrapper(); w != "" {
		schema = schema.At([]string{w}, nil)
	}
	if schema == nil {
		return ""
	}
	fields, known := schema.Object(nil), false
	for _, name := range fields.Names() {
		f := fields.Field(name)
		v, there := body[name]
		known = known || there
		if f.Required && counts(t, name, f) && (!there || v == nil && !f.Schema.Deref().Nullable) {
			return name
		}
	}
	if !known && len(fields.Names()) > 0 && fields.Values == nil && (len(body) > 0 || body == nil || !MayBeEmpty(t)) {
		return "any field of " + t.Kind
	}
	return ""
}

// MayBeEmpty reports whether an answer without fields may be a resource of the type: one
// that is always there, such as a customization from which somebody took everything.
func MayBeEmpty(t *catalog.Bound) bool {
	return t.Shape == catalog.Singleton && t.Create == nil && t.Delete == nil
}

// counts reports whether a field of an answer decides about changes: it can be declared,
// or says which resource it is.
func counts(t *catalog.Bound, name string, f *contract.Field) bool {
	at := t.FieldPath([]string{name})
	declared := t.Write().At(at, nil)
	return name == "id" || t.IsIdentity(at) || declared != nil && !declared.Secret && !f.Schema.Deref().Secret && !t.IsComputed(at)
}
