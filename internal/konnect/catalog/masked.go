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
	m := masking{of: b, body: body, hidden: hidden}
	by, field := b.Write().Configures()
	if b.Writer != "" {
		by = "name"
	}
	m.plugin, _ = body[by].(string)
	m.config = field
	out, _ := m.mask(nil, body).(map[string]any)
	return out
}

// masking hides the secrets of one object. Plugin is the name of the plugin that it
// is or configures, config the field that does so. In a core entity all fields may.
type masking struct {
	of                     *Bound
	body                   map[string]any
	plugin, config, hidden string
}

// secret reports whether the field at a path is secret.
func (m masking) secret(p value.Path) bool {
	b := m.of
	return b.ReturnedIn(m.body, p).Secret || b.ReturnedIn(m.body, b.FieldPath(p)).Secret || m.written(b.FieldPath(p))
}

func (m masking) mask(p value.Path, v any) any {
	if _, isSwitch := v.(bool); len(p) > 0 && v != nil && !isSwitch && m.secret(p) {
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
		if len(p) > 1 && (m.of.Writer != "" || p[0] == m.config) {
			return plugin.HideText(m.plugin, p[1:], x, m.hidden)
		}
		return value.HidePassword(x, m.hidden)
	default:
		return v
	}
}

// written reports whether people write a secret at a path.
func (m masking) written(p value.Path) bool {
	if m.of.ReadOnly || len(p) == 0 {
		return false
	}
	var in any
	if p[0] == m.config {
		in = m.body
	}
	s := m.of.Write().At(p.Generic(), in)
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
