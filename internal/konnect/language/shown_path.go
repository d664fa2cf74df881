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

// at follows a path from its root key through children to a field, and says whether
// that is secret. What stands in several forms of a mapping is secret if it is in
// one of them.
func (f *Fields) at(path []string) (secret, known bool) {
	t, rest := f.root(path)
	for t != nil && len(rest) > 0 {
		child := f.child(t, rest[0])
		if child == nil {
			return field([]*contract.Schema{t.Write()}, t, rest)
		}
		t, rest = child, rest[1:]
	}
	return false, t != nil
}

// root is the type whose resources the first keys of a path hold.
func (f *Fields) root(path []string) (*catalog.Bound, []string) {
	for n := range path {
		if t := f.cat.RootKey(strings.Join(path[:n+1], ".")); t != nil {
			return t, path[n+1:]
		}
	}
	return nil, nil
}

// child is the type whose resources a key of another holds.
func (f *Fields) child(t *catalog.Bound, key string) *catalog.Bound {
	if t.Tree != nil && key == t.Tree.Children {
		return t
	}
	i := slices.IndexFunc(f.cat.All(), func(c *catalog.Bound) bool { return c.Parent == t && c.Key == key })
	if i < 0 {
		return nil
	}
	return f.cat.All()[i]
}

func field(at []*contract.Schema, t *catalog.Bound, path []string) (secret, known bool) {
	if len(path) == 1 && slices.ContainsFunc(t.References, func(r catalog.Reference) bool { return t.ShortName(r.Field) == path[0] }) {
		return false, true
	}
	for _, name := range path {
		var next []*contract.Schema
		for _, s := range at {
			next = append(next, below(s, name, nil)...)
		}
		if len(next) == 0 {
			return secret, secret // what is below a secret is one
		}
		at = next
		// Where anything may stand, a name tells.
		secret = secret || value.NamesSecret(name) && !slices.ContainsFunc(at, func(s *contract.Schema) bool { return !anything(s) })
		secret = secret || slices.ContainsFunc(at, func(s *contract.Schema) bool { return s.Secret || s.Deref().Secret })
	}
	return secret, true
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
