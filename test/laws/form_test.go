package laws

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// A resource changes from each form of its type to the next one, with all fields
// and with no more than it needs, and back by the inverse plan.
func TestFormOfTheWholeChanges(t *testing.T) {
	var updated, replaced, undone atomic.Int64
	afterAll(t, func() {
		t.Logf("%d forms changed in place, %d by a replace; %d were undone", updated.Load(), replaced.Load(), undone.Load())
		if updated.Load() == 0 || undone.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		n := len(typ.Write().Deref().Branches())
		for from := range n {
			for _, whole := range []bool{true, false} {
				to := (from + 1) % n
				if n < 2 || from > mostForms {
					continue
				}
				t.Run(fmt.Sprintf("%d to %d whole %v", from, to, whole), func(t *testing.T) {
					w := newWorld(t)
					typ := w.cat.Kind(typ.Kind)
					was := newScene(w, typ)
					if typ.Parent != nil {
						was.below = was.parent(typ)
					}
					g := sampler{t: typ, n: 1, refs: was.reference}
					sample := func(form int) map[string]any {
						full := g.everything(form)
						if whole {
							return full
						}
						return g.least(typ.Write(), full, nil)
					}
					first, second := sample(from), sample(to)
					is := &scene{w: w, t: typ, lists: map[string][]string{}, below: was.below}
					for key, items := range was.lists {
						is.lists[key] = slices.Clone(items)
					}
					was.add(typ, first, was.below)
					ref := is.add(typ, second, is.below)
					if w.try(was.text()).HasErrors() || w.try(is.text()).HasErrors() {
						return
					}
					w.run(w.plan(was.text(), plan.ModeSync))
					p := w.plan(is.text(), plan.ModeSync, ref)
					w.run(p)
					w.settled(is.text(), plan.ModeSync)
					if len(p.Changes) != 1 {
						replaced.Add(1)
						return
					}
					updated.Add(1)
					if p.Changes[0].Action == plan.Update {
						w.undo(p, "")
						undone.Add(1)
					}
				})
			}
		}
	})
}
