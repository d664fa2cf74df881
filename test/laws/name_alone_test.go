package laws

import (
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Of roots that carry no mark an item with nothing but its identity names the one that
// exists: nothing of it is reset, and a delete leaves it.
func TestNameAloneChangesNothing(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, typ := range writable(testkit.Catalog(t)) {
		if !catalog.Nameable(typ) {
			continue
		}
		tried++
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := newScene(w, typ)
			s.samples()
			w.run(w.plan(s.text(), plan.ModeSync))
			bare := newScene(w, typ)
			for _, r := range w.set.Of(typ.Neutral()) {
				named := map[string]any{}
				for _, f := range typ.Identity {
					named[f] = r.Fields.Field(f).Plain(nil)
				}
				bare.add(typ, named, "")
			}
			before := storedOf(t, w, typ.Kind)
			for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply, plan.ModeDelete} {
				p := w.planAs(bare.text(), mode, nil)
				for _, c := range p.Changes {
					t.Errorf("%s: %s", mode, c.ID)
				}
				w.run(p)
			}
			if after := storedOf(t, w, typ.Kind); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
	if tried < 3 {
		t.Errorf("%d types were tried", tried)
	}
}
