package laws

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/plan"
)

// namelessName is a name that is empty, in a sentence; idAsName is one that is an id.
// refKey is the last key of a sample.
var (
	namelessName = pattern.New(`[a-z] ""`)
	refKey       = pattern.New(`, "ref": "[^"]*"`)
	idAsName     = pattern.New(`[a-z] "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}"`)
)

// namesAreSaid fails where a message of a plan names something by nothing.
func (w *world) namesAreSaid(p *plan.Plan, diags diag.List) (messages []string) {
	w.t.Helper()
	for _, x := range diags {
		messages = append(messages, x.Detail, x.Fix)
	}
	if p != nil {
		for _, x := range p.Warnings {
			messages = append(messages, x.Message)
		}
		for _, x := range p.Blocked {
			messages = append(messages, x.Message)
		}
	}
	for _, text := range messages {
		if namelessName.MatchString(text) {
			w.t.Errorf("names something by nothing: %s", text)
		}
	}
	return messages
}

// Sentences about what exists once have no name for it in quotes, also when it is undone
// twice.
func TestWhatExistsOnceIsSaid(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if _, kinds := tried.sum(); kinds < 10 {
			t.Error("too little was tried")
		}
	})
	eachType(t, func(_ *testing.T, s *scene) {
		if s.t.Shape != catalog.Singleton {
			return
		}
		w := s.w
		w.keep = true
		for _, f := range spread(features(s.t), 3) {
			if s.uncovered(f) != "" {
				continue
			}
			s.sampleOf(f)
			text := s.text()
			if s.t.Parent == nil {
				text = refKey.ReplaceAllString(text, "") // its place is its name
			}
			p := w.plan(text, plan.ModeSync)
			w.namesAreSaid(p, nil)
			w.run(p)
			for range 2 {
				back, _ := w.inverse(p)
				tried.add(s.t.Kind, len(back.Warnings))
				w.namesAreSaid(back, nil)
				w.run(back)
			}
		}
		gone, diags := w.tryMode(s.text(), plan.ModeDelete)
		w.namesAreSaid(gone, diags)
	})
}

// What is not declared any more has its name in all that a plan says about it, and not
// its id, also when what it refers to is not declared, either.
func TestNameIsSaid(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if all, kinds := tried.sum(); all < 100 || kinds < 30 {
			t.Error("too little was tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		s.sampleOf(nil)
		w.run(w.plan(s.text(), plan.ModeSync))
		all := maps.Clone(s.lists)
		drop := [][]string{{s.t.Root()}}
		for _, ref := range s.t.References {
			if to := w.cat.Kind(ref.Kind); to != nil && len(all[to.Root()]) > 0 {
				drop = append(drop, []string{s.t.Root(), to.Root()})
			}
		}
		for _, roots := range drop {
			for _, refs := range []bool{false, true} {
				s.lists = maps.Clone(all)
				for _, root := range roots {
					delete(s.lists, root)
				}
				walk, diags := w.walk(s.text())
				if diags.HasErrors() {
					continue
				}
				if refs {
					walk.Request.Scope.Filter.Ignore = []string{"type:" + s.t.Kind}
				}
				tried.add(s.t.Kind, 1)
				for _, text := range w.namesAreSaid(w.outcome(walk)) {
					if idAsName.MatchString(text) && !strings.Contains(text, bareID) { // of which nobody knows the name
						t.Errorf("has an id for a name: %s", text)
					}
				}
			}
		}
	})
}

// outcome reads what exists and makes the plan, which may be refused.
func (w *world) outcome(walk *engine.Walk) (*plan.Plan, diag.List) {
	w.t.Helper()
	if diags := walk.Select(); diags.HasErrors() {
		return nil, diags
	}
	diags, err := walk.Read(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	more, err := walk.Build(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return walk.Plan, append(diags, more...)
}
