package plan

import (
	"fmt"
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
)

func describe(t *catalog.Bound, o *resource.Object) string {
	return fmt.Sprintf("%s %q", catalog.Words(t.Kind), objectName(t, o))
}

// undeclaredRoots goes through the roots that are managed in a named namespace
// and not declared.
func (s *selection) undeclaredRoots(cat *catalog.Catalog, each func(*catalog.Bound, *resource.Object)) {
	for _, t := range cat.All() {
		if t.Parent != nil || !t.HasLabels() {
			continue
		}
		objects, _ := s.snap.Undeclared(t, nil)
		for _, o := range objects {
			if slices.Contains(s.set.Namespaces, remote.Labels(o)[label.Namespace]) {
				each(t, o)
			}
		}
	}
}

// keeps tells which ignored resource keeps an undeclared one from being deleted:
// one that uses it, or one that would go with it, or uses what would.
func (s *selection) keeps(t *catalog.Bound, o *resource.Object, ancestors []string) string {
	if s.isolate || !s.active() {
		return ""
	}
	if who := s.user(t, o); who != "" {
		return who
	}
	for _, x := range s.snap.Below(t, ancestors, o.ID) {
		if s.spares(x.Type, x.Object, nil) {
			return describe(x.Type, x.Object)
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
func (s *selection) holdRoots(cat *catalog.Catalog, mode Mode) bool {
	news := false
	if mode != ModeSync {
		return news
	}
	s.undeclaredRoots(cat, func(t *catalog.Bound, o *resource.Object) {
		if !s.spares(t, o, nil) && s.keeps(t, o, nil) == "" {
			return
		}
		news = s.uses(t, o, describe(t, o)) || news
		for _, x := range s.snap.Below(t, nil, o.ID) {
			news = s.uses(x.Type, x.Object, describe(x.Type, x.Object)) || news
		}
	})
	return news
}
