package query

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/value"
)

// Hidden stands in place of a secret.
const Hidden = "(secret)"

// Masked is what Konnect returned without what the contract marks as secret. In the
// configuration of core entities the facts about plugins decide, as in plans.
func Masked(t *catalog.Bound, body map[string]any) map[string]any {
	name, _ := body["name"].(string)
	out, _ := masking{t, name}.mask(nil, body).(map[string]any)
	return out
}

// masking hides the secrets of one object. Name is that of the plugin, if it is one.
type masking struct {
	of   *catalog.Bound
	name string
}

func (m masking) mask(p value.Path, v any) any {
	t := m.of
	if _, isSwitch := v.(bool); len(p) > 0 && v != nil && !isSwitch && (t.ReturnedAt(p).Secret || t.ReturnedAt(t.FieldPath(p)).Secret || written(t, t.FieldPath(p))) {
		return Hidden
	}
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, inner := range x {
			out[k] = m.mask(append(slices.Clone(p), k), inner)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, inner := range x {
			out[i] = m.mask(p, inner)
		}
		return out
	case string:
		if t.Writer != "" && len(p) > 1 {
			return plugin.HideText(m.name, p[1:], x, Hidden)
		}
		return value.HidePassword(x, Hidden)
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
