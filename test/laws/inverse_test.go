package laws

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
)

// inverse makes the plan that undoes a carried out one.
func (w *world) inverse(p *plan.Plan) (*plan.Plan, execute.Input) {
	w.t.Helper()
	p, err := plan.Parse(w.bytes(p))
	if err != nil {
		w.t.Fatal(err)
	}
	p = p.Unfolded(w.cat.Types())
	in := w.execution(p)
	var made map[string]string
	if w.reports {
		made = w.made
	}
	traces, err := execute.Trace(context.Background(), in, made)
	if err != nil {
		w.t.Fatal(err)
	}
	if diags := derive.CheckAllowed(w.cat.Types(), p, replacedRefs(p)); len(diags) > 0 {
		w.t.Errorf("permissions that replaced once are refused: %v", diags)
	}
	back := derive.Inverse(derive.InverseInput{Types: w.cat.Types(), Undoer: propose.UndoerFor, Plan: p, Traces: traces, Generator: "laws", AllowReplace: replacedRefs(p)})
	w.whole(back)
	w.namesAreSaid(back, nil)
	w.idsAreSaid(back)
	return back, in
}

// whole: an inverse plan deletes what it replaces only together with what it makes in
// its place, and detaches only from what it deletes.
func (w *world) whole(back *plan.Plan) {
	w.t.Helper()
	has := func(action plan.Action, kind, ref, id string) bool {
		return slices.ContainsFunc(back.Changes, func(c *plan.Change) bool {
			return c.Action == action && c.ResourceType == kind && (ref == "" || c.ResourceRef == ref) && (id == "" || c.ResourceID == id)
		}) || slices.ContainsFunc(back.Blocked, func(b plan.Blocked) bool { return b.ResourceRef == ref || id != "" })
	}
	for _, c := range back.Changes {
		if c.Action == plan.Delete && c.Replace && !has(plan.Create, c.ResourceType, c.ResourceRef, "") {
			w.t.Errorf("%s is deleted, and nothing is made in its place", c.ResourceRef)
		}
		for _, d := range c.Detaches {
			if !has(plan.Delete, d.Type, "", d.ID) {
				w.t.Errorf("%s is detached from the %s %q, which stays", c.ResourceRef, d.Type, d.Ref)
			}
		}
	}
}

// undo makes the plan that undoes a carried out one, checks that it fits what
// is there, and carries it out. It returns what cannot be undone.
func (w *world) undo(p *plan.Plan, ignore string) (cannot []string) {
	w.t.Helper()
	back, in := w.inverse(p)
	w.said = nil
	for _, x := range back.Warnings {
		text := x.Message
		if w.partly && (strings.Contains(text, "exists again (id ") || strings.Contains(text, "was not deleted: it is there")) {
			continue
		}
		if c := back.Change(x.ChangeID); c != nil {
			text += ` ("` + c.ResourceRef + `")`
		}
		w.said = append(w.said, text)
		if x.ChangeID == "" && !strings.Contains(x.Message, `"`) {
			w.t.Errorf("%s: names no resource", x.Message)
		}
		if strings.HasPrefix(x.Message, "nothing to undo") {
			w.t.Errorf("%s", x.Message)
		}
		if strings.HasPrefix(x.Message, "Konnect also deletes its ") {
			continue // nothing of the plan stays undone for that
		}
		if ignore == "" || !strings.Contains(x.Message, ignore) {
			cannot = append(cannot, x.Message)
		}
	}
	var err error
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
	for id := range finding.Done {
		w.t.Errorf("%s undoes something, and counts as done before it is carried out", id)
	}
	w.replacesAreShown(in.Plan)
	made := w.made
	w.back = in.Plan
	w.run(back)
	w.made = made
	w.isUndone(p, cannot)
	if !back.Empty() { // of an inverse plan without changes there is nothing to verify
		w.verify(back, "")
	}
	return cannot
}

// isUndone fails unless a plan is undone, as another plan that undoes it sees it, with
// and without a report: it does nothing. It warns of nothing, either, unless the first
// one did, but of what may be there: it refers to what is gone, by which it is found.
func (w *world) isUndone(p *plan.Plan, cannot []string) {
	w.t.Helper()
	reports := w.reports
	defer func() { w.reports = reports }()
	for _, w.reports = range []bool{false, true} {
		again, _ := w.inverse(p)
		for _, c := range again.Changes {
			w.t.Errorf("undone, and undone again: %s %s %q %v", c.Action, c.ResourceType, c.ResourceRef, c.FieldChanges)
		}
		for _, b := range again.Blocked {
			w.t.Errorf("undone, and refused again: %s %s %q: %s", b.Action, b.ResourceType, b.ResourceRef, b.Message)
		}
		for _, x := range again.Warnings {
			told := strings.HasPrefix(x.Message, "nothing to undo: ") || strings.Contains(x.Message, "it cannot be found by its ")
			if !told && len(cannot) == 0 {
				w.t.Errorf("undone, and warned of again: %s", x.Message)
			}
		}
	}
}

