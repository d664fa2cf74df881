package catalog

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// WithoutSecrets is what a resource has without its secrets, in the form that it has
// now.
func WithoutSecrets(b *Bound, fields map[string]any) map[string]any {
	out, _ := DropSecrets(b.Write(), fields).(map[string]any)
	return out
}

// DropSecrets is a value without its secrets. References into a vault are not secret.
func DropSecrets(s *contract.Schema, v any) any {
	return s.Filter(v, func(field *contract.Schema, _ bool, x any) bool {
		return field != nil && field.Secret && !value.AllFromVault(x)
	})
}

// Masked is what Konnect returned, with what the contract marks as secret replaced by
// hidden. In the configuration of core entities the facts about plugins decide, as in
// plans.
func Masked(b *Bound, body map[string]any, hidden string) map[string]any {
	return newMasking(b, body, hidden).object()
}

// Guarded is what somebody wrote for Konnect, with what is secret replaced by hidden;
// texts that shows lets through are kept. Where a stranger wrote it, passwords in URLs
// are hidden, and so is what the contract does not know and its name calls secret.
func Guarded(b *Bound, fields map[string]any, hidden string, shows func(text string) bool, stranger bool) map[string]any {
	m := newMasking(b, fields, hidden)
	m.shows, m.byName, m.fieldsOnly = shows, stranger, !stranger
	return m.object()
}

func newMasking(b *Bound, body map[string]any, hidden string) masking {
	m := masking{of: b, body: body, hidden: hidden}
	if b.Writer != "" {
		m.plugin, _ = body["name"].(string)
		return m
	}
	if op := b.WriteOp(); op != nil {
		c, _ := op.Configuration()
		m.config, m.plugin = value.ParsePath(c.Field), c.Plugin
		if c.By != "" {
			m.plugin, _ = body[c.By].(string)
		}
	}
	return m
}

func (m masking) object() map[string]any {
	out, _ := m.mask(nil, m.body).(map[string]any)
	return out
}

// masking hides the secrets of one object. Plugin is the name of the plugin that it
// is or configures, config the path of the field that does so. In a core entity all
// fields may.
type masking struct {
	of             *Bound
	body           map[string]any
	config         value.Path
	plugin, hidden string
	// shows reports whether a text may be shown in any field; nil for none.
	shows func(text string) bool
	// byName hides unknown fields by their names, fieldsOnly hides no part of a text.
	byName, fieldsOnly bool
}

// secret reports whether the field at a path is secret.
func (m masking) secret(p value.Path) bool {
	b := m.of
	if m.byName && value.MentionsSecret(p[len(p)-1]) && b.Write().At(p.Generic(), nil) == nil && b.Returned().At(p.Generic(), nil) == nil {
		return true
	}
	return b.ReturnedIn(m.body, p).Secret || b.ReturnedIn(m.body, b.FieldPath(p)).Secret || m.written(b.FieldPath(p))
}

func (m masking) mask(p value.Path, v any) any {
	text, isText := v.(string)
	if isText && m.shows != nil && m.shows(text) {
		return v
	}
	if _, isSwitch := v.(bool); len(p) > 0 && v != nil && !isSwitch && m.secret(p) {
		return m.hide(v)
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
		if m.fieldsOnly {
			return x
		}
		if inside := m.inside(p); len(inside) > 0 {
			return plugin.HideText(m.plugin, inside, x, m.hidden)
		}
		return value.HidePassword(x, m.hidden)
	default:
		return v
	}
}

// inside is the path of a field in the configuration of a plugin; nil for another field,
// and for one that the contract classes.
func (m masking) inside(p value.Path) value.Path {
	switch {
	case m.of.Writer != "":
		return p[min(1, len(p)):]
	case !m.configures(p):
		return nil
	}
	if s := m.of.Write().At(p.Generic(), m.body); s != nil && !s.Tabled() {
		return nil
	}
	return p[len(m.config):]
}

// configures reports whether a path leads into the configuration of a plugin.
func (m masking) configures(p value.Path) bool { return len(m.config) > 0 && p.HasPrefix(m.config) }

// hide hides a secret. Of a list that has a text that may be shown, the rest is hidden.
func (m masking) hide(v any) any {
	list, isList := v.([]any)
	if !isList || m.shows == nil {
		return m.hidden
	}
	out := make([]any, len(list))
	for i, x := range list {
		text, isText := x.(string)
		if out[i] = any(m.hidden); x == nil || isText && m.shows(text) {
			out[i] = x
		}
	}
	return out
}

// written reports whether people write a secret at a path.
func (m masking) written(p value.Path) bool {
	if m.of.ReadOnly || len(p) == 0 {
		return false
	}
	var in any
	if m.configures(p) {
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
