// Package language turns documents into resources.
//
// In: documents with positions, and the catalog. Out: a flat set of resources
// (nesting undone, defaults and namespaces settled, fields in the contract's
// form), or every problem there is, each with its position. It must never
// call Konnect or read a file.
package language

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// DefaultNamespace is where resources without a namespace belong.
const DefaultNamespace = "default"

// Resource is one resource that the configuration declares.
type Resource struct {
	Type *catalog.Bound
	// Ref names the resource in this configuration; Explicit tells that
	// people wrote it.
	Ref      string
	Explicit bool
	// Name is what people would call it.
	Name      string
	Namespace string
	// Protected is of the resource itself: its children are not protected by it.
	Protected bool
	// Parent owns the resource; Above is the one it nests in, of its own type.
	Parent, Above *Resource
	// Fields are the declared fields in the contract's names.
	Fields value.Value
	// Written are the keys of child lists that were written, empty or not.
	Written map[string]bool
	Pos     value.Pos
	// External says how to find a resource that others own; nil for managed
	// ones. Its Fields hold only the references that narrow the search.
	External *External
	// Deck is what decK does on this control plane; nil for nothing.
	Deck *Deck
	// Dir and Base say where the document stands, for files read later.
	Dir, Base string

	number    int
	parentRef value.Value
	refPos    value.Pos
	// word is how people wrote the type of an external.
	word string
}

// Set is all that a configuration declares.
type Set struct {
	Catalog *catalog.Catalog
	// Resources, parents before children.
	Resources []*Resource
	// Namespaces that the configuration names, sorted.
	Namespaces []string
	// Skipped are the files of folders that were left out, in whole or in part,
	// and may have been meant as configuration.
	Skipped []string
	// Moves are the resources that were known by another name.
	Moves []Move

	// mentioned are the root types that the configuration says something of, by
	// namespace.
	mentioned map[mention]bool

	incomplete bool
	// leftOut are the names of what was written and is not among Resources,
	// because of a problem that was told.
	leftOut map[string]bool
	// hidden are the kinds of which some may be declared where a value could
	// not be read, or are called by such a value.
	hidden map[string]bool
}

// MayExist tells of the name of a kind, "" for any, that nothing declares that
// it is not to be called missing: what it names was left out, or could not be
// read.
func (s *Set) MayExist(kind, name string) bool {
	return s.incomplete || s.leftOut[name] || s.hidden[kind] || kind == "" && len(s.hidden) > 0
}

// hide notes that resources of a type may be declared where nothing could be
// read: with those below them, which are called after them.
func (s *Set) hide(t *catalog.Bound) {
	s.hidden[t.Kind] = true
	for _, child := range t.Children {
		s.hide(child)
	}
}

// Children lists the resources below a parent.
func (s *Set) Children(parent *Resource) []*Resource {
	var out []*Resource
	for _, r := range s.Resources {
		if r.Parent == parent {
			out = append(out, r)
		}
	}
	return out
}

// Root is the resource at the top of the parents.
func (r *Resource) Root() *Resource {
	for r.Parent != nil {
		r = r.Parent
	}
	return r
}

// Address names the resource for people: kind and ref.
func (r *Resource) Address() string { return r.Type.Kind + " " + r.Ref }
