package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// behaviour answers what the core asks of a type.
type behaviour struct{ b *Bound }

var _ resource.Behaviour = behaviour{}

// Of is the type of a resource of Konnect.
func Of(r *resource.Resource) *Bound { return OfType(r.Type) }

// OfType is a type of Konnect; nil for one of another target.
func OfType(t *resource.Type) *Bound {
	if t == nil {
		return nil
	}
	k, _ := t.Behaviour.(behaviour)
	return k.b
}

// Words is a kind as people say it.
func Words(kind string) string { return resource.Words(kind) }

// OwnerWords is what resources of a type belong to, as people say it: the parent,
// or the organization.
func OwnerWords(b *Bound) string {
	if b.Parent == nil {
		return "organization"
	}
	return Words(b.Parent.Kind)
}

// Neutral is the type as the core knows it.
func (b *Bound) Neutral() *resource.Type {
	if b == nil {
		return nil
	}
	return b.neutral
}

// newNeutral gathers what the core knows of a type whose parent is done.
func newNeutral(b *Bound) *resource.Type {
	t := &resource.Type{
		Kind: b.Kind, Former: b.Former, Words: Words(b.Kind), Key: b.Key, Root: b.Root(), Identity: b.Identity, Variant: b.Variant, PerNamespace: b.PerNamespace, References: b.References,
		KeyField: b.MapKey, NameField: b.NameField(), Keyed: b.keyed(), Unique: b.Unique, Short: map[string]string{},
		Follows: b.Follows, Requires: b.Requires, Orders: b.Orders, SetField: setField(b), Namings: b.Namings, Single: b.Shape == Singleton, ReadOnly: b.ReadOnly, Derived: b.Derived, Writer: b.Writer, Fixed: !b.Optional(), Owned: b.HasLabels(), Updatable: b.Update != nil,
		Computed: len(b.Computed) > 0, BuiltIn: b.SystemFlag != "",
		FromParent:   slices.ContainsFunc(b.Inherits, func(f Inherited) bool { return f.From == "" }),
		PruneWritten: b.KeyedPrune, Withheld: Withheld(b), Abridged: b.ListLacksFields(), Behaviour: behaviour{b},
	}
	if b.Parent != nil {
		t.Parent = b.Parent.neutral
		t.Parent.Children = append(t.Parent.Children, t)
	}
	if b.Tree != nil {
		t.Nest = b.Tree.Parent
	}
	either := Either(b)
	for _, above := range slices.Sorted(maps.Keys(either)) {
		t.Either = append(t.Either, Reference{Field: above + ".name", Kind: either[above].Kind, OnDelete: either[above].OnDelete})
	}
	fields := slices.Clone(b.Identity)
	for _, r := range b.References {
		fields = append(fields, r.Field)
	}
	for _, field := range fields {
		if short := b.ShortName(field); short != field {
			t.Short[field] = short
		}
	}
	return t
}

// Types are all types as the core knows them.
func (c *Catalog) Types() *resource.Types { return c.types }

// Immutable reports whether a change of the field needs a new resource.
func (k behaviour) Immutable(path []string) bool { return k.b.Immutable(path) }

// UniqueText is the form in which values of a unique field are compared.
func (k behaviour) UniqueText(path []string, text string) string { return k.b.UniqueText(path, text) }

// Generates reports whether Konnect may choose this text for a field that a new
// resource leaves out.
func (k behaviour) Generates(path []string, text string, fields map[string]any) bool {
	kept, listed := KeptAt(k.b, path)
	return listed && k.b.IsComputed(path) && kept.Unset(text, fields)
}

// Generated is the text that Konnect chooses for a field that a new resource leaves
// out.
func (k behaviour) Generated(path []string, fields map[string]any) string {
	kept, listed := KeptAt(k.b, path)
	if !listed || !k.b.IsComputed(path) {
		return ""
	}
	return kept.text(fields)
}

// Coerce turns the text of a variable into what a field takes.
func (k behaviour) Coerce(path []string, v any) any {
	if k.b.ReadOnly {
		return k.b.Returned().At(path, nil).Coerce(v)
	}
	return k.b.Write().At(path, nil).Coerce(v)
}

