package resource

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// OtherValue is the fix for a reference to a value that does not fit.
const OtherValue = "refer to another field, or write the value itself."

// fits reports whether a field can take what a reference gives, as far as that is
// known before anything is read, and says why not.
func (k *linker) fits(r *Resource, p value.Path, pos value.Pos, target *Resource, name, field string) bool {
	from := value.Path{}
	gives := Texts
	if field != fieldID {
		from = value.ParsePath(field)
		gives = given(target, from)
	}
	takes := r.Type.Takes(r, p)
	if gives.Fit(takes) {
		why := ""
		if field != fieldID {
			why = misfit{r, target, p, from}.below(nil, maxFit)
		}
		if why != "" {
			k.diags.Add(diag.RefValue, pos, fmt.Sprintf("The %s takes %s from %s of the %s, %s.", r.Describe(), p, field, target.Source(), why), OtherValue)
		}
		return why == ""
	}
	fix := OtherValue
	switch {
	case takes == Lists && field == fieldID:
		fix = fmt.Sprintf("write a list: %s: [!ref %s]", p[len(p)-1], name)
	case takes&Texts != 0:
		takes = Texts // as which others are written
	}
	k.diags.Add(diag.RefValue, pos, fmt.Sprintf("The %s takes %s from %s of the %s, which is %s; the field takes %s.", r.Describe(), p, field, target.Source(), gives, takes), fix)
	return false
}

// given are the kinds of values that others get from a field: of the declared value,
// or of those that the field can have.
func given(target *Resource, from value.Path) Kinds {
	v := target.Fields.Lookup(from)
	if gives := KindsOf(v); gives != 0 || v.Kind() == value.Null {
		return gives
	}
	return target.Type.Gives(target, from)
}

// maxFit is how deep in a value its parts are compared.
const maxFit = 4

// misfit compares the parts of a mapping or list that one field takes from another.
type misfit struct {
	r, target *Resource
	at, from  value.Path
}

// below says which part does not fit; "" where none is known to. Of a value that is
// not declared, or is empty, any key or item is looked at.
func (m misfit) below(in value.Path, depth int) string {
	at, from := slices.Concat(m.at, in), slices.Concat(m.from, in)
	both := m.r.Type.Takes(m.r, at) | given(m.target, from)
	if depth == 0 || both != Mappings && both != Lists {
		return ""
	}
	for _, part := range partsOf(m.target.Fields.Lookup(from), both) {
		next := append(slices.Clone(in), part)
		gives, takes := given(m.target, append(slices.Clone(from), part)), m.r.Type.Takes(m.r, append(slices.Clone(at), part))
		if gives.Fit(takes) {
			if why := m.below(next, depth-1); why != "" {
				return why
			}
			continue
		}
		if takes&Texts != 0 {
			takes = Texts
		}
		if part == anyKey || both == Lists {
			what := "values"
			if both == Lists {
				what = "items"
			}
			return fmt.Sprintf("whose %s are each %s; those of %s are each %s", what, gives, at, takes)
		}
		return fmt.Sprintf("where %s is %s; %s.%s takes %s", next, gives, at, part, takes)
	}
	return ""
}

// anyKey stands for a key that people choose.
const anyKey = "*"

// partsOf are the keys of a mapping, or the places of a list.
func partsOf(v value.Value, kind Kinds) []string {
	switch {
	case kind == Lists && len(v.Items()) == 0:
		return value.Path{}.Index(0)
	case kind == Lists:
		var out value.Path
		for i := range v.Items() {
			out = append(out, value.Path{}.Index(i)...)
		}
		return out
	case len(v.Entries()) == 0:
		return []string{anyKey}
	}
	var out []string
	for _, e := range v.Entries() {
		out = append(out, e.Key)
	}
	return out
}
