package query

import (
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// Hidden stands in place of a secret.
const Hidden = "(secret)"

// Masked is what Konnect returned without what the contract marks as secret.
func Masked(t *catalog.Bound, body map[string]any) map[string]any {
	out, _ := mask(t, nil, body).(map[string]any)
	return out
}

func mask(t *catalog.Bound, p value.Path, v any) any {
	if len(p) > 0 && v != nil && (t.ReturnedAt(p).Secret || t.ReturnedAt(t.FieldPath(p)).Secret || written(t, t.FieldPath(p))) {
		return Hidden
	}
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, inner := range x {
			out[k] = mask(t, append(slices.Clone(p), k), inner)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, inner := range x {
			out[i] = mask(t, p, inner)
		}
		return out
	default:
		return v
	}
}

// written reports whether people write a secret at a path.
func written(t *catalog.Bound, p value.Path) bool {
	if t.ReadOnly {
		return false
	}
	s := t.Write().At(p.Generic(), nil)
	return s != nil && s.Secret
}
