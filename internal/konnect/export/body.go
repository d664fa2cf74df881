package export

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/value"
)

// Marks in a body where a value is not known.
type (
	secretMark struct{} // a secret that must be given
	unreadMark struct{} // a text that must be given and that Konnect does not return
)

// projector brings what exists into what a request may carry.
type projector struct {
	t            *catalog.Bound
	skipDefaults bool
}

// body is the part of an object's fields that people may declare.
func (p projector) body(live map[string]any) map[string]any {
	live, _ = value.Clone(live).(map[string]any)
	for above := range catalog.Either(p.t) {
		for _, m := range catalog.Mappings(live, strings.Split(above, ".")) {
			if m["id"] != nil {
				delete(m, "name")
			}
		}
	}
	out := p.object(nil, p.t.Write(), live)
	if key := p.t.MapKey; key != "" {
		out[key] = live[key]
	}
	if tree := p.t.Tree; tree != nil {
		delete(out, tree.Parent) // nesting says it
	}
	return out
}

func (p projector) object(at value.Path, s *contract.Schema, live map[string]any) map[string]any {
	o := s.Object(variant(s, known(s, live)))
	out := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(live)) {
		switch f := o.Field(k); {
		case f != nil:
			p.field(out, at.Child(k), f, live[k])
		case o.Values != nil:
			if live[k] != nil || o.Values.Nullable {
				out[k] = p.value(at.Child(k), o.Values, live[k])
			}
		case o.Open:
			out[k] = live[k]
		}
	}
	missing(o, live, out)
	return out
}

// known leaves out what no variant of a schema has, so that a variant can be
// picked.
func known(s *contract.Schema, live map[string]any) map[string]any {
	o := s.Object(nil)
	out := map[string]any{}
	for k, v := range live {
		if v != nil && (o.Field(k) != nil || o.Values != nil || o.Open) {
			out[k] = v
		}
	}
	return out
}

// variant adds the names of required fields that Konnect does not return where
// the variant of a union cannot be known without them.
func variant(s *contract.Schema, v map[string]any) map[string]any {
	branches := s.Branches()
	if len(branches) == 0 || s.Pick(v) != nil {
		return v
	}
	for _, b := range branches {
		try := map[string]any{}
		for k, x := range v {
			try[k] = x
		}
		o := b.Object(nil)
		for _, n := range o.Names() {
			if _, ok := v[n]; !ok && o.Field(n).Required {
				try[n] = nil
			}
		}
		if s.Pick(try) != nil {
			return try
		}
	}
	return v
}

func (p projector) field(out map[string]any, at value.Path, f *contract.Field, v any) {
	s, k := f.Schema, at[len(at)-1]
	switch {
	case s.ReadOnly:
		return
	case s.Secret:
		if v != nil && v != "" {
			out[k] = p.value(at, s, v)
		}
		return
	case v == nil:
		if s.Nullable && (f.Required || nullTells(s)) {
			out[k] = nil
		}
		return
	}
	if s.Deprecated {
		p.skipDefaults = true // a form that nobody uses any more is not written
	}
	kept := p.value(at, s, v)
	if p.isDefault(at, f, v, kept) || hollow(f, kept) || s.Deprecated && !f.Required && v == "" {
		return
	}
	out[k] = kept
}

func (p projector) value(at value.Path, s *contract.Schema, v any) any {
	s = s.Deref()
	switch x := v.(type) {
	case map[string]any:
		if s == nil {
			return x
		}
		return p.object(at, s, x)
	case []any:
		out := make([]any, len(x))
		for i, y := range x {
			out[i] = y
			if s != nil && s.Items != nil {
				out[i] = p.value(at.Index(i), s.Items, y)
			}
		}
		return out
	default:
		if s != nil && s.Secret && v != nil && v != "" && !isVaultReference(v) {
			return secretMark{}
		}
		return v
	}
}

// nullTells tells whether null says more than leaving the field out: it is not
// the default, or it is a list or mapping that the service may fill when
// nothing is said.
func nullTells(s *contract.Schema) bool {
	if s.HasDefault() {
		return s.Default != nil
	}
	return s.Type == "array" || s.Type == "object"
}

// isDefault tells that a field may be left out because it has its default.
func (p projector) isDefault(at value.Path, f *contract.Field, live, kept any) bool {
	if !p.skipDefaults || f.Required || !f.Schema.HasDefault() || p.t.IsIdentity(at.Generic()) {
		return false
	}
	d := f.Schema.Default
	return value.Equal(d, live) || p.t.IsUnordered(at) && diff.SameSet(d, live) || value.Equal(d, kept) || value.Empty(d) && value.Empty(live)
}

// hollow tells of a mapping of which nothing can be declared.
func hollow(f *contract.Field, kept any) bool {
	m, ok := kept.(map[string]any)
	if !ok || len(m) > 0 || f.Required {
		return false
	}
	o := f.Schema.Object(nil)
	if len(o.Names()) == 0 {
		return false
	}
	for _, n := range o.Names() {
		if o.Field(n).Required {
			return true
		}
	}
	return !f.Schema.Nullable && value.Empty(f.Schema.Default)
}

// missing marks what must be given and is not returned.
func missing(o *contract.Object, live, out map[string]any) {
	for _, n := range o.Names() {
		f := o.Field(n)
		_, have := out[n]
		_, returned := live[n]
		switch s := f.Schema; {
		case have, !f.Required, s.ReadOnly:
		case s.Secret:
			out[n] = secretMark{}
		case !returned && s.Type == "string" && len(s.Enum) == 0 && s.Const == nil:
			out[n] = unreadMark{}
		}
	}
}

func isVaultReference(v any) bool {
	s, ok := v.(string)
	return ok && value.FromVault(s)
}

// untouched tells of a singleton that is always there that all of it is as the
// contract says by default.
func untouched(t *catalog.Bound, live map[string]any) bool {
	if t.Orders != "" {
		return true // the order of their list says it
	}
	if t.Shape != catalog.Singleton || t.Optional() {
		return false
	}
	return barren(catalog.Given(t, projector{t: t, skipDefaults: true}.body(live)))
}

func barren(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return value.Empty(v)
	}
	for _, x := range m {
		if !barren(x) {
			return false
		}
	}
	return true
}

// marks lists the places of secrets and of texts that are not returned.
func marks(v any) (secrets, unread []value.Path) {
	var visit func(p value.Path, v any)
	visit = func(p value.Path, v any) {
		switch x := v.(type) {
		case secretMark:
			secrets = append(secrets, p)
		case unreadMark:
			unread = append(unread, p)
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				visit(p.Child(k), x[k])
			}
		case []any:
			for i, y := range x {
				visit(p.Index(i), y)
			}
		}
	}
	visit(nil, v)
	return secrets, unread
}

// plain is a body without marks: secrets become what stands for them, or go
// where that is nil.
func plain(v, secret any) any {
	switch x := v.(type) {
	case unreadMark:
		return catalog.Placeholder
	case map[string]any:
		out := map[string]any{}
		for k, y := range x {
			if _, isSecret := y.(secretMark); isSecret {
				if secret != nil {
					out[k] = secret
				}
				continue
			}
			out[k] = plain(y, secret)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, y := range x {
			if out[i] = plain(y, secret); y == any(secretMark{}) {
				out[i] = secret // its place stays
			}
		}
		return out
	default:
		return v
	}
}