// replacedRefs are all that a plan replaces.
func replacedRefs(p *plan.Plan) (out []string) {
	for _, c := range p.Changes {
		if c.Replace {
			out = append(out, c.ResourceRef)
		}
	}
	return out
}

// From here to there and back is here, unless the plan says what it cannot
// undo.
func TestUndoneIsAsBefore(t *testing.T) {
	var whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d undone whole, %d in part and told so", whole.Load(), told.Load())
		if whole.Load() == 0 {
			t.Error("nothing could be undone whole")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		s.w.keep = true
		s.samples()
		less := newScene(s.w, s.t)
		less.minimal(s.t)
		here, there := less.text(), s.text()
		s.w.run(s.w.plan(here, plan.ModeSync))
		for range 2 {
			p := s.w.plan(there, plan.ModeSync, refs(s, less)...)
			s.w.run(p)
			dangling := s.w.dangling(p)
			if cannot := append(s.w.undo(p, "plans never contain secrets"), dangling...); len(cannot) > 0 {
				told.Add(1)
				t.Logf("%s", cannot[0])
				s.w.run(s.w.plan(here, plan.ModeSync))
			} else {
				whole.Add(1)
				s.w.settled(here, plan.ModeSync)
			}
			s.w.run(s.w.plan(there, plan.ModeSync, refs(s, less)...))
			here, there = there, here
		}
	})
}

// dangling lists what is left and refers to what a plan deleted, by an id that
// nothing has any more: Konnect keeps it, and no plan leads it elsewhere.
func (w *world) dangling(p *plan.Plan) (out []string) {
	w.t.Helper()
	left := stored(w.t, w)
	for _, c := range p.Changes {
		if c.Action == plan.Delete && len(c.ResourceID) > 30 && strings.Contains(left, c.ResourceID) {
			out = append(out, "something refers to "+c.ResourceID+", which is gone")
		}
	}
	return out
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

// What was deleted with the roots it belonged to comes back, secrets aside.
func TestUndoneDeleteIsAsBefore(t *testing.T) {
	var whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d restored whole, %d in part and told so", whole.Load(), told.Load())
		if whole.Load() <= told.Load() {
			t.Error("too little was restored")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		s.w.keep = true
		s.samples()
		here := s.text()
		s.w.run(s.w.plan(here, plan.ModeSync))
		p := s.wipe()
		s.w.run(p)
		if cannot := s.w.undo(p, "plans never contain secrets"); len(cannot) > 0 {
			told.Add(1)
			onlySecretsAreLost(t, cannot)
			return
		}
		whole.Add(1)
		s.w.settled(here, plan.ModeSync)
	})
}

// onlySecretsAreLost fails unless secrets alone do not come back, and what refers to
// something that has one.
func onlySecretsAreLost(t *testing.T, cannot []string) {
	t.Helper()
	for _, text := range cannot {
		if !strings.Contains(text, "the plan does not hold its") && !strings.Contains(text, "the plan does not hold what the secret") && !strings.HasSuffix(text, " is gone") {
			t.Errorf("%s", text)
		}
	}
}

// A plan keeps as much as it may, and names the rest: in the plan, and when it is
// undone.
func TestWhatIsKeptHasALimit(t *testing.T) {
	w := newWorld(t)
	const head = "_defaults: {kongctl: {namespace: laws}}\n"
	w.run(w.plan(head+"portals: [{ref: p, name: p, pages: [{ref: big, slug: big, title: Big, content: '"+strings.Repeat("x", 20_000)+"'}, {ref: small, slug: small, title: Small, content: hi}]}]\n", plan.ModeSync))
	walk := w.loaded(head)
	w.build(walk)
	if err := walk.KeepUpTo(context.Background(), 10_000); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, x := range walk.Plan.Warnings {
		said = append(said, x.Message)
	}
	if got := strings.Join(said, "\n"); !strings.Contains(got, `portal page "big" (its 19 KiB are more than is left of the 9 KiB that a plan keeps)`) || strings.Contains(got, "small") {
		t.Errorf("warnings: %s", got)
	}
	w.run(walk.Plan)
	w.undo(walk.Plan, "")
	left := stored(t, w)
	if !strings.Contains(left, `"small"`) || strings.Contains(left, `"big"`) {
		t.Error("the small page did not come back, or the big one did")
	}
}
