package laws

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
)

// A run that is continued needs no secret of what it has done, neither of creates nor
// of updates: all of it is found without one.
func TestResumeNeedsNoSecretOfWhatIsDone(t *testing.T) {
	var creates, updates atomic.Int64
	afterAll(t, func() {
		t.Logf("%d creates and %d updates with secrets", creates.Load(), updates.Load())
		if creates.Load() == 0 || updates.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	eachType(t, func(_ *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			s.sampleOf(f)
		}
		if len(s.lists) == 0 {
			return
		}
		w := s.w
		w.resumed(w.plan(s.text(), plan.ModeSync), &creates, &updates)
		w.resumed(w.planAs(s.text(), plan.ModeSync, func(r *engine.PlanRequest) { r.Scope.WriteSecrets = []string{"*"} }), &creates, &updates)
	})
}

// resumed carries a plan out and continues the run where no secret can be had: nothing
// is left of it.
func (w *world) resumed(p *plan.Plan, creates, updates *atomic.Int64) {
	w.t.Helper()
	raw := w.bytes(p)
	p, err := plan.Parse(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	j, err := execute.NewJournal(w.folder(), raw, source.Folders{Dir: "/"}, time.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	in := w.execution(p)
	in.Begin, in.Record = j.Begin, j.Record
	report, err := execute.Run(context.Background(), in, nil)
	if err = errors.Join(err, j.Close(false)); err != nil || report.Succeeded != report.Total {
		w.t.Fatalf("%+v, %v", report, err)
	}
	again := w.execution(p)
	if again.Unfinished, err = execute.ReadJournal(j.Name()); err != nil {
		w.t.Fatal(err)
	}
	again.Env = func(name string) (string, bool) {
		v, set := w.env(name)
		return v, set && !strings.HasPrefix(name, "LAW_SECRET")
	}
	found, err := execute.Check(context.Background(), again)
	if err != nil {
		w.t.Fatalf("a run that is done asks for more: %v", err)
	}
	for _, c := range p.Changes {
		if len(c.SecretWrites) > 0 && c.Action == plan.Create {
			creates.Add(1)
		}
		if len(c.SecretWrites) > 0 && c.Action == plan.Update {
			updates.Add(1)
		}
		if found.Done[c.ID] == nil {
			w.t.Errorf("%s is done, and not found so: %+v", c.ID, found.Moved)
		}
	}
	before := len(w.wire.writes)
	again.Done = found.Done
	if report, err = execute.Run(context.Background(), again, nil); err != nil || report.Succeeded != report.Total {
		w.t.Errorf("%+v, %v", report, err)
	}
	if sent := w.wire.writes[before:]; len(sent) > 0 {
		w.t.Errorf("what is done is sent again: %v", sent)
	}
}
