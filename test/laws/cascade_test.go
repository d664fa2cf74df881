package laws

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// What is deleted because it refers to something that a plan deletes is named in the
// plan by names. The inverse plan restores it, or names it.
func TestCascadesAreUndone(t *testing.T) {
	var whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d restored whole, %d in part and told so", whole.Load(), told.Load())
		if whole.Load() == 0 {
			t.Error("nothing was restored: the law was not tried")
		}
	})
	eachUse(t, func(t *testing.T, u *usage) {
		if u.use.OnDelete != resource.Cascades {
			return
		}
		w := u.s.w
		w.keep = true
		here := u.text(u.user, true)
		w.run(w.plan(here, plan.ModeSync))
		p := u.removal()
		if len(p.Blocked) > 0 {
			return // others may own what goes with it
		}
		var names []string
		for _, c := range p.Changes {
			for _, x := range c.Cascades {
				names = append(names, x.Name)
				for _, above := range append(slices.Clone(x.Above), *x.Parent) {
					names = append(names, above.Name)
				}
			}
		}
		if i := slices.IndexFunc(names, plan.IsUUID); i >= 0 {
			t.Errorf("an id stands for a name: %s", names[i])
		}
		w.run(p)
		cannot := w.undo(p, "plans never contain secrets")
		if len(cannot) == 0 {
			w.settled(here, plan.ModeSync)
			if len(names) > 0 {
				whole.Add(1)
			}
			return
		}
		told.Add(1)
		for _, name := range names {
			if !strings.Contains(strings.Join(w.said, "\n"), `"`+name+`"`) {
				t.Errorf("%q is not named: %v", name, w.said)
			}
		}
	})
}

// removal is the plan that deletes what is used, and nothing else where that is
// possible.
func (u *usage) removal() *plan.Plan {
	w, target := u.s.w, u.s.w.cat.Kind(u.use.Kind)
	if target.Parent != nil {
		return w.plan(u.text(nil, false), plan.ModeSync)
	}
	alone := newScene(w, target)
	alone.lists[target.Root()] = u.s.lists[target.Root()][u.usedAt : u.usedAt+1]
	if w.try(alone.text()).HasErrors() {
		return w.plan(u.text(nil, false), plan.ModeSync)
	}
	return w.plan(alone.text(), plan.ModeDelete)
}
