package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A saved plan brings about a resource with all that it refers to and stands below. What
// somebody wrote otherwise in the meantime stops it, also where the resource comes with
// its parent and the plan only updates it.
func TestCreateOfWhatSomebodyWrote(t *testing.T) {
	var found tally
	afterAll(t, func() {
		t.Logf("%s", &found)
		for _, name := range []string{"sync create", "sync update", "apply create", "apply update"} {
			if found.of(name) == 0 {
				t.Errorf("not tried: %s", name)
			}
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		if lasting(s.t) {
			return // it exists before
		}
		most, all := 2, []edited(nil)
		if s.t.Shape == catalog.Singleton {
			most = 8
		}
		for _, f := range append([]feature{nil}, spread(allFeatures(s.t), most)...) {
			if s.t.Shape == catalog.Singleton || s.t.Parent != nil && (!shares(s.t) || s.below == "") {
				s.below = s.parent(s.t)
			}
			s.n++
			e := edited{parent: s.below, from: s.sampled(s.t, s.below, f)}
			s.known(e.from)
			var is bool
			if e.hand, is = other(s.t, e.from, true); !is && len(f) > 0 {
				e.hand, is = value.Clone(e.from).(map[string]any)
				at := f.path()
				now, _ := value.Get(e.hand, at)
				v, can := otherwise(s.t.Write().At(at.Generic(), nil), now)
				is = is && can && !s.t.Immutable(at.Generic()) && !s.t.IsIdentity(at)
				value.Set(e.hand, at, v)
			}
			if !is {
				continue
			}
			here, there := s.copied(), s.copied()
			here.add(s.t, e.from, s.below)
			there.add(s.t, e.hand, s.below)
			if !w.try(here.text()).HasErrors() && !w.try(there.text()).HasErrors() {
				all = append(all, e)
			}
		}
		if len(all) == 0 {
			return
		}
		text := s.holding(all, func(e edited) map[string]any { return e.from }).text()
		there := s.holding(all, func(e edited) map[string]any { return e.hand }).text()
		saved := map[plan.Mode][]byte{plan.ModeSync: w.bytes(w.plan(text, plan.ModeSync)), plan.ModeApply: w.bytes(w.plan(text, plan.ModeApply))}
		w.run(w.plan(there, plan.ModeSync))
		for name, raw := range saved {
			now := w.plan(text, name)
			judged, done := w.judged(t, raw)
			for _, c := range done.Changes {
				at := slices.IndexFunc(now.Changes, func(x *plan.Change) bool {
					return x.ResourceType == c.ResourceType && x.ResourceRef == c.ResourceRef && x.Action != plan.Create
				})
				if c.ResourceType != s.t.Kind || at < 0 {
					continue
				}
				if !slices.ContainsFunc(judged.Moved, func(m execute.Moved) bool { return m.Change.ID == c.ID }) {
					t.Errorf("%s: %s was written, a plan would change %v, and the saved plan overwrites it", name, c.ID, now.Changes[at].FieldChanges)
				}
				found.add(string(name)+" "+strings.ToLower(string(c.Action)), 1)
			}
		}
	})
}
