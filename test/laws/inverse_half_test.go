package laws

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// Where a plan that undoes another one was carried out in part, the next one does the
// rest: what was deleted comes back as if the first had been carried out whole.
func TestHalfUndoneIsUndone(t *testing.T) {
	var whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d restored whole, %d in part and told so", whole.Load(), told.Load())
		if whole.Load() <= told.Load() {
			t.Error("too little was restored")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		w.keep = true
		s.samples()
		here := s.text()
		w.run(w.plan(here, plan.ModeSync))
		p := s.wipe()
		w.run(p)
		back, _ := w.inverse(p)
		w.runsHalf(back)
		w.partly = true
		if cannot := w.undo(p, "plans never contain secrets"); len(cannot) > 0 {
			told.Add(1)
			onlySecretsAreLost(t, cannot)
			return
		}
		whole.Add(1)
		w.settled(here, plan.ModeSync)
	})
}

// runsHalf carries a plan out until half of its changes are sent; the rest is refused.
func (w *world) runsHalf(p *plan.Plan) {
	w.t.Helper()
	p, err := plan.Parse(w.bytes(p))
	if err != nil {
		w.t.Fatal(err)
	}
	in := w.execution(p)
	in.Concurrency = 1
	var sent atomic.Int64
	w.wire.deny = func(r *http.Request) bool {
		return r.Method != http.MethodGet && sent.Add(1) > int64(len(p.Changes)/2)
	}
	defer func() { w.wire.deny = nil }()
	if _, err := execute.Run(context.Background(), in, nil); err != nil {
		w.t.Fatal(err)
	}
}
