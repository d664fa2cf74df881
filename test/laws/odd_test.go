package laws

import (
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// odd are texts with characters that a ref cannot have, the oddest first.
var odd = []string{"~a/b c:d#e%41 \"f\" ü", "a/b:c", "/a/b", "a b", "a/b", "a:b", "a@b"}

// What is identified by a text with characters that a ref cannot have comes back from
// every export, by names and by ids alike.
func TestOddIdentityComesBack(t *testing.T) {
	var types atomic.Int64
	afterAll(t, func() {
		if types.Load() < 20 {
			t.Errorf("%d types were tried", types.Load())
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, p := range identityTexts(s.t) {
			for _, text := range odd {
				trial := newScene(s.w, s.t)
				parent := trial.parent(s.t)
				trial.n++
				fields := trial.sampled(s.t, parent, nil)
				value.Set(fields, p, text)
				trial.add(s.t, fields, parent)
				if s.w.try(trial.text()).HasErrors() {
					continue
				}
				types.Add(1)
				s.w.run(s.w.plan(trial.text(), plan.ModeSync))
				s.w.settled(trial.text(), plan.ModeSync)
				for _, o := range []export.WriteOptions{{}, {ByID: true}} {
					out := exported(t, s.w, o)
					loadsQuietly(t, s.w, out)
					s.w.settled(out, plan.ModeSync)
				}
				break
			}
		}
	})
}
