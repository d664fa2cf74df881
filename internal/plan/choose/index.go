package choose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
)

// index finds what is declared and what exists without a look at each resource. What was
// read never changes, and neither does what is declared: its parts are made once, when
// they are first asked for.
type index struct {
	// scopes are the declared resources by where they are, ids those that exist.
	scopes map[scope][]*resource.Resource
	ids    map[*resource.Type]map[string]bool
	// later are the resources that come after one that records them.
	later map[*resource.Resource][]*resource.Resource
	// nested are the spared objects by what they nest in.
	nested map[scope]map[string][]*resource.Object
	// unsure is, by scope and namespace, a resource that is not planned and of which
	// nobody can say which object it is: it may be any.
	unsure map[doubt]*resource.Resource
}

// scope is where the resources of a type are: below a parent. Entries that mean the same
// object are the same parent.
type scope struct {
	of     *resource.Type
	parent resource.Identified
}

// doubt is a scope, at the root that of a namespace.
type doubt struct {
	scope
	namespace string
}

func (s *Selection) scope(t *resource.Type, parent *resource.Resource) scope {
	return scope{t, resource.Identify(s.snap, parent)}
}

// declared lists the declared resources of a type below a parent.
func (s *Selection) declared(t *resource.Type, parent *resource.Resource) []*resource.Resource {
	if s.scopes == nil {
		s.scopes = map[scope][]*resource.Resource{}
		for _, r := range s.set.Resources {
			at := s.scope(r.Type, r.Parent)
			s.scopes[at] = append(s.scopes[at], r)
		}
	}
	return s.scopes[s.scope(t, parent)]
}

// declares reports whether an object is that of a declared resource.
func (s *Selection) declares(t *resource.Type, o *resource.Object) bool {
	if s.ids == nil {
		s.ids = map[*resource.Type]map[string]bool{}
	}
	if s.ids[t] == nil {
		s.ids[t] = map[string]bool{}
		for _, r := range s.set.Of(t) {
			if own := s.snap.Object(r); own != nil {
				s.ids[t][own.ID] = true
			}
		}
	}
	return s.ids[t][o.ID]
}

// recorded lists what comes after a resource that records it.
func (s *Selection) recorded(r *resource.Resource) []*resource.Resource {
	if s.later == nil {
		s.later = map[*resource.Resource][]*resource.Resource{}
		for _, x := range s.set.Resources {
			for _, first := range x.After {
				if first.Records {
					s.later[first] = append(s.later[first], x)
				}
			}
		}
	}
	return s.later[r]
}

// Doubt notes a resource that is not planned and of which nobody can say which object it
// is.
func (s *Selection) Doubt(r *resource.Resource) {
	at := doubt{scope: s.scope(r.Type, r.Parent)}
	if r.Parent == nil {
		at.namespace = r.Namespace
	}
	if s.unsure == nil {
		s.unsure = map[doubt]*resource.Resource{}
	}
	if s.unsure[at] == nil {
		s.unsure[at] = r
	}
}

// Maybe returns the resource that is left out and that an object may be which
// nothing declares; nil where there is no such resource.
func (s *Selection) Maybe(t *resource.Type, o *resource.Object, parent *resource.Resource) *resource.Resource {
	if len(s.unsure) == 0 {
		return nil
	}
	at := doubt{scope: s.scope(t, parent)}
	if parent == nil {
		at.namespace = o.Owner.Namespace
	}
	return s.unsure[at]
}

// sparedIn lists the spared objects that nest in a declared resource.
func (s *Selection) sparedIn(r *resource.Resource) []*resource.Object {
	own := s.snap.Object(r)
	ancestors, ok := s.snap.Ancestors(r)
	if own == nil || !ok {
		return nil
	}
	at := s.scope(r.Type, r.Parent)
	if s.nested[at] == nil {
		in := map[string][]*resource.Object{}
		objects, _ := s.snap.Undeclared(r.Type, ancestors)
		up := s.tree(r.Type, r.Parent, objects)
		for _, o := range objects {
			if s.Spares(r.Type, o, r.Parent) {
				for _, id := range climb(up, o.ID) {
					in[id] = append(in[id], o)
				}
			}
		}
		if s.nested == nil {
			s.nested = map[scope]map[string][]*resource.Object{}
		}
		s.nested[at] = in
	}
	return s.nested[at][own.ID]
}

// tree says in which object each one of a scope nests, by id.
func (s *Selection) tree(t *resource.Type, parent *resource.Resource, objects []*resource.Object) map[string]string {
	up := map[string]string{}
	add := func(o *resource.Object) {
		if above, ok := o.Fields[t.Nest].(string); ok && above != o.ID {
			up[o.ID] = above
		}
	}
	for _, o := range objects {
		add(o)
	}
	for _, x := range s.declared(t, parent) {
		if o := s.snap.Object(x); o != nil {
			add(o)
		}
	}
	return up
}

// climb lists the ids that one nests in.
func climb(up map[string]string, id string) []string {
	var out []string
	for id = up[id]; id != "" && !slices.Contains(out, id); id = up[id] {
		out = append(out, id)
	}
	return out
}
