package laws

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// emptyLists declares that there is nothing of any root type.
func emptyLists(s *scene, defaults string) string {
	var b strings.Builder
	b.WriteString(defaults)
	for _, t := range s.w.cat.All() {
		if t.HasLabels() {
			fmt.Fprintf(&b, "%s: []\n", t.Root())
		}
	}
	return b.String()
}

// labelled counts the roots of a scene that carry labels.
func (s *scene) labelled() int {
	n := 0
	for _, t := range s.w.cat.All() {
		if t.HasLabels() {
			n += len(s.lists[t.Root()])
		}
	}
	return n
}

// drop deletes what sync leaves because it carries no labels.
func (s *scene) drop(text string) {
	if !s.marked() {
		s.w.run(s.w.planAs(text, plan.ModeDelete, nil))
	}
}

// What the configuration does not mention is not deleted, from the first one on;
// an empty list is a mention, and what belongs to an emptied root goes with it.
func TestUnmentionedRootsStay(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		empty := stored(t, s.w)
		s.minimal(s.t)
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		p := s.w.planAs(nothing, plan.ModeSync, nil)
		if !p.Empty() || len(p.Blocked) == 0 && s.labelled() > 0 {
			t.Errorf("%d changes and %d blocked", len(p.Changes), len(p.Blocked))
		}
		for _, x := range p.Blocked {
			if x.By != "allow-empty" || s.w.cat.Kind(x.ResourceType).Parent != nil {
				t.Errorf("%s %s is blocked by %s", x.ResourceType, x.ResourceRef, x.By)
			}
		}
		s.dropBelowResidents(s.text())
		p = s.w.planAs(emptyLists(s, nothing), plan.ModeSync, nil)
		for _, x := range p.Blocked {
			if s.marked() || x.By != "cascade" { // what carries no labels belongs to others
				t.Errorf("%s %s is blocked by %s", x.ResourceType, x.ResourceRef, x.By)
			}
		}
		s.w.run(p)
		s.drop(s.text())
		if now := stored(t, s.w); now != empty && !lasting(s.t) {
			t.Errorf("something is left:\n%s", now)
		}
	})
}

// Empty lists alone are about the default namespace, and about no other.
func TestEmptyListsMeanDefault(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		empty := stored(t, s.w)
		s.minimal(s.t)
		text := strings.Replace(s.text(), "_defaults: {kongctl: {namespace: laws}}", "", 1)
		s.w.run(s.w.plan(text, plan.ModeApply))
		other := s.w.planAs(emptyLists(s, "_defaults: {kongctl: {namespace: laws}}\n"), plan.ModeSync, nil)
		if !other.Empty() || other.Metadata.SyncScope.OtherNamespaces["default"] != s.labelled() {
			t.Errorf("%d changes, other namespaces: %v", len(other.Changes), other.Metadata.SyncScope.OtherNamespaces)
		}
		s.dropBelowResidents(text)
		s.w.run(s.w.planAs(emptyLists(s, ""), plan.ModeSync, nil))
		s.drop(text)
		if now := stored(t, s.w); now != empty && !lasting(s.t) {
			t.Errorf("something is left:\n%s", now)
		}
	})
}
