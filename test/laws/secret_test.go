package laws

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A plan lists every declared secret of what exists: it cannot say whether one
// changed. All of them are written on request, but for those that need a replace:
// these are replaced when they are asked for by name.
func TestSecretsAreWrittenOnRequest(t *testing.T) {
	var written, replaced, listed atomic.Int64
	afterAll(t, func() {
		t.Logf("%d secrets, %d of them need a replace, %d are in lists", written.Load(), replaced.Load(), listed.Load())
		if written.Load() == 0 || replaced.Load() == 0 || listed.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			s.sampleOf(f)
		}
		if len(s.lists) == 0 {
			return
		}
		s.w.run(s.w.plan(s.text(), plan.ModeSync))
		p := s.w.planAs(s.text(), plan.ModeSync, nil)
		if !p.Empty() {
			t.Fatalf("%d changes", len(p.Changes))
		}
		all := s.w.planAs(s.text(), plan.ModeSync, func(r *engine.PlanRequest) { r.Scope.WriteSecrets = []string{"*"} })
		for _, r := range s.w.set.Resources {
			r.Fields.Walk(func(at value.Path, v value.Value) bool {
				if e := v.Expr(); e == nil || e.Op != value.OpSecret {
					return true
				}
				fixed := r.Type.Immutable(at.Generic())
				x := plan.NotCompared{ResourceType: r.Type.Kind, ResourceRef: r.Ref, Field: at.String(), Immutable: fixed}
				if !slices.Contains(p.NotCompared, x) {
					t.Errorf("the plan does not say that %v is not compared", x)
				}
				if slices.Contains(all.NotCompared, x) != fixed || writes(all, plan.Update, x) == fixed {
					t.Errorf("asked for all secrets, %v is not written as it can be", x)
				}
				written.Add(1)
				if every := everyItem(at); every != at.String() && !fixed {
					listed.Add(1)
					asked := s.w.planAs(s.text(), plan.ModeSync, func(q *engine.PlanRequest) {
						q.Scope.WriteSecrets = []string{r.Ref + "#" + every}
					})
					if !writes(asked, plan.Update, x) {
						t.Errorf("asked for %s, %v is not written", every, x)
					}
				}
				if !fixed {
					return true
				}
				one := s.w.planAs(s.text(), plan.ModeSync, func(q *engine.PlanRequest) {
					q.Scope.WriteSecrets, q.Scope.AllowReplace = []string{r.Type.Kind + ":" + r.Ref}, []string{r.Type.Kind + ":" + r.Ref}
				})
				if !writes(one, plan.Create, x) {
					t.Errorf("asked for by name, %v is not replaced", x)
				}
				s.w.run(one)
				s.w.settled(s.text(), plan.ModeSync)
				replaced.Add(1)
				return true
			})
		}
	})
}

// everyItem is a path with [] in place of each place in a list.
func everyItem(at value.Path) string {
	var b strings.Builder
	for i, seg := range at {
		switch _, place := value.Place(seg); {
		case place:
			b.WriteString("[]")
		case i > 0:
			b.WriteString("." + seg)
		default:
			b.WriteString(seg)
		}
	}
	return b.String()
}

// writes reports whether a change of a plan writes a secret.
func writes(p *plan.Plan, action plan.Action, x plan.NotCompared) bool {
	return slices.ContainsFunc(p.Changes, func(c *plan.Change) bool {
		return c.Action == action && c.ResourceType == x.ResourceType && c.ResourceRef == x.ResourceRef &&
			slices.ContainsFunc(c.SecretWrites, func(e plan.Expression) bool { return e.Field == x.Field })
	})
}
