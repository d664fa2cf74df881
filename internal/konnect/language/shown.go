package language

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Fields are the names of what a configuration may hold, for those who quote one.
type Fields struct {
	cat    *catalog.Catalog
	plain  map[string]bool
	secret map[string]bool
}

// FieldsOf lists the names of all types. Where a path leads to no field of a type, a
// name that is secret in one of them, or reads like one, is secret.
func FieldsOf(cat *catalog.Catalog) *Fields {
	f := &Fields{cat: cat, plain: map[string]bool{}, secret: map[string]bool{}}
	for _, name := range []string{
		keyDefaults, keyMeta, keyRef, keyID, keyExternal, keyExternals, keyResourceType, keySelector, keyMoved, keyType, keyFrom, keyTo,
		keyMatchFields, keyMatchExpressions, keyField, keyOperator, keyValues, "namespace", "protected", fieldLabels, "parent", "_deck", "deck", "files", "flags", "file", "service",
	} {
		f.plain[name] = true
	}
	seen := map[*contract.Schema]bool{}
	for _, t := range cat.All() {
		for _, key := range append(strings.Split(t.Root(), "."), t.Key, t.Kind, t.MapKey) {
			f.plain[key] = true
		}
		for _, alias := range t.Aliases {
			for _, key := range strings.Split(alias, ".") {
				f.plain[key] = true
			}
		}
		for _, r := range t.References {
			f.plain[t.ShortName(r.Field)] = true
		}
		for _, s := range cat.Sides(t) {
			f.plain[s.Key], f.plain[s.List], f.plain[t.Kind+"_"+s.Key] = true, true, true
		}
		if t.Tree != nil {
			f.plain[t.Tree.Children] = true
		}
		if t.Parent != nil {
			for _, key := range append(t.ParentKeys(), t.Parent.Kind) {
				f.plain[key] = true
			}
		}
		f.add(t.Write(), seen)
		if t.ReadOnly {
			f.add(t.Returned(), seen)
		}
	}
	return f
}

func (f *Fields) add(s *contract.Schema, seen map[*contract.Schema]bool) {
	if s = s.Deref(); s == nil || seen[s] {
		return
	}
	seen[s] = true
	for name, below := range s.Properties {
		if flat := below.Deref(); flat != nil && flat.Secret || below.Secret || value.MentionsSecret(name) {
			f.secret[name] = true
		}
		f.plain[name] = true
		f.add(below, seen)
	}
	for _, list := range [][]*contract.Schema{s.OneOf, s.AnyOf, s.AllOf} {
		for _, b := range list {
			f.add(b, seen)
		}
	}
	if s.Items != nil {
		f.add(s.Items, seen)
	}
	if s.Additional != nil {
		f.add(s.Additional, seen)
	}
}

// Shows reports whether the value at a path surely holds no secret: all its keys
// are known. Labels are never secret.
func (f *Fields) Shows(path []string) bool {
	if secret, known := f.at(path); known {
		return !secret
	}
	for i, name := range path {
		if f.plain[name] && !f.secret[name] {
			continue
		}
		if i > 0 && path[i-1] == fieldLabels && i == len(path)-1 {
			continue
		}
		return false
	}
	return len(path) > 0
}

// Hides reports whether what is at a path or below it may be a secret.
func (f *Fields) Hides(path []string) bool {
	if secret, known := f.at(path); known {
		return secret
	}
	for i, name := range path {
		if f.secret[name] && (i == 0 || path[i-1] != fieldLabels) {
			return true
		}
	}
	return false
}
