package catalog

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Masked is what Konnect returned, with what the contract marks as secret replaced by
// hidden. In the configuration of core entities the facts about plugins decide, as in
// plans.
func Masked(b *Bound, body map[string]any, hidden string) map[string]any {
	name, _ := body["name"].(string)
	out, _ := masking{b, name, hidden}.mask(nil, body).(map[string]any)
	return out
}

// masking hides the secrets of one object. Name is that of the plugin, if it is one.
type masking struct {
	of           *Bound
	name, hidden string
}

func (m masking) mask(p value.Path, v any) any {
	b := m.of
	if _, isSwitch := v.(bool); len(p) > 0 && v != nil && !isSwitch && (b.ReturnedAt(p).Secret || b.ReturnedAt(b.FieldPath(p)).Secret || writesSecret(b, b.FieldPath(p))) {
		return m.hidden
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
		if b.Writer != "" && len(p) > 1 {
			return plugin.HideText(m.name, p[1:], x, m.hidden)
		}
		return value.HidePassword(x, m.hidden)
	default:
		return v
	}
}

// writesSecret reports whether people write a secret at a path.
func writesSecret(b *Bound, p value.Path) bool {
	if b.ReadOnly {
		return false
	}
	s := b.Write().At(p.Generic(), nil)
	return s != nil && s.Secret
}

// moving are fields of resources that others write and that change by themselves: the
// times of gateway entities, which the contract does not class, and the time that a
// credential has left.
var moving = []string{"created_at", "updated_at", "ttl"}

// content is what people could have changed of a resource that others write: all that
// is returned, without secrets, which whoever has the rest could guess.
func content(b *Bound, o *resource.Object) map[string]any {
	out := Masked(b, o.Fields, "")
	fields := b.Returned().Object(o.Fields)
	maps.DeleteFunc(out, func(name string, v any) bool {
		f := fields.Field(name)
		return v == nil || slices.Contains(moving, name) || f != nil && f.Schema.Deref().ReadOnly
	})
	return out
}
