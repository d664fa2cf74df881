package language

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Fields are the names of what a configuration may hold, for those who quote one.
type Fields struct {
	cat    *catalog.Catalog
	plain  map[string]bool
	secret map[string]bool
	// parents are the keys that name a parent, of all types.
	parents []string
}

// FieldsOf lists the names of the fields of all types. Where a path leads to no field of a type, a
// name that is secret in one of them, or reads like one, is secret.
func FieldsOf(cat *catalog.Catalog) *Fields {
	f := &Fields{cat: cat, plain: map[string]bool{}, secret: map[string]bool{}}
	seen := map[*contract.Schema]bool{}
	for _, t := range cat.All() {
		f.parents = append(f.parents, t.ParentKeys()...)
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

// Shows reports whether a text at a path surely holds no secret: a field of a type
// is there that takes a single value, or a word of the language. Where nothing says
// what a value is, it may be a secret. Labels are never secret.
func (f *Fields) Shows(path []string) bool {
	at, known := f.at(path)
	if known {
		return at.single && !at.secret
	}
	return f.word(path)
}

// Hides reports whether what is at a path or below it may be a secret.
func (f *Fields) Hides(path []string) bool {
	if at, known := f.at(path); known {
		return at.secret
	}
	for i, name := range path {
		if f.secret[name] && (i == 0 || path[i-1] != fieldLabels) {
			return true
		}
	}
	return false
}
