package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Optional fields that an update added go again when it is undone; what cannot be
// unset is what sync says it cannot unset.
func TestAddedFieldsAreUndone(t *testing.T) {
	var whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d undone whole, %d in part and told so", whole.Load(), told.Load())
		if whole.Load() <= told.Load() {
			t.Error("too little was undone")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		w := newWorld(t)
		typ = w.cat.Kind(typ.Kind)
		if typ.Update == nil {
			return
		}
		was := newScene(w, typ)
		if typ.Parent != nil {
			was.below = was.parent(typ)
		}
		g := sampler{t: typ, n: 1, refs: was.reference}
		full := g.everything(0)
		least := g.least(typ.Write(), full, nil)
		maps.DeleteFunc(full, func(k string, _ any) bool {
			_, needed := least[k]
			return !needed && typ.Immutable(value.Path{k})
		})
		is := &scene{w: w, t: typ, lists: map[string][]string{}, below: was.below}
		for key, items := range was.lists {
			is.lists[key] = slices.Clone(items)
		}
		was.add(typ, least, was.below)
		is.add(typ, full, is.below)
		here := was.text()
		if w.try(here).HasErrors() || w.try(is.text()).HasErrors() {
			return
		}
		w.run(w.plan(here, plan.ModeSync))
		p := w.plan(is.text(), plan.ModeSync)
		if len(p.Changes) != 1 || p.Changes[0].Action != plan.Update {
			return
		}
		w.run(p)
		cannot := slices.DeleteFunc(w.undo(p, "plans never contain secrets"), func(said string) bool {
			return strings.Contains(said, "the plan does not hold what the secret")
		})
		if len(cannot) > 0 {
			told.Add(1)
			w.staysInSync(cannot, here)
			return
		}
		whole.Add(1)
		w.settled(here, plan.ModeSync)
	})
}

// staysInSync checks that what an inverse plan says it cannot unset is what sync says
// it cannot, and that nothing else is left.
func (w *world) staysInSync(cannot []string, text string) {
	w.t.Helper()
	p := w.plan(text, plan.ModeSync)
	for _, said := range cannot {
		what, unset := strings.CutSuffix(said, " was not set before, and cannot be unset")
		field := what[strings.LastIndex(what, ": ")+2:]
		if !unset || !slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool { return strings.Contains(x.Message, field+" keeps ") }) {
			w.t.Errorf("%s: sync does not say so", said)
		}
	}
	w.settled(text, plan.ModeSync)
}
