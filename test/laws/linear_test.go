package laws

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A plan of three resources more looks at as many objects more as one of three resources
// less did, and asks as often for them: no resource looks at all others. The same holds
// where a filter leaves one of them, or all of the type, or all but one alone, and where
// none of them is declared, or others are.
func TestPlansAreLinear(t *testing.T) {
	t.Parallel()
	const step = 3
	for _, typ := range writable(newWorld(t).cat) {
		if typ.Parent == nil && typ.Shape == catalog.Singleton {
			continue // the organization has one
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := newScene(w, typ)
			seen := map[string][]int{}
			for n := range 3 {
				for range step {
					s.sampleOf(nil)
				}
				w.run(w.plan(s.text(), plan.ModeSync))
				w.count(s, (n+1)*step, seen)
			}
			for _, name := range slices.Sorted(maps.Keys(seen)) {
				testkit.Linear(t, name, seen[name])
			}
		})
	}
}

// count makes plans of the resources of a scene, of which there are n, and of none and
// others in their place, and notes what each looks at.
func (w *world) count(s *scene, n int, seen map[string][]int) {
	w.t.Helper()
	none, others := s.copied(), s.copied()
	none.emptied()
	others.n = 100 + s.n
	delete(others.lists, s.t.Root())
	for range n {
		others.sampleOf(nil)
	}
	for _, way := range []struct {
		name, text string
		mode       plan.Mode
	}{{"sync", s.text(), plan.ModeSync}, {"delete", s.text(), plan.ModeDelete}, {"sync of none", none.text(), plan.ModeSync}, {"sync of others", others.text(), plan.ModeSync}} {
		if w.try(way.text).HasErrors() {
			continue
		}
		first := w.loaded(s.text()).Set.Of(s.t.Neutral())[0].Ref
		for name, filter := range map[string]engine.Filter{
			"": {}, ", one left out": {Ignore: []string{first}}, ", all left out": {Ignore: []string{"type:" + s.t.Kind}}, ", one alone": {Isolate: []string{first}},
		} {
			walk := w.loaded(way.text)
			walk.Request.Mode, walk.Request.Scope.Filter = way.mode, filter
			if diags := walk.Select(); diags.HasErrors() {
				w.t.Fatal(diags)
			}
			if _, err := walk.Read(context.Background()); err != nil {
				w.t.Fatal(err)
			}
			state := &testkit.Counted{State: walk.State}
			walk.State = state
			if _, err := walk.Build(context.Background()); err != nil {
				w.t.Fatal(err)
			}
			for what, n := range map[string]int{" looks at objects": state.Seen, " asks": state.Asked} {
				seen[way.name+name+what] = append(seen[way.name+name+what], n)
			}
		}
	}
}
