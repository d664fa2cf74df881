package resource

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/language"
	"kongctl/internal/value"
)

// find looks a name up within the wanted type, or all: refs first, whether
// written or made of names, then names. Several that fit are an error.
func (k *linker) find(r *language.Resource, p value.Path, pos value.Pos, name, want string) *language.Resource {
	fits, others := choose(k.refs[name], want)
	if len(fits) == 0 {
		fits, others = choose(k.names[name], want)
		others = slices.Concat(k.refs[name], others)
	}
	fits = distinct(fits)
	if isTree(r, p) {
		fits = siblings(r, fits)
	}
	switch {
	case len(fits) == 1:
		return fits[0]
	case len(fits) > 1:
		k.diags = append(k.diags, language.Ambiguous(pos, fmt.Sprintf("The %s points at", r.Describe()), name, fits))
	case k.set.MayExist(want, name):
	case len(others) > 0:
		k.diags.Add(diag.RefKind, pos, fmt.Sprintf("The %s needs %s here, and %q is %s.", r.Describe(), diag.A(catalog.Words(want)), name, diag.A(catalog.Words(others[0].Type.Kind))), k.choices(r, name, want))
	case want == "":
		k.diags.Add(diag.RefUnknown, pos, fmt.Sprintf("The %s points at %q, and no input declares it.", r.Describe(), name), k.choices(r, name, want))
	default:
		k.diags.Add(diag.RefUnknown, pos, fmt.Sprintf("The %s points at the %s %q, and no input declares it.", r.Describe(), catalog.Words(want), name), k.choices(r, name, want))
	}
	return nil
}

// choose parts those of the wanted kind from the others.
func choose(from []*language.Resource, want string) (fits, others []*language.Resource) {
	for _, t := range from {
		if want == "" || t.Type.Kind == want {
			fits = append(fits, t)
		} else {
			others = append(others, t)
		}
	}
	return fits, others
}

// distinct leaves one of those of a type that have one ref: that is told
// elsewhere.
func distinct(list []*language.Resource) []*language.Resource {
	var out []*language.Resource
	for _, t := range list {
		if !slices.ContainsFunc(out, func(o *language.Resource) bool { return o.Type == t.Type && o.Ref == t.Ref }) {
			out = append(out, t)
		}
	}
	return out
}

// isTree tells of a field that it names the resource above, of the same type.
func isTree(r *language.Resource, p value.Path) bool {
	return r.Type.Tree != nil && p.String() == r.Type.Tree.Parent
}

// siblings are those with the same parent, or all where there are none.
func siblings(r *language.Resource, list []*language.Resource) []*language.Resource {
	var out []*language.Resource
	for _, t := range list {
		if t.Type == r.Type && t.Parent == r.Parent {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// choices says what could be written instead.
func (k *linker) choices(r *language.Resource, name, kind string) string {
	t := k.set.Catalog.Kind(kind)
	var refs []string
	for _, other := range k.set.Resources {
		if other.External != nil && other.External.Unnamed {
			continue
		}
		if other != r && (kind == "" || other.Type.Kind == kind) {
			refs = append(refs, other.Ref)
		}
	}
	slices.Sort(refs)
	refs = slices.Compact(refs)
	if near := diag.Nearest(name, refs); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	switch {
	case t == nil:
		return "write the ref or name of a resource that is declared, or declare this one."
	case len(refs) == 0 && t.External:
		return fmt.Sprintf("declare it under %s with _external, or look it up: !lookup {name: …}.", t.Root())
	case len(refs) == 0:
		return fmt.Sprintf("declare it under %s, with _external if others own it.", t.Root())
	}
	const few = 8
	if len(refs) > few {
		refs = append(refs[:few], "…")
	}
	under := t.Root()
	if t.External {
		under += " with _external"
	}
	if len(refs) == 1 {
		return fmt.Sprintf("declare it under %s, or use %s.", under, refs[0])
	}
	return fmt.Sprintf("declare it under %s, or use one of %s.", under, strings.Join(refs, ", "))
}

// readable tells whether a resource has the field, declared or returned, and
// whether it can be known.
func (k *linker) readable(pos value.Pos, target *language.Resource, name, field string) bool {
	if field == target.Type.MapKey {
		return true
	}
	p := value.ParsePath(field)
	if target.External != nil {
		return k.returned(pos, target, name, p)
	}
	plain := target.Fields.Plain(func(value.Path, *value.Expression) any { return value.UnknownText })
	var names []string
	for _, s := range fieldSchemas(target.Type) {
		if at := s.At(p.Generic(), plain); at != nil {
			if at.Secret {
				k.diags.Add(diag.RefField, pos, fmt.Sprintf("The field %s of the %s is secret and cannot be read.", field, target.Describe()), "take the value from where it comes from, with !secret.")
				return false
			}
			return true
		}
		if above := s.At(p[:len(p)-1].Generic(), plain); above != nil {
			names = append(names, above.Object(nil).Names()...)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	last := len(p) - 1
	fix := fmt.Sprintf("use one of %s.", strings.Join(names, ", "))
	if near := diag.Nearest(p[last], names); near != "" {
		fix = fmt.Sprintf("did you mean %s#%s?", name, append(slices.Clone(p[:last]), near))
	}
	if len(names) == 0 {
		fix = fmt.Sprintf("write !ref %s#id, or another field.", name)
	}
	k.diags.Add(diag.RefField, pos, fmt.Sprintf("There is no field %q in %s.", field, diag.A(catalog.Words(target.Type.Kind))), fix)
	return false
}

// returned is readable for what others own: any field that Konnect returns.
func (k *linker) returned(pos value.Pos, target *language.Resource, name string, p value.Path) bool {
	ok, secret, fix := language.ReturnedField(target.Type, p, name+"#")
	switch {
	case !ok:
		k.diags.Add(diag.RefField, pos, fmt.Sprintf("There is no field %q in %s as Konnect returns it.", p, diag.A(catalog.Words(target.Type.Kind))), fix)
	case secret:
		k.diags.Add(diag.RefField, pos, fmt.Sprintf("The field %s of the %s is secret and cannot be read.", p, target.Describe()), "take the value from where it comes from, with !secret.")
	}
	return ok && !secret
}

// fieldSchemas are what people may declare of a type and what Konnect returns.
func fieldSchemas(t *catalog.Bound) []*contract.Schema {
	out := []*contract.Schema{t.Write()}
	if t.Read == nil {
		return out
	}
	_, s := t.Read.Success()
	if w := t.Read.Wrapper(); s != nil && w != "" {
		s = s.At([]string{w}, nil)
	}
	if s != nil {
		out = append(out, s)
	}
	return out
}
