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
func (k *linker) find(r *Resource, pos value.Pos, name, want string) *Resource {
	fits, others := k.candidates(r, name, want)
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

// candidates are those of the wanted kind that a name fits best, and those of other
// kinds. What a reference cannot lead to, because it must stay below one resource, fits
// where nothing else does: it is reported.
func (k *linker) candidates(r *Resource, name, want string) (fits, others []*Resource) {
	refs, others := choose(k.refs[name], want)
	names, more := choose(k.names[name], want)
	lists := [][]*Resource{refs, names}
	if want != "" {
		lists = [][]*Resource{beside(r, refs), beside(r, names), refs, names}
	}
	for _, list := range lists {
		if len(list) > 0 {
			return distinct(list), nil
		}
	}
	return nil, slices.Concat(others, more)
}

// beside are those that lie below the same resource of the type that both lie below.
func beside(r *Resource, list []*Resource) []*Resource {
	var out []*Resource
	for _, t := range list {
		if shared := Shared(r.Type, t.Type); shared != nil && t.Ancestor(shared) == r.Ancestor(shared) {
			out = append(out, t)
		}
	}
	return out
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
		if other.External != nil && other.External.Unnamed || below(r, other) || !k.known(other) {
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
	case len(refs) == 0 && !t.BuiltIn:
		return fmt.Sprintf("declare it under %s, with _external if others own it.", t.Root)
	case len(refs) == 0:
		return fmt.Sprintf("declare it under %s%s.", t.Root, builtIn(t, name))
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
		return fmt.Sprintf("declare it under %s, or use %s%s.", under, refs[0], builtIn(t, name))
	}
	return fmt.Sprintf("declare it under %s, or use one of %s%s.", under, strings.Join(refs, ", "), builtIn(t, name))
}

// builtIn says how to refer to what the target made by itself, for types of which it
// makes some.
func builtIn(t *Type, name string) string {
	if !t.BuiltIn {
		return ""
	}
	return fmt.Sprintf("; for a built-in one, write !lookup {%s: %s}", t.Identity[0], value.YAMLText(name))
}

// below reports whether one resource is below another: it does not name that.
func below(r, other *Resource) bool {
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
		return fmt.Sprintf("external %q", ShownRef(r.Ref, r.Name))
	}
	return r.Describe()
}
