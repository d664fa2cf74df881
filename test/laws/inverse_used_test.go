package laws

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// undoneThough undoes a plan after somebody else let a resource refer to what the plan
// made. What cannot be undone is said before anything is written, and the rest runs to
// its end. It reports whether all was undone.
func (w *world) undoneThough(p *plan.Plan) bool {
	w.t.Helper()
	back, _ := w.inverse(p)
	var why []string
	for _, x := range back.Blocked {
		why = append(why, x.Message)
	}
	for _, x := range back.Warnings {
		if strings.HasPrefix(x.Message, "cannot undo: ") {
			why = append(why, x.Message)
		}
	}
	w.run(back)
	again, _ := w.inverse(p)
	for _, c := range again.Changes {
		w.t.Errorf("undone, and undone again: %s %s %q", c.Action, c.ResourceType, c.ResourceRef)
	}
	for _, c := range p.Changes {
		if c.Action == plan.Create && w.exists(c) && len(why) == 0 {
			w.t.Errorf("%s stays, and nothing says why", c.ID)
		}
	}
	return len(why) == 0
}

// exists reports whether what a change made in the last run is there. What comes and goes
// with its parent is not asked for.
func (w *world) exists(c *plan.Change) bool {
	id := w.made[c.ID]
	return plan.IsUUID(id) && strings.Contains(storedOf(w.t, w, c.ResourceType), id)
}

// What somebody else used meanwhile is deleted by an inverse plan in an order that
// Konnect takes, or stays, and the plan says why.
func TestInverseOfWhatIsUsedByNow(t *testing.T) {
	var whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d undone whole, %d in part and told so", whole.Load(), told.Load())
		if whole.Load() < 10 || told.Load() < 10 {
			t.Error("too few were undone whole, or in part")
		}
	})
	count := func(all bool) {
		if all {
			whole.Add(1)
		} else {
			told.Add(1)
		}
	}
	t.Run("by its id", func(t *testing.T) {
		eachUse(t, func(t *testing.T, u *usage) {
			for _, way := range []string{"with what it belongs to", "alone"} {
				if way == "alone" && u.s.w.try(u.text(nil, false)).HasErrors() {
					continue
				}
				t.Run(way, func(t *testing.T) {
					w := newWorld(t)
					u.s.w = w
					if way == "alone" {
						w.run(w.plan(u.text(nil, false), plan.ModeApply))
					}
					count(w.usedMeanwhile(u.text(nil, true), u.text(u.user, true)))
				})
			}
		})
	})
	t.Run("by its name", func(t *testing.T) {
		eachNaming(t, func(t *testing.T, f *namingField) {
			s, parent := f.scene(nil)
			above := s.text()
			s.addMinimal(f.other, parent, map[string]any{f.other.Identity[0]: called})
			for _, way := range []string{"with what it belongs to", "alone"} {
				t.Run(way, func(t *testing.T) {
					w := newWorld(t)
					f.w = w
					if way == "alone" {
						w.run(w.plan(above, plan.ModeApply))
					}
					count(w.usedMeanwhile(s.text(), f.declare(t, true, called)))
				})
			}
		})
	})
}

// usedMeanwhile carries out a plan for one configuration, then one for another that adds
// what uses it, and undoes the first.
func (w *world) usedMeanwhile(before, after string) bool {
	w.t.Helper()
	p := w.plan(before, plan.ModeApply)
	if !slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Action == plan.Create }) {
		w.t.Fatalf("nothing is made: %v", p.ExecutionOrder)
	}
	w.run(p)
	made := w.made
	w.run(w.plan(after, plan.ModeApply))
	w.made = made
	return w.undoneThough(p)
}
