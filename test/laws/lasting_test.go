package laws

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Settings that cannot be deleted are named by a delete that leaves them, and not by
// one that deletes what they belong to.
func TestDeleteNamesWhatLasts(t *testing.T) {
	t.Parallel()
	for _, typ := range testkit.Catalog(t).All() {
		if typ.ReadOnly || typ.Optional() {
			continue
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := newScene(w, typ)
			s.minimal(typ)
			w.run(w.plan(s.text(), plan.ModeApply))
			named := func(p *plan.Plan) int {
				n := 0
				for _, x := range p.Warnings {
					if strings.HasPrefix(x.Message, "cannot delete the "+catalog.Words(typ.Kind)+" ") {
						n++
					}
				}
				return n
			}
			whole := w.plan(s.text(), plan.ModeDelete)
			alone := w.planAs(s.text(), plan.ModeDelete, func(r *engine.PlanRequest) { r.Scope.Filter.Isolate = []string{"type:" + typ.Kind} })
			switch {
			case typ.Parent == nil && named(whole) != 1:
				t.Errorf("named %d times, want once: %v", named(whole), whole.Warnings)
			case typ.Parent != nil && named(whole) != 0:
				t.Errorf("named although it goes with its parent: %v", whole.Warnings)
			case named(alone) != 1 || len(alone.Changes) > 0:
				t.Errorf("alone, named %d times, want once: %v", named(alone), alone.Warnings)
			}
		})
	}
}
