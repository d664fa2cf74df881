package laws

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// richer are samples of a type, and each with more than that.
func (s *scene) richer(most int) (out []edited) {
	add := func(more func(from map[string]any) map[string]any) {
		if lasting(s.t) && len(out) > 0 {
			return
		}
		if s.t.Parent != nil && (!shares(s.t) || s.below == "") {
			s.below = s.parent(s.t)
		}
		s.n++
		from := s.sampled(s.t, s.below, nil)
		s.known(from)
		hand := maps.Clone(from)
		for k, v := range more(from) {
			if _, has := hand[k]; !has && k != s.t.Variant { // another one is another resource
				hand[k] = v
			}
		}
		here, there := s.copied(), s.copied()
		here.add(s.t, from, s.below)
		there.add(s.t, hand, s.below)
		if s.w.try(here.text()).HasErrors() || s.w.try(there.text()).HasErrors() {
			return
		}
		out = append(out, edited{parent: s.below, from: from, hand: hand})
	}
	sampled := func(f feature) func(map[string]any) map[string]any {
		return func(map[string]any) map[string]any { return s.sampled(s.t, s.below, f) }
	}
	if all := allFeatures(s.t); lasting(s.t) {
		slices.SortStableFunc(all, func(a, b feature) int { return len(b) - len(a) })
		add(sampled(all[0]))
	}
	for _, f := range spread(allFeatures(s.t), most) {
		add(sampled(f))
	}
	if s.t.HasLabels() {
		add(func(map[string]any) map[string]any {
			return map[string]any{"labels": map[string]any{"law_exists": "x"}}
		})
		add(func(map[string]any) map[string]any {
			return map[string]any{"kongctl": map[string]any{"protected": true}}
		})
	}
	add(func(map[string]any) map[string]any {
		return sampler{t: s.t, n: s.n, refs: s.reference}.everything(0)
	})
	return out
}

// What a saved plan creates and exists by the time counts as done where a plan that is
// made now leaves it alone; otherwise the plan is refused, and nothing is written.
func TestCreateOfWhatExists(t *testing.T) {
	var found tally
	afterAll(t, func() {
		t.Logf("%s", &found)
		for _, name := range []string{"sync: done", "sync: refused", "sync create: refused", "sync update: refused", "apply: done", "apply: refused"} {
			if found.of(name) == 0 {
				t.Errorf("not tried: %s", name)
			}
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		all := s.richer(2)
		if len(all) == 0 {
			return
		}
		here := s.holding(all, func(e edited) map[string]any { return e.from })
		there := s.holding(all, func(e edited) map[string]any { return e.hand }).text()
		text, saved := here.text(), map[plan.Mode][]byte{}
		for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
			saved[mode] = w.bytes(w.plan(text, mode))
		}
		w.run(w.plan(there, plan.ModeSync))
		for name, raw := range saved {
			now := w.plan(text, name)
			judged, done := w.judged(t, raw)
			for _, c := range done.Changes {
				if c.ResourceType != s.t.Kind {
					continue
				}
				at := slices.IndexFunc(now.Changes, func(x *plan.Change) bool { return x.ResourceType == c.ResourceType && x.ResourceRef == c.ResourceRef })
				moved := slices.IndexFunc(judged.Moved, func(m execute.Moved) bool { return m.Change.ID == c.ID })
				switch {
				case at >= 0 && moved >= 0:
					found.add(string(name)+": refused", 1)
					found.add(string(name)+" "+strings.ToLower(string(c.Action))+": refused", 1)
				case at >= 0:
					t.Errorf("%s: %s exists, a plan would change %v %v, and executing the saved plan leaves it or changes it", name, c.ID, now.Changes[at].Action, now.Changes[at].FieldChanges)
				case moved >= 0:
					t.Errorf("%s: %s exists, a plan would leave it alone, and the saved plan is refused: %s %v", name, c.ID, judged.Moved[moved].Why, judged.Moved[moved].Fields)
				case judged.Done[c.ID] == nil && len(c.SecretWrites) == 0:
					t.Errorf("%s: %s exists, and is made again", name, c.ID)
				default:
					found.add(string(name)+": done", 1)
				}
			}
		}
	})
}

// judged is what the check of a saved plan finds, and the plan.
func (w *world) judged(t *testing.T, raw []byte) (*execute.Finding, *plan.Plan) {
	t.Helper()
	p, err := plan.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	found, err := execute.Check(context.Background(), w.execution(p))
	if err != nil {
		t.Fatal(err)
	}
	return found, p
}
