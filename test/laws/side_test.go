package laws

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// sided declares two resources of a type, with these fields.
func sided(w *world, t *catalog.Bound, side catalog.Side, first, second map[string]any) string {
	s := newScene(w, t)
	owner := s.parent(t)
	s.minimalBelow(side.Type.Parent, owner)
	s.addMinimal(t, owner, first)
	s.addMinimal(t, owner, second)
	return s.text()
}

// What is written beside a resource and is not any more goes, also while another
// one says nothing: what stands beside that one stays.
func TestSidesArePrunedInPart(t *testing.T) {
	t.Parallel()
	cat := testkit.Catalog(t)
	for _, typ := range cat.All() {
		for _, side := range cat.Sides(typ) {
			t.Run(typ.Kind+"."+side.Key, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				says := func(values ...any) map[string]any { return map[string]any{side.Key: append([]any{}, values...)} }
				w.run(w.plan(sided(w, typ, side, says("ours", "theirs"), says("others")), plan.ModeApply))
				less := sided(w, typ, side, says("ours"), nil)
				for _, row := range []struct {
					prune string
					want  []string
				}{
					{resource.PruneNone, nil},
					{resource.PruneDeclared, []string{"theirs"}},
					{resource.PruneFull, []string{"theirs"}},
				} {
					walk := w.loaded(less)
					walk.Request.Prune = row.prune
					w.build(walk)
					var got []string
					for _, c := range walk.Plan.Changes {
						if c.Action == plan.Delete {
							got = append(got, c.CurrentState[side.Item].(string))
						}
					}
					if diff := cmp.Diff(row.want, got); diff != "" || len(got) != len(walk.Plan.Changes) {
						t.Errorf("%s: %d changes, deletes (-want +got):\n%s", row.prune, len(walk.Plan.Changes), diff)
					}
				}
				w.run(w.plan(less, plan.ModeSync))
				w.settled(less, plan.ModeSync)
				// A key with nothing after it says as little as no key.
				w.settled(sided(w, typ, side, says("ours"), map[string]any{side.Key: nil}), plan.ModeSync)
				if p := w.plan(sided(w, typ, side, says(), says()), plan.ModeSync); len(p.Changes) != 2 {
					t.Errorf("of two that say that there is nothing, %d are deleted, want 2", len(p.Changes))
				}
				flat := sided(w, typ, side, nil, nil) + typ.Kind + "_" + side.Key + ": []\n"
				if p := w.plan(flat, plan.ModeSync); len(p.Changes) != 2 {
					t.Errorf("of an empty list at the root, %d are deleted, want 2", len(p.Changes))
				}
				other := sided(w, typ, side, nil, nil) + "---\n_defaults: {kongctl: {namespace: other}}\n" + typ.Kind + "_" + side.Key + ": []\n"
				w.settled(other, plan.ModeSync)
			})
		}
	}
}
