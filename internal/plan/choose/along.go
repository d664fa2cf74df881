package choose

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// undeclaredRoots goes through the roots that are managed in a named namespace
// and not declared.
func (s *Selection) undeclaredRoots(cat *resource.Types, each func(*resource.Type, *resource.Object)) {
	for _, t := range cat.All() {
		if t.Parent != nil || !t.Owned {
			continue
		}
		objects, _ := s.snap.Undeclared(t, nil)
		for _, o := range objects {
			if slices.Contains(s.set.Namespaces, o.Owner.Namespace) {
				each(t, o)
			}
		}
	}
}

// Keeps tells which ignored resource keeps an undeclared one from being deleted:
// one that uses it, or one that would go with it, or uses what would.
func (s *Selection) Keeps(t *resource.Type, o *resource.Object, ancestors []string) string {
	if s.Isolate || !s.active() {
		return ""
	}
	if who := s.user(t, o); who != "" {
		return who
	}
	for _, x := range s.snap.Below(t, ancestors, o.ID) {
		if s.Spares(x.Type, x.Object, nil) {
			return s.describe(x)
		}
		if who := s.user(x.Type, x.Object); who != "" {
			return who
		}
	}
	if s.snap.Unread(t, ancestors, o.ID) {
		return "parts of it that could not be read"
	}
	return ""
}

// holdRoots notes what undeclared roots use that stay, and what belongs to them.
func (s *Selection) holdRoots(cat *resource.Types, mode plan.Mode) bool {
	news := false
	if !mode.Prunes() {
		return news
	}
	s.undeclaredRoots(cat, func(t *resource.Type, o *resource.Object) {
		if !s.Spares(t, o, nil) && s.Keeps(t, o, nil) == "" {
			return
		}
		news = s.uses(t, o, s.who(t, o)) || news
		for _, x := range s.snap.Below(t, nil, o.ID) {
			news = s.uses(x.Type, x.Object, s.who(x.Type, x.Object)) || news
		}
	})
	return news
}

// holdUsed notes what is used by what belongs to undeclared roots that stay, also where
// that was only read because it refers to what would be deleted.
func (s *Selection) holdUsed() bool {
	news := false
	if s.Users == nil {
		return news
	}
	stay := map[*resource.Object]bool{}
	stays := func(t *resource.Type, o *resource.Object) bool {
		if _, known := stay[o]; !known {
			stay[o] = s.Spares(t, o, nil) || s.Keeps(t, o, nil) != ""
		}
		return stay[o]
	}
	byPlace := func(x, y resource.Removed) int {
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.ID, y.ID), cmp.Compare(x.Above+x.Name, y.Above+y.Name))
	}
	for _, removed := range slices.SortedFunc(maps.Keys(s.Users.Refer), byPlace) {
		for _, u := range s.Users.Refer[removed] {
			if u.Root == nil || u.Use.ByName || !slices.Contains(s.set.Namespaces, u.Namespace()) || s.declares(u.Type.Top(), u.Root) {
				continue
			}
			if stays(u.Type.Top(), u.Root) {
				news = s.use(removed.ID, s.who(u.Type.Top(), u.Root)) || news
			}
		}
	}
	return news
}
