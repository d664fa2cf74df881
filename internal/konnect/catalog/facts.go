package catalog

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

var _ resource.Type = (*Bound)(nil)

// Of is the type of a resource of Konnect.
func Of(r *resource.Resource) *Bound { return OfType(r.Type) }

// OfType is a type of Konnect; nil for one of another target.
func OfType(t resource.Type) *Bound {
	b, _ := t.(*Bound)
	return b
}

// Words is a kind as people say it.
func Words(kind string) string { return resource.Words(kind) }

// Facts are what the core knows of the type.
func (b *Bound) Facts() *resource.Facts { return b.facts }

// newFacts gathers the facts of a type whose parent has its own.
func newFacts(b *Bound) *resource.Facts {
	f := &resource.Facts{
		Kind: b.Kind, Words: Words(b.Kind), Key: b.Key, Root: b.Root(), Identity: b.Identity,
		Single: b.Shape == Singleton, ReadOnly: b.ReadOnly, Short: map[string]string{},
	}
	if b.Parent != nil {
		f.Parent = b.Parent
		b.Parent.facts.Children = append(b.Parent.facts.Children, b)
	}
	if b.Tree != nil {
		f.Nest = b.Tree.Parent
	}
	for _, r := range b.References {
		f.References = append(f.References, resource.Reference{Field: r.Field, Kind: r.Kind})
		if short := b.ShortName(r.Field); short != r.Field {
			f.Short[r.Field] = short
		}
	}
	for _, field := range b.Identity {
		if short := b.ShortName(field); short != field {
			f.Short[field] = short
		}
	}
	return f
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
func (b *Bound) Readable(r *resource.Resource, p value.Path, name string) (detail, fix string) {
	secret := func() (string, string) {
		return fmt.Sprintf("The field %s of the %s is secret and cannot be read.", p, r.Describe()), "take the value from where it comes from, with !secret."
	}
	if p.String() == b.MapKey {
		return "", ""
	}
	if r.External != nil {
		ok, hidden, fix := b.ReturnedField(p, name+"#")
		switch {
		case !ok:
			return fmt.Sprintf("There is no field %q in %s as Konnect returns it.", p, diag.A(Words(b.Kind))), fix
		case hidden:
			return secret()
		}
		return "", ""
	}
	plain := r.Fields.Plain(func(value.Path, *value.Expression) any { return value.UnknownText })
	var names []string
	for _, s := range fieldSchemas(b) {
		if at := s.At(p.Generic(), plain); at != nil {
			if at.Secret {
				return secret()
			}
			return "", ""
		}
		if above := s.At(p[:len(p)-1].Generic(), plain); above != nil {
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
	return fmt.Sprintf("There is no field %q in %s.", p, diag.A(Words(b.Kind))), fix
}

// fieldSchemas are what people may declare of a type and what Konnect returns.
func fieldSchemas(b *Bound) []*contract.Schema {
	out := []*contract.Schema{b.Write()}
	if b.Read == nil {
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
