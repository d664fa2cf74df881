package laws

import (
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// A saved plan that updates fields and writes secrets can be executed twice: secrets
// cannot be compared and are written again. What people change after the first time
// stops it, also where the update would only leave it out.
func TestUpdateWithSecretsIsExecutedTwice(t *testing.T) {
	var tried, refused atomic.Int64
	afterAll(t, func() {
		t.Logf("%d updates, %d of them refused after a change", tried.Load(), refused.Load())
		if tried.Load() == 0 || refused.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		var all []edited
		for _, f := range spread(allSecretFeatures(s.t), 6) {
			if s.uncovered(f) != "" || lasting(s.t) && len(all) > 0 {
				continue
			}
			if s.t.Parent != nil && (!shares(s.t) || s.below == "") {
				s.below = s.parent(s.t)
			}
			s.n++
			e := edited{parent: s.below, from: s.sampled(s.t, s.below, f)}
			s.known(e.from)
			e.plan, _ = other(s.t, e.from, true)
			e.hand, _ = other(s.t, e.plan, true)
			all = append(all, e)
		}
		form := func(form func(edited) map[string]any) string { return s.holding(all, form).text() }
		before, after := form(func(e edited) map[string]any { return e.from }), form(func(e edited) map[string]any { return e.plan })
		if len(all) == 0 || w.try(before).HasErrors() || w.try(after).HasErrors() {
			return
		}
		w.run(w.plan(before, plan.ModeSync))
		p := w.planAs(after, plan.ModeSync, func(r *engine.PlanRequest) { r.Scope.WriteSecrets = []string{"*"} })
		raw := w.bytes(p)
		w.run(p)
		for range 2 {
			for _, m := range w.moved(raw) {
				t.Errorf("it is executed, and executing it again is refused: %s %s %v", m.Change.ID, m.Why, m.Fields)
			}
			w.run(p)
		}
		tried.Add(int64(len(p.Changes)))
		w.settled(after, plan.ModeSync)
		if len(p.Changes) == 0 {
			return
		}
		ways := map[string]string{"another text": form(func(e edited) map[string]any { return e.hand })}
		if s.t.Puts() {
			for _, f := range spread(allFeatures(s.t), 5) {
				more := s.sampled(s.t, s.below, f)
				ways[f.String()] = form(func(e edited) map[string]any {
					out := maps.Clone(e.plan)
					for k, v := range more {
						if _, has := out[k]; !has {
							out[k] = v
						}
					}
					return out
				})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(ways)) {
			if w.try(ways[name]).HasErrors() {
				continue
			}
			edit := w.plan(ways[name], plan.ModeApply)
			if edit.Empty() || !w.byHand(ways[name]) {
				continue
			}
			moved := w.moved(raw)
			for _, c := range edit.Changes {
				at := slices.IndexFunc(p.Changes, func(x *plan.Change) bool { return x.ResourceID == c.ResourceID && x.ResourceType == c.ResourceType })
				if at < 0 || name == "another text" && len(p.Changes[at].ChangedFields) == 0 {
					continue
				}
				refused.Add(1)
				if !slices.ContainsFunc(moved, func(m execute.Moved) bool { return m.Change.ResourceID == c.ResourceID }) {
					t.Errorf("%s: %s %v was changed after the plan was executed, and executing it again undoes that", name, c.ID, c.FieldChanges)
				}
			}
			w.run(w.plan(after, plan.ModeSync))
		}
	})
}
