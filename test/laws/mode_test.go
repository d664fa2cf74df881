package laws

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// planAs makes a plan in a way that the law sets up.
func (w *world) planAs(text string, mode plan.Mode, set func(*engine.PlanRequest)) *plan.Plan {
	w.t.Helper()
	walk := w.loaded(text)
	walk.Request.Mode, walk.Request.Scope = mode, engine.Scope{}
	if set != nil {
		set(&walk.Request)
	}
	if diags := walk.Select(); len(diags) > 0 {
		w.t.Fatal(diags.Err())
	}
	w.build(walk)
	return walk.Plan
}

// Deleting what was made leaves nothing, in an order that Konnect accepts.
func TestDeleteOfAllEmptiesKonnect(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		empty := stored(t, s.w)
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		s.w.run(s.w.planAs(s.text(), plan.ModeDelete, nil))
		if now := stored(t, s.w); now != empty && !lasting(s.t) {
			t.Errorf("something is left:\n%s", now)
		}
		if p := s.w.planAs(s.text(), plan.ModeDelete, nil); !p.Empty() {
			t.Errorf("a second delete has %d changes", len(p.Changes))
		}
	})
}

// A type alone can be deleted, and nothing else goes but what belongs to it.
func TestIsolatedDelete(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		if !s.t.Optional() {
			return
		}
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		p := s.w.planAs(s.text(), plan.ModeDelete, func(r *engine.PlanRequest) { r.Scope.Filter.Isolate = []string{"type:" + s.t.Kind} })
		if p.Empty() {
			t.Fatal("nothing is deleted")
		}
		for _, c := range p.Changes {
			if c.ResourceType != s.t.Kind || c.Action != plan.Delete {
				t.Errorf("%s is not isolated", c.ID)
			}
		}
	})
}

// What is ignored by its type is there as it was after all else was deleted; a
// sync of nothing leaves ignored roots as they are, too.
func TestIgnoredTypeIsUntouched(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		before := storedOf(t, s.w, s.t.Kind)
		if before == "null" {
			t.Fatal("nothing was made")
		}
		ignore := func(r *engine.PlanRequest) {
			r.Scope = engine.Scope{AllowEmpty: []string{"*"}, Filter: engine.Filter{Ignore: []string{"type:" + s.t.Kind}}}
		}
		s.w.run(s.w.planAs(s.text(), plan.ModeDelete, ignore))
		if s.t.Parent == nil {
			s.w.run(s.w.planAs("_defaults: {kongctl: {namespace: laws}}\n", plan.ModeSync, ignore))
		}
		if after := storedOf(t, s.w, s.t.Kind); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}

// storedOf is what the embedded Konnect holds of a kind.
func storedOf(t *testing.T, w *world, kind string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(stored(t, w)), &all); err != nil {
		t.Fatal(err)
	}
	return string(value.Canonical(all[kind]))
}

// renames lists the fields of a type's identity that an update can change.
func renames(t *catalog.Bound) []string {
	return slices.DeleteFunc(slices.Clone(t.Identity), func(f string) bool {
		_, refers := t.Reference(value.ParsePath(f))
		return refers || t.Immutable(value.ParsePath(f))
	})
}

// A rename is one update, after which nothing is left to do: of whatever an update can
// change of what a resource is known by.
func TestRenameIsOneUpdate(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 5 {
			t.Errorf("%d types were tried", tried.Load())
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		fields := renames(s.t)
		if len(fields) > 1 {
			t.Fatalf("%v can change: no move says which of them is meant", fields)
		}
		for _, field := range fields {
			if s.rename(field) {
				tried.Add(1)
			}
		}
	})
}

// rename gives a resource of the type another name in both modes, and reports whether
// it has one that fits.
func (s *scene) rename(field string) bool {
	t := s.w.t
	ref := s.sampleOf(nil)
	before := s.text()
	set, _ := s.w.load(before)
	i := slices.IndexFunc(set.Resources, func(r *resource.Resource) bool { return r.Ref == ref })
	old, _ := set.Resources[i].Fields.Lookup(value.ParsePath(field)).Text()
	if old == "" || strings.Contains(old, "\n") {
		return false
	}
	for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
		s.w.run(s.w.plan(before, plan.ModeSync))
		name := old + "-too"
		if !strings.Contains(old, "-") {
			name = old + "_too"
		}
		after := strings.ReplaceAll(before, fmt.Sprintf("%q", old), fmt.Sprintf("%q", name)) +
			fmt.Sprintf("moved: [{type: %s, from: %q, to: %s}]\n", s.t.Kind, old, ref)
		p := s.w.plan(after, mode)
		if len(p.Changes) != 1 || p.Changes[0].Action != plan.Update || p.Changes[0].ChangedFields[field].New != name {
			t.Fatalf("%s: not one update of %s: %s", mode, field, s.w.bytes(p))
		}
		s.w.run(p)
		s.w.settled(after, mode)
		if !s.marked() {
			s.w.run(s.w.planAs(after, plan.ModeDelete, nil))
		}
		s.w.run(s.w.plan(nothing, plan.ModeSync))
	}
	return true
}

// Adopting writes labels and nothing else, and gives the resource to its
// namespace.
func TestAdoptWritesLabelsAlone(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		if !s.t.HasLabels() {
			return
		}
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		theirs := strings.Replace(s.text(), "namespace: laws", "namespace: theirs", 1)
		seize := func(r *engine.PlanRequest) { r.Adopt.Overwrite = true }
		p := s.w.planAs(theirs, plan.ModeAdopt, seize)
		if p.Empty() {
			t.Fatal("nothing is adopted")
		}
		for _, c := range p.Changes {
			if c.Fields["labels"] == nil || c.Action != plan.Update {
				t.Errorf("%s writes %v", c.ID, c.Fields)
			}
			for k, v := range c.Fields {
				if k != "labels" && (!s.t.Puts() || !value.Equal(v, c.CurrentState[k])) {
					t.Errorf("%s writes %s", c.ID, k)
				}
			}
		}
		s.w.run(p)
		if again := s.w.planAs(theirs, plan.ModeAdopt, seize); !again.Empty() {
			t.Errorf("a second adopting has %d changes", len(again.Changes))
		}
		s.w.settled(theirs, plan.ModeApply)
		s.w.settled(theirs, plan.ModeSync)
	})
}
