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
	under := s.set.Under(r)
	for _, x := range under {
		if x != r && s.alone(x) && s.snap.Object(x) != nil {
			out = append(out, x.Describe())
		}
	}
	if s.Isolate {
		return out // what is not declared goes with its parent, as ever
	}
	for _, x := range under {
		s.undeclared(x, func(t *resource.Type, o *resource.Object) {
			if s.Spares(t, o, x) {
				out = append(out, s.describe(resource.Part{Type: t, Object: o}))
			}
		})
	}
	if r.Type.Nest != "" {
		for _, o := range s.sparedIn(r) {
			out = append(out, s.describe(resource.Part{Type: r.Type, Object: o}))
		}
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
	for _, x := range s.declared(t, parent) {
		if o := s.snap.Object(x); o != nil && (x.External != nil || !s.Isolate && s.LeftOut(x)) {
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
