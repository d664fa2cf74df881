package laws

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
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

// What exists has the name of what a saved plan creates, and what the plan makes it refer
// to is gone by then: the plan is refused before it writes anything.
func TestCreateWithReferencesThatAreGone(t *testing.T) {
	var found tally
	afterAll(t, func() {
		t.Logf("%s", &found)
		if found.of("refused") == 0 {
			t.Error("the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		all := s.richer(4)
		if len(all) == 0 {
			return
		}
		p := w.plan(s.holding(all, func(e edited) map[string]any { return e.from }).text(), plan.ModeSync)
		raw := w.bytes(p)
		w.run(p)
		judged, done := w.judged(t, raw)
		targets := map[string]bool{}
		for _, c := range done.Changes {
			for _, ref := range c.References {
				if to := done.Change(ref.Change); to != nil && c.ResourceType == s.t.Kind && to.Action == plan.Create && judged.Done[to.ID] != nil {
					targets[to.ID] = true
				}
			}
		}
		renamed := map[string]bool{}
		for id := range targets {
			to := done.Change(id)
			typ := w.cat.Kind(to.ResourceType)
			if typ.NameField() == "" || to.Parent != nil && typ.Depth() > 1 || typ.Update == nil {
				continue
			}
			scope := remote.Scope{Type: typ}
			if to.Parent != nil {
				scope.Ancestors = []string{judged.Done[to.Parent.Change].Object.ID}
			}
			fields := map[string]any{}
			if typ.Puts() {
				fields, _ = value.Clone(to.Fields).(map[string]any)
			}
			fields[typ.NameField()] = fmt.Sprintf("renamed%d", len(renamed))
			if _, err := w.target.Update(context.Background(), scope, judged.Done[id].Object.ID, remote.Write{Fields: fields}); err == nil {
				renamed[id] = true
			}
		}
		after, _ := w.judged(t, raw)
		for _, c := range done.Changes {
			open := false
			for f, ref := range c.References {
				open = open || renamed[ref.Change] && after.Done[ref.Change] == nil && !s.t.IsIdentity(value.ParsePath(f)) && f != s.t.MapKey
			}
			if !open || c.ResourceType != s.t.Kind || c.Action != plan.Create || judged.Done[c.ID] == nil {
				continue
			}
			if found.add("refused", 1); !slices.ContainsFunc(after.Moved, func(m execute.Moved) bool { return m.Change.ID == c.ID }) {
				t.Errorf("%s exists and refers to what is gone, and the plan would create it", c.ID)
			}
		}
	})
}

// A saved plan that creates one of several of a name is refused where a plan that is made
// now would not create it: another one has the name by then. Those that were there, and
// those that the plan itself makes, are not in its way.
func TestCreateBesideAnotherOfTheName(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sameName) {
		w := v.w
		stale := func(name string, raw []byte, want bool) {
			t.Helper()
			judged, p := w.judged(t, raw)
			for _, c := range p.Changes {
				moved := slices.ContainsFunc(judged.Moved, func(m execute.Moved) bool { return m.Change.ID == c.ID })
				if c.Action == plan.Create && judged.Done[c.ID] == nil && moved != want {
					t.Errorf("%s: %s is refused: %v", name, c.ID, moved)
				}
			}
		}
		two := w.bytes(w.plan(v.text(nil, "v1", "v2"), plan.ModeApply))
		one := w.bytes(w.plan(v.text(nil, "v1"), plan.ModeSync))
		stale("two of nothing", two, false)
		w.run(w.plan(v.text(nil, "v2"), plan.ModeSync))
		stale("one was made", one, true)
		stale("one of the two was made", two, false)
		beside := w.plan(v.text(nil, "v2", "v3"), plan.ModeApply)
		for _, c := range beside.Changes {
			if len(c.Beside) != 1 {
				t.Errorf("%s is made beside %v", c.ID, c.Beside)
			}
		}
		raw := w.bytes(beside)
		stale("beside one that was there", raw, false)
		w.run(w.plan(v.text(nil, "v2", "v4"), plan.ModeApply))
		stale("beside one that came", raw, true)
	})
}
