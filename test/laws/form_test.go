package laws

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// formed is a sample of one form of a type: with all fields, or with no more than it
// needs.
type formed struct {
	form  int
	whole bool
}

// formPairs are the changes of form that are tried: from each form to the next one
// with all fields and with few, in every combination, and to each further one from
// all fields to few, where most must go.
func formPairs(n int) (out [][2]formed) {
	n = min(n, mostForms+1)
	for from := range n {
		for step := 1; step < n; step++ {
			to := (from + step) % n
			out = append(out, [2]formed{{from, true}, {to, false}})
			if step == 1 {
				out = append(out, [2]formed{{from, true}, {to, true}}, [2]formed{{from, false}, {to, true}}, [2]formed{{from, false}, {to, false}})
			}
		}
	}
	return out
}

// A resource changes from each form of its type to the others, and the inverse plan
// takes it back to all that it was, or says what it cannot undo.
func TestFormOfTheWholeChanges(t *testing.T) {
	var updated, replaced, undone, whole atomic.Int64
	afterAll(t, func() {
		t.Logf("%d forms changed in place, %d by a replace; %d were undone, %d whole", updated.Load(), replaced.Load(), undone.Load(), whole.Load())
		if updated.Load() == 0 || whole.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, pair := range formPairs(len(typ.Write().Deref().Branches())) {
			t.Run(fmt.Sprintf("%d whole %v to %d whole %v", pair[0].form, pair[0].whole, pair[1].form, pair[1].whole), func(t *testing.T) {
				w := newWorld(t)
				typ := w.cat.Kind(typ.Kind)
				was := newScene(w, typ)
				if typ.Parent != nil {
					was.below = was.parent(typ)
				}
				g := sampler{t: typ, n: 1, refs: was.reference}
				sample := func(x formed) map[string]any {
					full := g.everything(x.form)
					if x.whole {
						return full
					}
					return g.least(typ.Write(), full, nil)
				}
				first, second := sample(pair[0]), sample(pair[1])
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
					undone.Add(1)
					if len(w.undo(p, "")) == 0 {
						w.settled(was.text(), plan.ModeSync)
						whole.Add(1)
					}
				}
			})
		}
	})
}
