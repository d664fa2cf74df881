package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

// protected adds a resource of the scene's type with no more than it needs and
// with a protection of its own.
func (s *scene) protected() (ref string) {
	s.n++
	parent := s.parent(s.t)
	fields := s.sampled(s.t, parent, nil)
	fields["kongctl"] = map[string]any{"protected": true}
	return s.add(s.t, fields, parent)
}

// What is declared as protected is not deleted, by itself or with a parent, and
// a root that is protected in Konnect is not either when nothing declares it.
func TestProtectedStay(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		if lasting(s.t) {
			return // nothing deletes it
		}
		s.protected()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		before := storedOf(t, s.w, s.t.Kind)
		p := s.w.planAs(s.text(), plan.ModeDelete, nil)
		if !slices.ContainsFunc(p.Blocked, func(x plan.Blocked) bool { return x.By == "protected" }) {
			t.Errorf("nothing is blocked: %+v", p.Blocked)
		}
		// What the advice says to apply first is a change.
		applied := s.w.plan(strings.ReplaceAll(s.text(), `"protected": true`, `"protected": false`), plan.ModeApply)
		if says := strings.Contains(fmt.Sprint(p.Blocked), "apply that first"); says != (len(applied.Changes) > 0) {
			t.Errorf("the advice is to apply first: %v, and that has %d changes: %+v", says, len(applied.Changes), p.Blocked)
		}
		s.w.run(p)
		if after := storedOf(t, s.w, s.t.Kind); after != before {
			t.Errorf("delete, before:\n%s\nafter:\n%s", before, after)
		}
		if !s.t.HasLabels() {
			return
		}
		unprotected := strings.ReplaceAll(s.text(), `"protected": true`, `"protected": false`)
		for mode, text := range map[plan.Mode]string{plan.ModeSync: emptyLists(s, "_defaults: {kongctl: {namespace: laws}}\n"), plan.ModeDelete: unprotected} {
			s.w.run(s.w.planAs(text, mode, nil))
			if after := storedOf(t, s.w, s.t.Kind); after != before {
				t.Errorf("%s, before:\n%s\nafter:\n%s", mode, before, after)
			}
		}
	})
}

// A child of a protected root may be removed; only it goes.
func TestChildrenOfTheProtectedMayGo(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		if s.t.Parent == nil || !s.t.Optional() || s.t.Delete == nil || s.t.Top().ReadOnly {
			return
		}
		s.minimal(s.t)
		text := strings.Replace(s.text(), "namespace: laws", "namespace: laws, protected: true", 1)
		s.w.run(s.w.plan(text, plan.ModeApply))
		p := s.w.planAs(text, plan.ModeDelete, func(r *engine.PlanRequest) { r.Scope.Filter.Isolate = []string{"type:" + s.t.Kind} })
		if p.Empty() || len(p.Blocked) > 0 {
			t.Fatalf("%d changes, blocked: %+v", len(p.Changes), p.Blocked)
		}
		for _, c := range p.Changes {
			if c.ResourceType != s.t.Kind || !c.Parent.RootProtected || c.Protection {
				t.Errorf("%s: root protected %v, protected %v", c.ID, c.Parent.RootProtected, c.Protection)
			}
		}
		s.w.run(p)
	})
}
