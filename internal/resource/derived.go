package resource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Derivation says what a target reads the resources of a type from: texts that
// others below the same parent have.
type Derivation struct {
	From []Source
	// Read finds in a text what is derived from it: the identity of each.
	Read func(text string) []map[string]any
}

// Source is the field of a type that has such a text.
type Source struct{ Kind, Field string }

// Text is the text that a resource of a kind has in its fields, and whether the
// fields say so.
func (d *Derivation) Text(kind string, fields map[string]any) (text string, ok bool) {
	for _, s := range d.From {
		if s.Kind == kind {
			v, has := value.Get(fields, value.ParsePath(s.Field))
			text, _ = v.(string)
			return text, has
		}
	}
	return "", false
}

// Reads reports whether resources are derived from those of a kind.
func (d *Derivation) Reads(kind string) bool {
	return slices.ContainsFunc(d.From, func(s Source) bool { return s.Kind == kind })
}

// In reports whether an object of the type is derived from a text.
func (d *Derivation) In(t *Type, text string, o *Object) bool {
	return slices.ContainsFunc(d.Read(text), func(fields map[string]any) bool { return sameIdentity(t, fields, o.Fields) })
}

func sameIdentity(t *Type, x, y map[string]any) bool {
	return !slices.ContainsFunc(t.Identity, func(f string) bool {
		p := value.ParsePath(f)
		a, _ := value.Get(x, p)
		b, _ := value.Get(y, p)
		return !value.Equal(a, b)
	})
}

// Drops reports whether one text no longer has what another one had.
func (d *Derivation) Drops(t *Type, old, now string) bool {
	after := d.Read(now)
	return slices.ContainsFunc(d.Read(old), func(x map[string]any) bool {
		return !slices.ContainsFunc(after, func(y map[string]any) bool { return sameIdentity(t, x, y) })
	})
}

// DerivedFrom lists the types that are derived from a kind and that others refer to.
func (t *Types) DerivedFrom(kind string) []*Type {
	var out []*Type
	for _, x := range t.all {
		if x.Derived != nil && x.Derived.Reads(kind) && len(t.uses[x.Kind]) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// Through is what a user refers to where that goes with something else.
type Through struct {
	Type   *Type
	Object *Object
	// From are the keys of the objects that have it in their texts, where it is derived.
	From []string
}

// Name is what people know it by.
func (x *Through) Name() string {
	var out []string
	for _, f := range x.Type.Identity {
		v, _ := value.Get(x.Object.Fields, value.ParsePath(f))
		out = append(out, fmt.Sprint(v))
	}
	return strings.Join(out, " ")
}

// SourceKey names an object that others are derived from.
func SourceKey(kind, id string) string { return kind + "/" + id }
