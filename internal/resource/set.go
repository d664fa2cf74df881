package resource

import (
	"slices"
	"sync"

	"github.com/kongctl/kongctl/internal/value"
)

// Set is all that a configuration declares.
type Set struct {
	// Types are all types that resources may have.
	Types *Types
	// Resources, parents before children.
	Resources []*Resource
	// Namespaces that the configuration names, sorted.
	Namespaces []string
	// Skipped are the files of folders that were left out, in whole or in part,
	// and may have been meant as configuration.
	Skipped []string
	// Moves are the resources that were known by another name.
	Moves []Move
	// Mentioned are the root types that the configuration says something of, by
	// namespace.
	Mentioned map[Mention]bool
	// EmptyAt are the places of empty lists of root types.
	EmptyAt map[Mention]value.Pos
	// Null are the first collections at the root without a value, by the kinds that
	// they hold.
	Null map[string]NullKey
	// Listed are the child types whose lists at the root name managed parents, by
	// the namespaces of those.
	Listed map[Mention]bool
	// Claims are the widest ways to prune of the documents that mention a root type
	// in a namespace or, without a kind, that name the namespace.
	Claims map[Mention]string
	// Narrowed are the files that say how to prune what stands in them.
	Narrowed map[string]string

	// Incomplete reports that not all inputs could be read.
	Incomplete bool
	// LeftOut are the names of what was written and is not among Resources,
	// because of a problem that was reported.
	LeftOut map[string]bool
	// Hidden are the kinds of which some may be declared where a value could
	// not be read, or are called by such a value.
	Hidden map[string]bool

	mu    sync.Mutex // of index
	index *index
}

// Mention is a root type in a namespace.
type Mention struct{ Kind, Namespace string }

// NullKey is a collection at the root that says null.
type NullKey struct {
	Key string
	Pos value.Pos
}

// Move says that a resource was known by another name.
type Move struct {
	// Resource is the declaration, which has the new name.
	Resource *Resource
	// From is the name before.
	From string
	Pos  value.Pos
}

// Moved is the name that a resource had before, where a move says so.
func (s *Set) Moved(r *Resource) (from string, ok bool) {
	for _, m := range s.Moves {
		if m.Resource == r {
			return m.From, true
		}
	}
	return "", false
}

// Mentions reports whether the configuration mentions a root type in a
// namespace: it declares a resource of the type there, or an empty list applies
// to it.
func (s *Set) Mentions(kind, namespace string) bool { return s.Mentioned[Mention{kind, namespace}] }

// MentionsType reports whether the configuration mentions a root type in any
// namespace.
func (s *Set) MentionsType(kind string) bool {
	return slices.ContainsFunc(s.Namespaces, func(ns string) bool { return s.Mentions(kind, ns) })
}

// MayExist reports of the name of a kind, "" for any, that nothing declares
// whether it must not be called missing: what it names was left out, or could
// not be read.
func (s *Set) MayExist(kind, name string) bool {
	return s.Incomplete || s.LeftOut[name] || s.Hidden[kind] || kind == "" && len(s.Hidden) > 0
}

// Hide notes that resources of a type may be declared where nothing could be
// read: with those below them, which are called after them.
func (s *Set) Hide(t *Type) {
	s.Hidden[t.Kind] = true
	for _, child := range t.Children {
		s.Hide(child)
	}
}
