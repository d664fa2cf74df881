package resource

import (
	"maps"
	"slices"
)

// Declare adds a resource, and its namespace where it is a managed root.
func (s *Set) Declare(r *Resource) {
	r.Number = len(s.Resources)
	s.Resources = append(s.Resources, r)
	if r.Parent != nil || r.External != nil {
		return
	}
	s.Mention(r.Type.Kind, r.Namespace)
}

// Mention notes that the configuration says something of a root type in a
// namespace, be it with an empty list.
func (s *Set) Mention(kind, namespace string) {
	if s.Mentioned == nil {
		s.Mentioned = map[Mention]bool{}
	}
	s.Mentioned[Mention{kind, namespace}] = true
	s.name(namespace)
}

// Take adds all that another set holds.
func (s *Set) Take(other *Set) {
	for _, r := range other.Resources {
		r.Number += len(s.Resources)
	}
	s.Resources = append(s.Resources, other.Resources...)
	for _, ns := range other.Namespaces {
		s.name(ns)
	}
	s.Skipped, s.Moves = append(s.Skipped, other.Skipped...), append(s.Moves, other.Moves...)
	s.Incomplete = s.Incomplete || other.Incomplete
	for m, prune := range other.Claims {
		s.Claim(m, prune)
	}
	s.Narrowed, s.EmptyAt = join(s.Narrowed, other.Narrowed), join(s.EmptyAt, other.EmptyAt)
	s.Null = join(s.Null, other.Null)
	s.Mentioned, s.Listed, s.LeftOut, s.Hidden = join(s.Mentioned, other.Mentioned), join(s.Listed, other.Listed), join(s.LeftOut, other.LeftOut), join(s.Hidden, other.Hidden)
}

func join[K comparable, V any](a, b map[K]V) map[K]V {
	if a == nil {
		return b
	}
	maps.Copy(a, b)
	return a
}

// name notes a namespace.
func (s *Set) name(namespace string) {
	if at, found := slices.BinarySearch(s.Namespaces, namespace); !found {
		s.Namespaces = slices.Insert(s.Namespaces, at, namespace)
	}
}

// Within is the part of a set that some types make up.
func (s *Set) Within(types *Types) *Set {
	mine := func(r *Resource) bool { return types.Kind(r.Type.Kind) == r.Type }
	if !slices.ContainsFunc(s.Resources, func(r *Resource) bool { return !mine(r) }) {
		return s
	}
	out := &Set{
		Types: s.Types, Namespaces: s.Namespaces, Skipped: s.Skipped, Moves: s.Moves, Mentioned: s.Mentioned, EmptyAt: s.EmptyAt, Null: s.Null, Listed: s.Listed, Claims: s.Claims, Narrowed: s.Narrowed,
		Incomplete: s.Incomplete, LeftOut: s.LeftOut, Hidden: s.Hidden,
	}
	for _, r := range s.Resources {
		if mine(r) {
			out.Resources = append(out.Resources, r)
		}
	}
	return out
}

// Within are the links between resources of a set: a value that comes from
// elsewhere is not known.
func (l *Links) Within(set *Set) *Links {
	if len(l.sorted) == len(set.Resources) {
		return l
	}
	in := map[*Resource]bool{}
	for _, r := range set.Resources {
		in[r] = true
	}
	out := &Links{from: map[*Resource][]Edge{}, to: map[*Resource][]*Resource{}, order: map[*Resource][]*Resource{}}
	out.sorted = slices.DeleteFunc(slices.Clone(l.sorted), func(r *Resource) bool { return !in[r] })
	for r := range in {
		outside := func(x *Resource) bool { return !in[x] }
		out.from[r] = slices.DeleteFunc(slices.Clone(l.from[r]), func(e Edge) bool { return !in[e.Target] })
		out.to[r] = slices.DeleteFunc(slices.Clone(l.to[r]), outside)
		out.order[r] = slices.DeleteFunc(slices.Clone(l.order[r]), outside)
	}
	return out
}
