package live

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// stages says in which round of reading each declared resource is looked for:
// after what it belongs to, and after what its identity is taken from. Without
// such references a stage is a depth.
type stages struct {
	links *resource.Links
	of    map[*resource.Resource]int
	last  int
	// late are the resources that are looked for after their list is read.
	late []*resource.Resource
}

func newStages(links *resource.Links) *stages {
	s := &stages{links: links, of: map[*resource.Resource]int{}}
	for _, r := range links.Sorted() {
		s.of[r] = s.stage(r)
		s.last = max(s.last, s.of[r])
		if s.of[r] > s.read(r) {
			s.late = append(s.late, r)
		}
	}
	return s
}

// read is the stage at which the list is read that a resource is in.
func (s *stages) read(r *resource.Resource) int {
	if r.Parent == nil {
		return 0
	}
	return s.of[r.Parent] + 1
}

func (s *stages) stage(r *resource.Resource) int {
	n := s.read(r)
	if r.Above != nil {
		n = max(n, s.of[r.Above])
	}
	for _, link := range s.links.From(r) {
		switch {
		case r.External != nil:
			n = max(n, s.of[link.Target])
			if link.Target.External == nil {
				n = max(n, s.of[link.Target]+1) // externals come first in a stage
			}
		case catalog.Of(r).IsIdentity(link.Path.Generic()):
			n = max(n, s.known(link))
		}
	}
	return n
}

// known is the first stage at which the value of a reference can be known.
func (s *stages) known(link resource.Edge) int {
	t := link.Target
	if link.Field == "id" || t.External != nil {
		return s.of[t]
	}
	p := value.ParsePath(link.Field)
	if declared := t.Fields.Lookup(p); !declared.IsAbsent() {
		if next, ok := s.links.At(t, p); ok {
			return s.known(next)
		}
		return 0
	}
	if catalog.Of(t).ListLacksFields() {
		return s.of[t] + 1 // it is read by itself after it is found
	}
	return s.of[t]
}

// settled reports whether all resources that could be found in a scope were
// looked for by the end of a stage.
func (m *matcher) settled(s remote.Scope, stage int) bool {
	key := scopeKey(s.Type, s.Ancestors)
	for _, x := range m.stages.late {
		if catalog.Of(x) != s.Type || m.stages.of[x] <= stage {
			continue
		}
		if ancestors, ok := m.snap.Ancestors(x); ok && scopeKey(catalog.Of(x), ancestors) == key {
			return false
		}
	}
	return true
}
