package laws

import (
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
)

// A resource without a name, where the contract does not ask for one, comes back
// without one: an export says name: null, because a ref stands for a name that is left
// out.
func TestUnnamedComesBack(t *testing.T) {
	var types atomic.Int64
	afterAll(t, func() {
		if types.Load() == 0 {
			t.Error("every type has a name: the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if !catalog.MayLackName(s.t) {
			return
		}
		types.Add(1)
		ref := s.minimalWith(s.t, map[string]any{"name": nil})
		text := s.text()
		p := s.w.plan(text, plan.ModeSync)
		for _, c := range p.Changes {
			if c.ResourceRef == ref && c.Fields["name"] != nil {
				t.Errorf("name: null is sent as %v", c.Fields["name"])
			}
		}
		s.w.run(p)
		s.w.settled(text, plan.ModeSync)
		for _, o := range []export.WriteOptions{{}, {SkipDefaults: true}, {ByID: true}} {
			text := exported(t, s.w, o)
			loadsQuietly(t, s.w, text)
			s.w.settled(text, plan.ModeSync)
		}
	})
}