// Misfit says why a field cannot take a value; "" when it can.
func (k behaviour) Misfit(path []string, v any) string {
	s := SchemaAt(k.b.Write(), path, nil)
	switch v.(type) {
	case nil:
		return "has no value"
	case map[string]any, []any:
		if s != nil && s.Type == "string" {
			return "is no text"
		}
	}
	return ""
}

// Field is the value of a field of an object.
func (k behaviour) Field(o *resource.Object, p value.Path) (any, bool) {
	v, ok := value.Get(o.Fields, k.b.FieldPath(p))
	if !ok && len(k.b.Elsewhere) > 0 {
		return value.Get(Body(o), p) // what another field has taken the place of
	}
	return v, ok
}

// Fingerprint is the digest of all that people could have changed: what the
// service works out by itself, and the labels that every run writes, are left
// out.
func (k behaviour) Fingerprint(o *resource.Object) string {
	if k.b.ReadOnly {
		return value.Fingerprint(content(k.b, o))
	}
	return value.Fingerprint(k.Essence(o))
}

// Essence is the part of an object that a fingerprint covers.
func (k behaviour) Essence(o *resource.Object) map[string]any {
	out, _ := k.b.Write().Filter(o.Fields, unimportant).(map[string]any)
	if k.b.MapKey != "" {
		out[k.b.MapKey] = o.ID
	}
	_, labelled := out["labels"]
	delete(out, "labels")
	labels := map[string]any{}
	for k, v := range Labels(o) {
		switch k {
		case label.Hash, label.LastUpdated, label.Managed:
		default:
			labels[k] = v
		}
	}
	if k.b.HasLabels() || labelled && len(labels) > 0 {
		out["labels"] = labels
	}
	return out
}

// unimportant are fields that nobody can have changed.
func unimportant(field *contract.Schema, allowed bool, v any) bool {
	return !allowed || v == nil || (field != nil && (field.ReadOnly || field.Secret))
}

// ShortName is how people may write a reference field: portal for portal_id.
func (b *Bound) ShortName(field string) string {
	short, ok := strings.CutSuffix(field, "_id")
	if !ok || strings.Contains(field, ".") || b.Write().At([]string{short}, nil) != nil {
		return field
	}
	return short
}

// Readable reports whether a resource has the field, declared or returned, and
// whether it can be known.
func (k behaviour) Readable(r *resource.Resource, p value.Path, name string) (detail, fix string) {
	secret := func() (string, string) {
		return fmt.Sprintf("The field %s of the %s is secret and cannot be read.", p, r.Describe()), "take the value from where it comes from, with !secret."
	}
	if p.String() == k.b.MapKey {
		return "", ""
	}
	if r.External != nil {
		ok, hidden, fix := k.b.ReturnedField(p, name+"#")
		switch {
		case !ok:
			return fmt.Sprintf("There is no field %q in %s as Konnect returns it.", p, diag.A(Words(k.b.Kind))), fix
		case hidden:
			return secret()
		}
		return "", ""
	}
	plain := r.Fields.Plain(func(value.Path, *value.Expression) any { return value.UnknownText })
	var names []string
	for _, s := range fieldSchemas(k.b) {
		if at := s.At(p, plain); at != nil {
			if at.Secret {
				return secret()
			}
			return "", ""
		}
		if above := s.At(p[:len(p)-1], plain); above != nil {
			names = append(names, above.Object(nil).Names()...)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	last := len(p) - 1
	fix = fmt.Sprintf("use one of %s.", strings.Join(names, ", "))
	if near := diag.Nearest(p[last], names); near != "" {
		fix = fmt.Sprintf("did you mean %s#%s?", name, append(slices.Clone(p[:last]), near))
	}
	if len(names) == 0 {
		fix = fmt.Sprintf("write !ref %s#id, or another field.", name)
	}
	return fmt.Sprintf("There is no field %q in %s.", p, diag.A(Words(k.b.Kind))), fix
}

// fieldSchemas are what people may declare of a type and what Konnect returns.
func fieldSchemas(b *Bound) []*contract.Schema {
	out := []*contract.Schema{b.Write()}
	if b.Read == nil || b.Set != "" {
		return out
	}
	_, s := b.Read.Success()
	if w := b.Read.Wrapper(); s != nil && w != "" {
		s = s.At([]string{w}, nil)
	}
	if s != nil {
		out = append(out, s)
	}
	return out
}
