package laws

import (
	"context"
	"strings"
	"testing"

	"kongctl/internal/plan/derive"

	"kongctl/internal/execute"
	"kongctl/internal/konnect/propose"
	"kongctl/internal/plan"
)

// undo makes the plan that undoes a carried out one, checks that it fits what
// is there, and carries it out. It returns what cannot be undone.
func (w *world) undo(p *plan.Plan, ignore string) (cannot []string) {
	w.t.Helper()
	p, err := plan.Parse(w.bytes(p))
	if err != nil {
		w.t.Fatal(err)
	}
	in := w.execution(p)
	traces, err := execute.Trace(context.Background(), in, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	back := derive.Inverse(derive.InverseInput{Types: w.cat.Types(), Undoer: propose.UndoerFor, Plan: p, Traces: traces, Generator: "laws"})
	for _, x := range back.Warnings {
		if strings.HasPrefix(x.Message, "nothing to undo") {
			w.t.Errorf("%s", x.Message)
		}
		if ignore == "" || !strings.Contains(x.Message, ignore) {
			cannot = append(cannot, x.Message)
		}
	}
	if in.Plan, err = plan.Parse(w.bytes(back)); err != nil {
		w.t.Fatal(err)
	}
	finding, err := execute.Check(context.Background(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range finding.Moved {
		w.t.Errorf("%s: %s %v", m.Change.ID, m.Why, m.Fields)
	}
	w.run(back)
	return cannot
}

// From here to there and back is here, unless the plan says what it cannot
// undo.
func TestUndoneIsAsBefore(t *testing.T) {
	whole, told := 0, 0
	eachType(t, func(t *testing.T, s *scene) {
		s.samples()
		less := newScene(s.w, s.t)
		less.minimal(s.t)
		here, there := less.text(), s.text()
		s.w.run(s.w.plan(here, plan.ModeSync))
		for range 2 {
			p := s.w.plan(there, plan.ModeSync, refs(s, less)...)
			s.w.run(p)
			// In the scenes of a root, nothing belongs to it.
			ignore := ""
			if s.t.Parent == nil {
				ignore = "what belonged to it"
			}
			if cannot := s.w.undo(p, ignore); len(cannot) > 0 {
				told++
				t.Logf("%s", cannot[0])
				s.w.run(s.w.plan(here, plan.ModeSync))
			} else {
				whole++
				s.w.settled(here, plan.ModeSync)
			}
			s.w.run(s.w.plan(there, plan.ModeSync, refs(s, less)...))
			here, there = there, here
		}
	})
	t.Logf("%d undone whole, %d in part and told so", whole, told)
	if whole == 0 {
		t.Error("nothing could be undone whole")
	}
}

// refs are all resources, so that any may be replaced.
func refs(scenes ...*scene) []string {
	var out []string
	for _, s := range scenes {
		set, _ := s.w.load(s.text())
		for _, r := range set.Resources {
			out = append(out, r.Ref)
		}
	}
	return out
}
