package choose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
)

// SparesBelow lists what is left out of what belongs to a resource or nests in
// it, and would go with it.
func (s *Selection) SparesBelow(r *resource.Resource) []string {
	if !s.active() {
		return nil
	}
	var out []string
	for _, x := range s.set.Resources {
		if Below(x, r) && s.alone(x) && s.snap.Object(x) != nil {
			out = append(out, x.Describe())
		}
	}
	if s.Isolate {
		return out // what is not declared goes with its parent, as ever
	}
	add := func(t *resource.Type, o *resource.Object) {
		out = append(out, s.describe(resource.Part{Type: t, Object: o}))
	}
	for _, x := range s.set.Resources {
		if x != r && !Below(x, r) {
			continue
		}
		s.undeclared(x, func(t *resource.Type, o *resource.Object) {
			if s.Spares(t, o, x) {
				add(t, o)
			}
		})
	}
	if r.Type.Nest != "" {
		s.nested(r, add)
	}
	return out
}

// Below tells that a resource belongs to another or nests in it.
func Below(x, r *resource.Resource) bool {
	for _, above := range []*resource.Resource{x.Parent, x.Above} {
		if above != nil && (above == r || Below(above, r)) {
			return true
		}
	}
	return false
}

// nested goes through the spared objects that nest in a declared resource.
func (s *Selection) nested(r *resource.Resource, each func(*resource.Type, *resource.Object)) {
	own := s.snap.Object(r)
	ancestors, ok := s.snap.Ancestors(r)
	if own == nil || !ok {
		return
	}
	objects, _ := s.snap.Undeclared(r.Type, ancestors)
	up := s.tree(r.Type, r.Parent, objects)
	for _, o := range objects {
		if slices.Contains(climb(up, o.ID), own.ID) && s.Spares(r.Type, o, r.Parent) {
			each(r.Type, o)
		}
	}
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
	for _, x := range s.set.Of(t) {
		if resource.Same(s.snap, x.Parent, parent) && s.snap.Object(x) != nil {
			add(s.snap.Object(x))
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

// SparedOf are those of the undeclared objects of a scope that are not deleted.
// In a tree these are also what an ignored one or one of others nests in, and
// what nests in it.
func (s *Selection) SparedOf(t *resource.Type, parent *resource.Resource, objects []*resource.Object) map[*resource.Object]bool {
	out := map[*resource.Object]bool{}
	ids := map[string]bool{}
	for _, o := range objects {
		if s.Spares(t, o, parent) {
			out[o], ids[o.ID] = true, true
		}
	}
	if t.Nest == "" {
		return out
	}
	for _, x := range s.set.Of(t) {
		if o := s.snap.Object(x); o != nil && resource.Same(s.snap, x.Parent, parent) && (x.External != nil || !s.Isolate && s.LeftOut(x)) {
			ids[o.ID] = true
		}
	}
	if len(ids) == 0 {
		return out
	}
	up := s.tree(t, parent, objects)
	holds := map[string]bool{} // what an ignored one nests in
	for id := range ids {
		for _, above := range climb(up, id) {
			holds[above] = true
		}
	}
	for _, o := range objects {
		below := slices.ContainsFunc(climb(up, o.ID), func(id string) bool { return ids[id] })
		if below || holds[o.ID] {
			out[o] = true
		}
	}
	return out
}
