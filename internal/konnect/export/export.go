// Package export is the way back: what exists becomes a configuration.
//
// In: a target, the catalog and what is asked for. Out: documents in our own
// language that load, and whose plan against the same target is empty, with a
// warning for everything that cannot come back. Nothing in it differs between
// types. It must never change what it reads, show a secret, or import what
// carries out plans (execute) or prints (view, cli).
package export

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// Resource is one that exists.
type Resource struct {
	Type   *catalog.Bound
	Object *resource.Object
	// Parent owns the resource; Above is the one it nests in, of its own type.
	Parent, Above *Resource

	children []*Resource // all types, those of a tree flat
	chosen   bool        // asked for, or belonging to one that is
	external bool        // another target writes it; it is found by its name
	place    int         // in the list that it was read from
}

// Root is the resource at the top of the parents.
func (r *Resource) Root() *Resource {
	for r.Parent != nil {
		r = r.Parent
	}
	return r
}

// Snapshot is what was read.
type Snapshot struct {
	Catalog *catalog.Catalog
	// Roots are in the order of the catalog, then by name.
	Roots []*Resource
	// Failed are the lists that could not be read.
	Failed []Failure
	// Prune is how a sync of it may prune, so that it deletes nothing of what was left
	// out; "" where nothing was.
	Prune string
	// older are versions that others with the same identity take the place of.
	older []olderVersions
}

// Failure is a list that could not be read.
type Failure struct {
	Type *catalog.Bound
	// Parent is nil for roots and for lists over all parents.
	Parent *Resource
	Err    error
}

// All lists the resources, parents before children.
func (s *Snapshot) All() []*Resource {
	var out []*Resource
	var add func([]*Resource)
	add = func(list []*Resource) {
		for _, r := range list {
			out = append(out, r)
			add(r.children)
		}
	}
	add(s.Roots)
	return out
}

// siblings are what is in one list with a resource, and itself.
func (s *Snapshot) siblings(r *Resource) []*Resource {
	if r.Parent == nil {
		return s.Roots
	}
	return r.Parent.children
}

// sort orders resources by type, as the catalog does, then by name. What goes by
// the id of another one is ordered by that one's name: ids are chance.
func (s *Snapshot) sort() {
	rank := map[*catalog.Bound]int{}
	for i, t := range s.Catalog.All() {
		rank[t] = i
	}
	all := s.All()
	index := newIndex(all)
	names := map[*Resource]string{}
	for _, r := range all {
		names[r] = r.name(index.nameOf(r))
	}
	var order func([]*Resource)
	order = func(list []*Resource) {
		slices.SortStableFunc(list, func(a, b *Resource) int {
			if a.Type == b.Type && catalog.OrderOf(a.Type) != nil {
				return cmp.Compare(a.place, b.place)
			}
			return cmp.Or(
				cmp.Compare(rank[a.Type], rank[b.Type]),
				cmp.Compare(names[a], names[b]),
				cmp.Compare(a.variant(), b.variant()),
				cmp.Compare(a.Object.ID, b.Object.ID),
			)
		})
		for _, r := range list {
			order(r.children)
		}
	}
	order(s.Roots)
}

// Name is what people would call the resource.
func (r *Resource) Name() string {
	return r.name(func(_ catalog.Reference, id string) string { return id })
}

// name is the name, the title, or what the identity says; refer names what a
// reference in the identity leads to.
func (r *Resource) name(refer func(ref catalog.Reference, id string) string) string {
	for _, f := range r.Type.Neutral().Titles() {
		if s, ok := r.Object.Fields[f].(string); ok && s != "" {
			return s
		}
	}
	var parts []string
	for _, f := range r.Type.Identity {
		p := value.ParsePath(f)
		v, _ := value.Get(r.Object.Fields, p)
		s, ok := v.(string)
		if !ok || s == "" {
			continue
		}
		if ref, isRef := r.Type.Reference(p); isRef {
			s = refer(ref, s)
		}
		parts = append(parts, resource.ShortName(s))
	}
	return strings.Join(parts, "-")
}

// index finds resources by id.
type index map[string][]*Resource

func newIndex(all []*Resource) index {
	out := index{}
	for _, r := range all {
		if hasID(r.Type) {
			out[r.Object.ID] = append(out[r.Object.ID], r)
		}
	}
	return out
}

// hasID tells whether resources of a type have an id of their own to be
// referred to by.
func hasID(t *catalog.Bound) bool {
	return t.Shape == catalog.Collection || t.Shape == catalog.Membership || t.Listed
}

// target is the resource that a reference leads to, nil when it is not among
// what was read.
func (x index) target(from *Resource, ref catalog.Reference, id string) *Resource {
	for _, r := range x[id] {
		if r != from && (ref.Kind == "" || ref.Kind == r.Type.Kind) {
			return r
		}
	}
	return nil
}

// nameOf names what references of a resource lead to.
func (x index) nameOf(from *Resource) func(catalog.Reference, string) string {
	return func(ref catalog.Reference, id string) string {
		if t := x.target(from, ref, id); t != nil {
			return t.Name()
		}
		return id[:min(len(id), 8)]
	}
}

// Describe names the resource for people.
func (r *Resource) Describe() string { return r.what() }

// what names the resource for people.
func (r *Resource) what() string {
	name := r.Name()
	if name == "" && r.Parent != nil {
		return "the " + catalog.Words(r.Type.Kind) + " of " + r.Parent.what()
	}
	return "the " + catalog.Words(r.Type.Kind) + " " + quoted(name)
}

func quoted(s string) string { return `"` + s + `"` }
