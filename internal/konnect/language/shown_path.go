package language

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Knows reports whether a path leads to a field of a type.
func (f *Fields) Knows(path []string) bool {
	_, known := f.at(path)
	return known
}

// spot is what is known of a place: whether a secret belongs there, and whether a
// single value does, or several in a list.
type spot struct{ secret, single bool }

// at follows a path from its root key through children to a field. What stands in
// several forms of a mapping is secret if it is in one of them.
func (f *Fields) at(path []string) (at spot, known bool) {
	t, rest := f.holder(path)
	switch {
	case t == nil:
		return spot{}, false
	case len(rest) == 0: // a text is taken for the name
		return spot{single: !holdsSecret(t) && (t.NameField() != "" || t.Link != "" || t.Set != "" || t.Shape == catalog.Membership)}, true
	}
	at, known = field([]*contract.Schema{t.Write()}, t, rest)
	switch {
	case !known && t.Set != "": // a list stands for the set
		return field([]*contract.Schema{t.Write()}, t, append([]string{t.Set}, rest...))
	case !known && t.ReadOnly && identifies(t, rest): // of what exists, its names are written
		seen := t.ReturnedAt(rest)
		return spot{secret: seen.Secret, single: true}, seen.OK
	case known && t.WriteOp() != nil && t.WriteOp().Identifies(rest):
		at.single = true
	}
	return at, known
}

// identifies reports whether a field is one that a resource is found by, or refers to
// others with.
func identifies(t *catalog.Bound, path []string) bool {
	_, refers := t.Reference(path)
	return refers || t.IsIdentity(path)
}

// holdsSecret reports whether a secret is what resources of a type are for: a text in the
// place of one may be the secret.
func holdsSecret(t *catalog.Bound) bool {
	fields := t.Write().Object(nil)
	return slices.ContainsFunc(fields.Names(), func(name string) bool {
		s := fields.Field(name).Schema
		return s.Secret || s.Deref().Secret
	})
}

// holder is the type of the resource that a path leads into, and the keys that are
// below the resource. It is nil where no resource stands.
func (f *Fields) holder(path []string) (*catalog.Bound, []string) {
	t, rest := f.root(path)
	for t != nil && len(rest) > 0 {
		if slices.Contains(catalog.Keys(t), rest[0]) && len(rest) > 1 {
			rest = rest[1:] // resources by their keys
		}
		child := f.child(t, rest[0])
		if child == nil {
			break
		}
		t, rest = child, rest[1:]
	}
	return t, rest
}

// root is the type whose resources the first keys of a path hold.
func (f *Fields) root(path []string) (*catalog.Bound, []string) {
	for n := range path {
		if t := f.cat.RootKey(strings.Join(path[:n+1], ".")); t != nil {
			return t, path[n+1:]
		}
	}
	if len(path) > 0 {
		for _, t := range f.cat.All() {
			for _, s := range f.cat.Sides(t) {
				if path[0] == t.Kind+"_"+s.Key {
					return s.Type, path[1:]
				}
			}
		}
	}
	return nil, nil
}

// child is the type whose resources a key of another holds.
func (f *Fields) child(t *catalog.Bound, key string) *catalog.Bound {
	if t.Tree != nil && key == t.Tree.Children {
		return t
	}
	if i := slices.IndexFunc(f.cat.All(), func(c *catalog.Bound) bool { return c.Parent == t && c.Key == key }); i >= 0 {
		return f.cat.All()[i]
	}
	for _, s := range f.cat.Sides(t) {
		if s.Key == key {
			return s.Type
		}
	}
	return nil
}

func field(at []*contract.Schema, t *catalog.Bound, path []string) (is spot, known bool) {
	if len(path) == 1 && slices.ContainsFunc(t.References, func(r catalog.Reference) bool { return t.ShortName(r.Field) == path[0] }) {
		return spot{single: true}, true
	}
	for _, name := range path {
		var next []*contract.Schema
		for _, s := range at {
			next = append(next, below(s, name, nil)...)
		}
		if len(next) == 0 {
			return is, is.secret // what is below a secret is one
		}
		at = next
		// Where anything may stand, a name tells.
		is.secret = is.secret || value.NamesSecret(name) && !slices.ContainsFunc(at, func(s *contract.Schema) bool { return !anything(s) })
		is.secret = is.secret || slices.ContainsFunc(at, func(s *contract.Schema) bool { return s.Secret || s.Deref().Secret })
	}
	is.single = slices.ContainsFunc(at, func(s *contract.Schema) bool { return single(s, nil) })
	return is, true
}

// single reports whether a schema says that a single value stands in a place, or a
// list of such.
func single(s *contract.Schema, in []*contract.Schema) bool {
	if s = s.Deref(); s == nil || slices.Contains(in, s) {
		return false
	}
	in = append(in[:len(in):len(in)], s)
	switch s.Type {
	case "string", "number", "integer", "boolean":
		return true
	case "array":
		return single(s.Items, in)
	}
	return len(s.Enum) > 0 || slices.ContainsFunc(slices.Concat(s.OneOf, s.AnyOf, s.AllOf), func(b *contract.Schema) bool { return single(b, in) })
}

// anything reports whether a schema says nothing of a value.
func anything(s *contract.Schema) bool {
	return s.Ref == "" && s.Type == "" && s.Properties == nil && s.OneOf == nil && s.AnyOf == nil && s.AllOf == nil && !s.Secret
}

// below are the schemas of a key in all forms of a schema.
func below(s *contract.Schema, name string, in []*contract.Schema) []*contract.Schema {
	if s = s.Deref(); s == nil || slices.Contains(in, s) {
		return nil
	}
	in = append(in[:len(in):len(in)], s)
	var out []*contract.Schema
	if plugins := s.Configuration(name); plugins != nil {
		out = append(out, plugins)
	}
	switch p := s.Properties[name]; {
	case p != nil:
		out = append(out, p)
	case s.Additional != nil && !s.Additional.Never():
		out = append(out, s.Additional)
	}
	for _, list := range [][]*contract.Schema{s.OneOf, s.AnyOf, s.AllOf, {s.Items}} {
		for _, b := range list {
			if b != nil {
				out = append(out, below(b, name, in)...)
			}
		}
	}
	return out
}
