package live

import (
	"context"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/language"
)

// Missing tells of an external that was looked for and is not there.
func (s *Snapshot) Missing(x *resource.Resource) bool { return s.missing[x] }

// Absent reports whether the list that an external would be in was read and does
// not hold it: an id is taken as it is, and may be that of nothing.
func (s *Snapshot) Absent(x *resource.Resource) bool {
	ancestors, ok := s.Ancestors(x)
	key := scopeKey(catalog.Of(x), ancestors)
	objects, read := s.scopes[key]
	if !ok || !read || s.failed[key] != nil || s.objects[x] == nil {
		return false
	}
	return !slices.ContainsFunc(objects, func(o *resource.Object) bool { return o.ID == s.objects[x].ID })
}

// searches tells that an external is found among others, not by its id.
func searches(x *resource.Resource) bool { return x.External != nil && x.External.ID == "" }

// externals looks for the externals of one stage, each after those that narrow
// its search.
func (r *reader) externals(ctx context.Context, stage int) error {
	var here []*resource.Resource
	for _, x := range r.q.Links.Sorted() {
		if x.External != nil && r.stages.of[x] == stage {
			here = append(here, x)
		}
	}
	if err := r.ask(ctx, here); err != nil {
		return err
	}
	if err := r.askBeside(ctx, here); err != nil {
		return err
	}
	r.matcher.externals(here)
	return r.complete(ctx, here)
}

// externals finds the externals of one stage among what was read.
func (m *matcher) externals(here []*resource.Resource) {
	for _, x := range here {
		ancestors, ok := m.snap.Ancestors(x)
		switch {
		case !ok:
			parentless{m, x}.settle()
		case x.External.ID != "":
			m.byID(x, ancestors)
		case m.narrowedByNothing(x):
			m.snap.missing[x] = true // what narrows it was reported
		case m.snap.Failed(x) == nil:
			m.bySelector(x, ancestors)
		}
	}
	for _, x := range here {
		if o := m.snap.objects[x]; o != nil && !x.External.Unnamed {
			key := catalog.Of(x).Kind + " " + o.ID
			m.theirs[key] = append(m.theirs[key], x)
		}
	}
}

// narrowedByNothing tells that what narrows a search is itself not there.
func (m *matcher) narrowedByNothing(x *resource.Resource) bool {
	for _, link := range m.q.Links.From(x) {
		if m.snap.objects[link.Target] == nil {
			return true
		}
	}
	return false
}

// byID takes an id as it is, or what was read by it.
func (m *matcher) byID(x *resource.Resource, ancestors []string) {
	id := x.External.ID
	objects, read := m.asked[x]
	switch {
	case m.snap.partial[x] != nil:
	case !read:
		m.snap.objects[x] = m.listedAs(x, ancestors, id)
	case len(objects) > 0:
		m.snap.objects[x] = objects[0]
	case m.comes(x):
		m.snap.objects[x] = idOnly(id)
	default:
		m.unresolved(x, language.NoID(x))
	}
	m.spare(x, ancestors, id)
}

// listedAs is what a list that was read anyway tells of an id; else the id alone.
func (m *matcher) listedAs(x *resource.Resource, ancestors []string, id string) *resource.Object {
	for _, o := range m.snap.scopes[scopeKey(catalog.Of(x), ancestors)] {
		if o.ID == id {
			return o
		}
	}
	return idOnly(id)
}

func idOnly(id string) *resource.Object {
	return &resource.Object{ID: id, Fields: map[string]any{"id": id}}
}

// spare keeps what others own from counting as undeclared, whichever read it
// came from.
func (m *matcher) spare(x *resource.Resource, ancestors []string, id string) {
	for _, o := range m.snap.scopes[scopeKey(catalog.Of(x), ancestors)] {
		if o.ID == id {
			m.snap.taken[o] = true
		}
	}
}

func (m *matcher) bySelector(x *resource.Resource, ancestors []string) {
	objects, read := m.asked[x]
	if !read {
		objects = m.snap.scopes[scopeKey(catalog.Of(x), ancestors)]
	}
	var found []*resource.Object
	for _, o := range objects {
		if m.satisfies(x, o) {
			found = append(found, o)
			m.spare(x, ancestors, o.ID)
		}
	}
	switch {
	case len(found) == 1:
		m.snap.objects[x] = found[0]
	case len(found) == 0 && x.External.Made == nil:
		problem := language.NoMatch(x, existing(x, objects)...)
		if names := near(x, objects); len(names) > 0 {
			problem.Fix = language.NearFix(names)
		}
		m.unresolved(x, problem)
	case len(found) > 1:
		matches := make([]language.Match, len(found))
		for i, o := range found {
			matches[i] = language.Match{Name: matchName(x, o), ID: o.ID, Variant: x.Type.VariantOf(o)}
		}
		m.report(x, language.ManyMatches(x, matches))
	}
}

func matchName(x *resource.Resource, o *resource.Object) string {
	for _, f := range append(x.Type.Titles(), x.Type.Identity...) {
		if s, ok := o.Fields[f].(string); ok {
			return s
		}
	}
	return ""
}
