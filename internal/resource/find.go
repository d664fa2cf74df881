package resource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// find looks a name up within the wanted type, or all: refs first, whether
// written or made of names, then names. Several that fit are an error.
func (k *linker) find(r *Resource, p value.Path, pos value.Pos, name, want string) *Resource {
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
		k.diags = append(k.diags, Ambiguous(pos, fmt.Sprintf("The %s points at", r.Describe()), name, fits))
	case k.set.MayExist(want, name):
	case len(others) > 0:
		k.diags.Add(diag.RefKind, pos, fmt.Sprintf("The %s needs %s here, and %q is %s.", r.Describe(), diag.A(k.words(want)), name, diag.A(others[0].Type.Words)), k.choices(r, name, want))
	case want == "":
		k.diags.Add(diag.RefUnknown, pos, fmt.Sprintf("The %s points at %q, and no input declares it.", r.Describe(), name), k.choices(r, name, want))
	default:
		k.diags.Add(diag.RefUnknown, pos, fmt.Sprintf("The %s points at the %s %q, and no input declares it.", r.Describe(), k.words(want), name), k.choices(r, name, want))
	}
	return nil
}

// choose parts those of the wanted kind from the others.
func choose(from []*Resource, want string) (fits, others []*Resource) {
	for _, t := range from {
		if want == "" || t.Type.Kind == want {
			fits = append(fits, t)
		} else {
			others = append(others, t)
		}
	}
	return fits, others
}

// distinct leaves one of those of a type that have one ref: that is reported
// elsewhere.
func distinct(list []*Resource) []*Resource {
	var out []*Resource
	for _, t := range list {
		if !slices.ContainsFunc(out, func(o *Resource) bool { return o.Type == t.Type && o.Ref == t.Ref }) {
			out = append(out, t)
		}
	}
	return out
}

// isTree tells of a field that it names the resource above, of the same type.
func isTree(r *Resource, p value.Path) bool {
	nest := r.Type.Nest
	return nest != "" && p.String() == nest
}

// siblings are those with the same parent, or all without one.
func siblings(r *Resource, list []*Resource) []*Resource {
	var out []*Resource
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

// words is a kind as people say it.
func (k *linker) words(kind string) string {
	if t := k.set.Types.Kind(kind); t != nil {
		return t.Words
	}
	return Words(kind)
}

// choices says what could be written instead.
func (k *linker) choices(r *Resource, name, kind string) string {
	t := k.set.Types.Kind(kind)
	var refs []string
	for _, other := range k.set.Resources {
		if other.External != nil && other.External.Unnamed || within(r, other) || !k.known(other) {
			continue
		}
		if other != r && other.Ref != "" && (kind == "" || other.Type.Kind == kind) {
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
	case len(refs) == 0 && t.ReadOnly:
		return fmt.Sprintf("declare it under %s with _external, or look it up: !lookup {name: …}.", t.Root)
	case len(refs) == 0:
		return fmt.Sprintf("declare it under %s, with _external if others own it.", t.Root)
	}
	const few = 8
	if len(refs) > few {
		refs = append(refs[:few], "…")
	}
	under := t.Root
	if t.ReadOnly {
		under += " with _external"
	}
	if len(refs) == 1 {
		return fmt.Sprintf("declare it under %s, or use %s.", under, refs[0])
	}
	return fmt.Sprintf("declare it under %s, or use one of %s.", under, strings.Join(refs, ", "))
}

// within reports whether one resource is below another: it does not name that.
func within(r, other *Resource) bool {
	for up := r.Parent; up != nil; up = up.Parent {
		if up == other {
			return true
		}
	}
	return false
}

// known reports whether the ref of a resource is one to suggest: people wrote it, or
// it is made of names that all exist.
func (k *linker) known(r *Resource) bool {
	if r.Explicit {
		return true
	}
	for _, field := range r.Type.Identity {
		e := r.Fields.Lookup(value.ParsePath(field)).Expr()
		if e != nil && e.Op == value.OpRef && k.refs[e.Name] == nil && k.names[e.Name] == nil {
			return false
		}
	}
	return true
}

// readable reports whether the value of a field can be taken, and says why not.
func (k *linker) readable(pos value.Pos, target *Resource, name, field string) bool {
	detail, fix := target.Type.Readable(target, value.ParsePath(field), name)
	if detail != "" {
		k.diags.Add(diag.RefField, pos, detail, fix)
	}
	return detail == ""
}

// Source names a resource that others take values of.
func (r *Resource) Source() string {
	if r.External != nil {
		return fmt.Sprintf("external %q", r.Ref)
	}
	return r.Describe()
}
