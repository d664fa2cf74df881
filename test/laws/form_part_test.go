package laws

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// partForms are pairs of samples in which a part of a resource has one form of a union,
// and the next one.
func partForms(t *catalog.Bound) (out [][2]feature) {
	places := map[string]map[int]feature{}
	for _, f := range allFeatures(t) {
		for n, s := range f {
			if place := f[:n].String(); n > 0 && s.branch > 0 && !inList(f[:n]) {
				if places[place] == nil {
					places[place] = map[int]feature{}
				}
				places[place][s.branch] = f[: n+1 : n+1]
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(places)) {
		forms := slices.Sorted(maps.Keys(places[place]))
		for i, from := range forms {
			if to := forms[(i+1)%len(forms)]; to != from {
				out = append(out, [2]feature{places[place][from], places[place][to]})
			}
		}
	}
	return spread(out, maxFeatures/2)
}

// A part of a resource changes from one form of a union to another one: the plan shows all
// that goes and comes, and the inverse plan takes it back, or says what it cannot undo.
func TestFormOfAPartChanges(t *testing.T) {
	var seen tally
	afterAll(t, func() {
		t.Logf("%v", seen.n)
		if seen.n["undone whole"] < 10 {
			t.Error("the law was not tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, pair := range partForms(typ) {
			t.Run(fmt.Sprint(pair[0], " to ", pair[1]), func(t *testing.T) {
				w := newWorld(t)
				typ := w.cat.Kind(typ.Kind)
				was := newScene(w, typ)
				if typ.Parent != nil {
					was.below = was.parent(typ)
				}
				g := sampler{t: typ, n: 1, refs: was.reference}
				first, second := g.sample(pair[0]), g.sample(pair[1])
				if strings.Contains(fmt.Sprint(first, second), "LAW_SECRET") {
					return // TestUndoneUpdatesNameSecrets tries these
				}
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
				if len(p.Changes) != 1 || p.Changes[0].Action != plan.Update {
					seen.add("replaced", 1)
					return
				}
				for _, x := range p.Changes[0].ChangedFields {
					if x.Old == plan.Secret || x.Old == plan.NotReturned {
						return // what a secret goes with is not taken back whole
					}
				}
				w.run(p)
				w.settled(is.text(), plan.ModeSync)
				w.changesAreShown(p)
				if len(w.undo(p, "")) > 0 {
					seen.add("undone in part", 1)
					return
				}
				seen.add("undone whole", 1)
				w.settled(was.text(), plan.ModeSync)
			})
		}
	})
}
