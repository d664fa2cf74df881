package resource

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// FieldValue is the value that a resource declares for a field, where it can be
// known now.
func FieldValue(s State, links *Links, x *Resource, p value.Path) (any, bool) {
	v := x.Fields.Lookup(p)
	e := v.Expr()
	switch {
	case e == nil:
		known := true
		plain := v.Plain(func(in value.Path, e *value.Expression) any {
			at := slices.Concat(p, in)
			if link, ok := links.At(x, at); ok && e.Op == value.OpRef {
				if v, ok := EdgeValue(s, links, link); ok {
					return x.Type.AsText(at, v)
				}
			}
			known = false
			return nil
		})
		return plain, known
	case e.Op == value.OpRef:
		link, ok := links.At(x, p)
		if !ok {
			return nil, false
		}
		return EdgeValue(s, links, link)
	default:
		return nil, false
	}
}

// EdgeValue is the value that a reference leads to, where it can be known now.
func EdgeValue(s State, links *Links, e Edge) (any, bool) {
	o := s.Object(e.Target)
	if e.Field == fieldID {
		if o == nil {
			return nil, false
		}
		return o.ID, true
	}
	p := value.ParsePath(e.Field)
	if !e.Target.Fields.Lookup(p).IsAbsent() {
		return FieldValue(s, links, e.Target, p)
	}
	if o == nil {
		return e.MadeName()
	}
	v, ok := e.Target.Type.Field(o, p)
	return Unmarked(v), ok
}

// MadeName is the name of something that another target makes, which the
// configuration says before it exists.
func (e Edge) MadeName() (any, bool) {
	x, t := e.Target.External, e.Target.Type
	if x == nil || x.Made == nil || len(t.Identity) != 1 || e.Field != t.Identity[0] {
		return nil, false
	}
	return x.Made.Name, true
}

// KnownIdentity is what a resource is known by, as plain values. It is not known
// while it depends on something that does not exist yet. A variant is part of it where
// several have the rest.
func KnownIdentity(s State, links *Links, x *Resource) (map[string]any, bool) {
	out, known := SharedIdentity(s, links, x)
	if !known || !x.Several {
		return out, known
	}
	v, known := FieldValue(s, links, x, value.ParsePath(x.Type.Variant))
	out[x.Type.Variant] = v
	return out, known
}

// SharedIdentity is the part of an identity that several resources may share, which
// differ in their variant.
func SharedIdentity(s State, links *Links, x *Resource) (map[string]any, bool) {
	out := map[string]any{}
	for _, f := range x.Type.Identity {
		v, known := FieldValue(s, links, x, value.ParsePath(f))
		if !known {
			return nil, false
		}
		out[f] = v
	}
	if x.Type.Nest == "" {
		return out, true
	}
	var above any
	if x.Above != nil {
		o := s.Object(x.Above)
		if o == nil {
			return nil, false
		}
		above = o.ID
	} else if v := x.Fields.Field(x.Type.Nest); !v.IsAbsent() {
		known := false
		if above, known = FieldValue(s, links, x, value.Path{x.Type.Nest}); !known {
			return nil, false
		}
	}
	out[x.Type.Nest] = above
	return out, true
}

// SameIdentity reports whether an object has the identity; fields that are not
// wanted must not be there. A variant counts where it is wanted.
func SameIdentity(t *Type, want map[string]any, o *Object) bool {
	return len(differing(t, want, o)) == 0
}

// OnlyDifference is the one field in which an object differs from the identity; ""
// where it differs in none or in several.
func OnlyDifference(t *Type, want map[string]any, o *Object) string {
	if fields := differing(t, want, o); len(fields) == 1 {
		return fields[0]
	}
	return ""
}

// identityFields are the fields of SharedIdentity.
func identityFields(t *Type) []string {
	if t.Nest == "" {
		return t.Identity
	}
	return append(slices.Clone(t.Identity), t.Nest)
}

func differing(t *Type, want map[string]any, o *Object) []string {
	fields := slices.Clone(identityFields(t))
	if _, wanted := want[t.Variant]; wanted {
		fields = append(fields, t.Variant)
	}
	return slices.DeleteFunc(fields, func(f string) bool {
		got, _ := value.Get(o.Fields, value.ParsePath(f))
		return SameField(t, f, want[f], got)
	})
}
