package choose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Hold finds what ignored resources use: Konnect would refuse to delete that,
// or delete them with it. In a delete what they belong to stays, too, and so
// does what that uses in its turn.
func (s *Selection) Hold(links *resource.Links, cat *resource.Types, mode plan.Mode) {
	if s.Isolate || !s.active() {
		return
	}
	for again := true; again; {
		again = false
		for _, r := range s.set.Resources {
			o := s.snap.Object(r)
			if o == nil || !s.alone(r) && (mode != plan.ModeDelete || s.Stays(r) == "") {
				continue
			}
			again = s.uses(r.Type, o, r.Describe) || again
			for _, link := range links.From(r) {
				if used := s.snap.Object(link.Target); used != nil {
					again = s.use(used.ID, r.Describe) || again
				}
			}
		}
		s.eachUndeclared(cat, func(t *resource.Type, o *resource.Object, parent *resource.Resource) {
			if s.Spares(t, o, parent) {
				again = s.uses(t, o, s.who(t, o)) || again
			}
		})
		again = s.holdRoots(cat, mode) || again
		again = s.holdUsed() || again
	}
}

// uses notes what an object refers to, and tells whether that is news.
func (s *Selection) uses(t *resource.Type, o *resource.Object, who func() string) bool {
	news := false
	for _, r := range t.References {
		for _, id := range value.TextsAt(o.Fields, value.ParsePath(r.Field)) {
			news = s.use(id, who) || news
		}
	}
	return news
}

func (s *Selection) use(id string, who func() string) bool {
	if id == "" || s.held[id] != "" {
		return false
	}
	s.held[id] = who()
	return true
}

// who names an object once it is needed.
func (s *Selection) who(t *resource.Type, o *resource.Object) func() string {
	return func() string { return s.describe(resource.Part{Type: t, Object: o}) }
}

// describe names an object in a sentence.
func (s *Selection) describe(x resource.Part) string {
	if s.Called == nil {
		return x.Type.Describe(x.Object)
	}
	return s.Called(x)
}

// user is who of the ignored uses an object; "" is nobody.
func (s *Selection) user(t *resource.Type, o *resource.Object) string {
	if t.KeyField != "" {
		return "" // it has the id of what its key names
	}
	return s.held[o.ID]
}

// Stays tells which ignored resource keeps a declared one from being deleted:
// one that belongs to it or nests in it, or one that uses it or a part of it.
func (s *Selection) Stays(r *resource.Resource) string {
	if s.Isolate || !s.active() {
		return ""
	}
	for _, x := range s.set.Under(r) {
		if o := s.snap.Object(x); o != nil {
			if who := s.user(x.Type, o); who != "" {
				return who
			}
		}
	}
	if spared := s.SparesBelow(r); len(spared) > 0 {
		return spared[0]
	}
	return s.unread(r.Type)
}

// unread names what may belong to resources of a type and could not be read:
// something ignored may be among it.
func (s *Selection) unread(t *resource.Type) string {
	for _, child := range t.Children {
		if slices.ContainsFunc(s.snap.Failures(), func(f resource.Failure) bool { return f.Kind == child.Kind }) {
			return resource.Words(child.Root) + " that could not be read"
		}
		if what := s.unread(child); what != "" {
			return what
		}
	}
	return ""
}

// eachUndeclared visits what is managed and not declared.
func (s *Selection) eachUndeclared(cat *resource.Types, each func(*resource.Type, *resource.Object, *resource.Resource)) {
	s.undeclaredRoots(cat, func(t *resource.Type, o *resource.Object) { each(t, o, nil) })
	s.undeclaredRoots(cat, func(t *resource.Type, o *resource.Object) {
		for _, x := range s.snap.Below(t, nil, o.ID) {
			each(x.Type, x.Object, nil)
		}
	})
	for _, r := range s.set.Resources {
		s.undeclared(r, func(t *resource.Type, o *resource.Object) { each(t, o, r) })
	}
}
