package laws

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// What is in the way of a resource because it belongs to others is described by the
// fields that the type is found by, when a plan is made and when a saved one is checked.
func TestForeignIdentitiesAreNamedByTheirFields(t *testing.T) {
	var tried, keyed atomic.Int64
	afterAll(t, func() {
		t.Logf("%d types, %d of them without a name", tried.Load(), keyed.Load())
		if tried.Load() < 15 || keyed.Load() < 4 {
			t.Error("too few were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if !s.t.HasLabels() || s.t.Parent != nil || s.t.Neutral().PerNamespace {
			return
		}
		s.minimal(s.t)
		text := s.text()
		p := s.w.plan(text, plan.ModeSync)
		s.w.run(s.w.plan(strings.Replace(text, "namespace: laws", "namespace: others", 1), plan.ModeSync))
		tried.Add(1)
		if s.t.Identity[0] != "name" {
			keyed.Add(1)
		}
		found, err := execute.Check(context.Background(), s.w.execution(p))
		if err != nil {
			t.Fatal(err)
		}
		why := ""
		for _, m := range found.Moved {
			if m.Change.ResourceType == s.t.Kind {
				why = m.Why
			}
		}
		if want := "one with its " + strings.Join(s.t.Identity, " and ") + " exists already"; !strings.HasPrefix(why, want) {
			t.Errorf("%s: a saved plan is refused because of %q, want %q", s.t.Kind, why, want)
		}
		walk := s.w.loaded(text)
		diags, err := walk.Read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, d := range diags {
			said += d.Fix + "\n"
		}
		if want := "choose another " + strings.Join(s.t.Identity, " or ") + ", or take it over"; !strings.Contains(said, want) {
			t.Errorf("%s: the fix is %q, want %q", s.t.Kind, said, want)
		}
	})
}
