package resource

import "slices"

// index finds the resources of a set by type and by parent.
type index struct {
	size   int // of the set that it was made of
	types  map[*Type][]*Resource
	places map[place][]*Resource
	// nested are the resources by what they nest in, at is the place of each in the set.
	nested map[*Resource][]*Resource
	at     map[*Resource]int
}

// place is a parent and a type below it; nil stands for all types.
type place struct {
	parent *Resource
	of     *Type
}

// Of lists the resources of a type.
func (s *Set) Of(t *Type) []*Resource { return s.indexed().types[t] }

// Children lists the resources below a parent.
func (s *Set) Children(parent *Resource) []*Resource {
	return s.indexed().places[place{parent, nil}]
}

// ChildrenOf lists the resources of a type below a parent.
func (s *Set) ChildrenOf(parent *Resource, t *Type) []*Resource {
	return s.indexed().places[place{parent, t}]
}

// Under lists a resource, what belongs to it and what nests in it, at any depth, in the
// order of the set.
func (s *Set) Under(r *Resource) []*Resource {
	x := s.indexed()
	out := []*Resource{r}
	seen := map[*Resource]bool{r: true}
	for i := 0; i < len(out); i++ {
		for _, list := range [][]*Resource{x.places[place{out[i], nil}], x.nested[out[i]]} {
			for _, below := range list {
				if !seen[below] {
					seen[below] = true
					out = append(out, below)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b *Resource) int { return x.at[a] - x.at[b] })
	return out
}

// indexed returns the index, rebuilt when resources were added. Their types and
// parents do not change once the index was asked.
func (s *Set) indexed() *index {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil || s.index.size != len(s.Resources) {
		s.index = newIndex(s.Resources)
	}
	return s.index
}

func newIndex(all []*Resource) *index {
	x := &index{
		size: len(all), types: map[*Type][]*Resource{}, places: map[place][]*Resource{}, nested: map[*Resource][]*Resource{}, at: map[*Resource]int{},
	}
	for i, r := range all {
		x.at[r] = i
		if r.Above != nil {
			x.nested[r.Above] = append(x.nested[r.Above], r)
		}
		f := r.Type
		x.types[f] = append(x.types[f], r)
		for _, at := range []place{{r.Parent, nil}, {r.Parent, f}} {
			x.places[at] = append(x.places[at], r)
		}
	}
	return x
}
