package laws

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// replacements pair a declaration with one that has a feature more and takes the place of
// what the first one makes.
func (s *scene) replacements() (out []edited) {
	for _, f := range allFeatures(s.t) {
		if !s.t.Optional() || s.uncovered(f) != "" || len(out) == mostReplaced {
			continue
		}
		trial := s.copied()
		trial.n, trial.made, trial.above = s.n+1, s.made, s.above
		if s.t.Parent != nil && (!shares(s.t) || s.below == "") {
			trial.below = trial.parent(s.t)
		}
		e := edited{parent: trial.below, from: trial.sampled(s.t, trial.below, nil), plan: trial.sampled(s.t, trial.below, f)}
		trial.known(e.from, e.plan)
		if !diff.Compare(s.t, e.plan, e.from, diff.Merge).Replace() || !sameIdentity(s.t, e.from, e.plan) {
			continue
		}
		a, b := trial.copied(), trial.copied()
		a.add(s.t, e.from, e.parent)
		b.add(s.t, e.plan, e.parent)
		if s.w.try(a.text()).HasErrors() || s.w.try(b.text()).HasErrors() {
			continue
		}
		s.lists, s.n, s.below = trial.lists, trial.n, trial.below
		out = append(out, e)
	}
	return out
}

const mostReplaced = 24 // of one type

// A replace that adds a field, or changes or drops it, is undone: what was there is there
// again, with no more than it had, also where the same plan was carried out twice.
func TestUndoneReplaceOfFields(t *testing.T) {
	var replaced, whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d replaces, %d plans undone whole, %d in part and told so", replaced.Load(), whole.Load(), told.Load())
		if whole.Load() < 20 {
			t.Error("too little was undone whole")
		}
	})
	for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
		for _, way := range []string{"without report", "with report"} {
			t.Run(string(mode)+" "+way, func(t *testing.T) {
				eachType(t, func(t *testing.T, s *scene) {
					w := s.w
					all := s.replacements()
					if len(all) == 0 {
						return
					}
					w.keep, w.reports = true, way == "with report"
					from, to := s.holding(all, func(e edited) map[string]any { return e.from }), s.holding(all, func(e edited) map[string]any { return e.plan })
					here, there := from.text(), to.text()
					w.run(w.plan(here, plan.ModeSync))
					for range 2 {
						w.settled(here, plan.ModeSync)
						before := w.found()
						p := w.plan(there, mode, refs(from, to)...)
						w.undoesNothing(p)
						w.run(p)
						w.settled(there, mode)
						w.changesAreShown(p)
						replaced.Add(int64(len(replacedRefs(p)) / 2))
						if cannot := w.undo(p, "plans never contain secrets"); len(cannot) > 0 {
							told.Add(1)
							named(t, w.plan(here, plan.ModeSync), w.said)
						} else {
							whole.Add(1)
							w.settled(here, plan.ModeSync)
							w.changesAreShown(w.back)
							for ref, now := range w.found() {
								for _, at := range unlike(nil, before[ref], now) {
									x, _ := value.Get(before[ref], at)
									y, _ := value.Get(now, at)
									t.Errorf("%s was undone, and %s was %v and is %v", ref, at, x, y)
								}
							}
						}
						w.run(w.plan(there, plan.ModeSync, refs(from, to)...))
						here, there = there, here
					}
				})
			})
		}
	}
}

// idsAreSaid fails where a plan says that something has an id, and not which.
func (w *world) idsAreSaid(p *plan.Plan) {
	w.t.Helper()
	for _, x := range p.Warnings {
		if strings.Contains(x.Message, "(id )") {
			w.t.Errorf("%s", x.Message)
		}
	}
	for _, x := range p.Blocked {
		if strings.Contains(x.Message, "(id )") {
			w.t.Errorf("%s", x.Message)
		}
	}
}
