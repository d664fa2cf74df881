package laws

import (
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// A resource that is replaced for another form of it, with secrets or without, has its
// former form once that is undone, and the plan that undoes it again has nothing to do.
func TestUndoneFormIsUndone(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if tried.of("with secrets") == 0 || tried.of("without") == 0 {
			t.Error("too little was tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		pairs := append(variants(s.t), branches(s.t)...)
		for _, pair := range spread(pairs, 6) {
			for _, way := range [][2]feature{pair, {pair[1], pair[0]}} {
				w := newWorld(t)
				w.keep = true
				here, _, ok := one(w, s.t, way[0])
				there, ref, also := one(w, s.t, way[1])
				if !ok || !also {
					continue
				}
				w.run(w.plan(here, plan.ModeSync))
				p := w.plan(there, plan.ModeSync, ref)
				if !replaces(p) {
					continue
				}
				w.run(p)
				if cannot := w.undo(p, "plans never contain secrets"); len(cannot) > 0 {
					tried.add("told", 1)
					t.Log(w.said)
					continue
				}
				secrets := "without"
				for _, c := range p.Changes {
					if len(c.SecretWrites) > 0 {
						secrets = "with secrets"
					}
				}
				tried.add(secrets, 1)
			}
		}
	})
}
