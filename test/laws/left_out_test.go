package laws

import (
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A resource that lacks one of the fields it is found by is refused, or it is found
// again: the second plan is empty.
func TestIdentityLeftOut(t *testing.T) {
	var refused, found atomic.Int64
	afterAll(t, func() {
		t.Logf("%d refused, %d found again", refused.Load(), found.Load())
		if refused.Load() < 20 {
			t.Error("too few were refused")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if s.t.Shape == catalog.Singleton {
			return
		}
		for _, id := range s.t.Identity {
			p := value.ParsePath(id)
			w := newWorld(t)
			trial := newScene(w, w.cat.Kind(s.t.Kind))
			parent := trial.parent(trial.t)
			fields := trial.sampled(trial.t, parent, nil)
			above, ok := value.Get(fields, p[:len(p)-1])
			in, isMap := above.(map[string]any)
			if !ok || !isMap || in[p[len(p)-1]] == nil {
				continue
			}
			delete(in, p[len(p)-1])
			trial.add(trial.t, fields, parent)
			text := trial.text()
			if w.try(text).HasErrors() {
				refused.Add(1)
				continue
			}
			found.Add(1)
			w.run(w.plan(text, plan.ModeSync))
			w.settled(text, plan.ModeSync)
			w.settled(text, plan.ModeApply)
		}
	})
}
