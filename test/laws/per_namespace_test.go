package laws

import (
	"context"
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// shared declares resources of one identity in several namespaces.
type shared struct {
	w *world
	t *catalog.Bound
}

func eachPerNamespace(t *testing.T, law func(t *testing.T, s shared)) {
	t.Parallel()
	tried := 0
	for _, typ := range writable(newWorld(t).cat) {
		if !typ.PerNamespace {
			continue
		}
		tried++
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			law(t, shared{w, w.cat.Kind(typ.Kind)})
		})
	}
	if tried == 0 {
		t.Error("no type may have one of an identity in each namespace")
	}
}

func (s shared) sample(n int) map[string]any {
	fields := sampler{t: s.t, n: n, refs: newScene(s.w, s.t).reference}.sample(nil)
	for _, f := range s.t.Identity {
		value.Set(fields, value.ParsePath(f), "One Name")
	}
	return fields
}

// text declares one resource in each namespace.
func (s shared) text(namespaces ...string) string {
	scene := newScene(s.w, s.t)
	for i, ns := range namespaces {
		fields := s.sample(i + 1)
		fields["kongctl"] = map[string]any{"namespace": ns}
		scene.add(s.t, fields, "")
	}
	return scene.text()
}

// ids are those of what exists, by namespace.
func (s shared) ids() map[string][]string {
	s.w.t.Helper()
	objects, err := s.w.target.List(context.Background(), remote.Scope{Type: s.t})
	if err != nil {
		s.w.t.Fatal(err)
	}
	out := map[string][]string{}
	for _, o := range objects {
		ns := catalog.Labels(o)[label.Namespace]
		out[ns] = append(out[ns], o.ID)
	}
	return out
}

// only fails unless a plan has one change.
func (s shared) only(p *plan.Plan, action plan.Action, namespace, id string) {
	s.w.t.Helper()
	if len(p.Changes) != 1 || p.Changes[0].Action != action || p.Changes[0].Namespace != namespace || p.Changes[0].ResourceID != id {
		s.w.t.Fatalf("the plan is not to %s %q in %s: %v", action, id, namespace, p.ExecutionOrder)
	}
}

// Where each namespace may have one of an identity, they are as many resources: neither is
// taken for the other one, nor in its way.
func TestOneInEachNamespace(t *testing.T) {
	eachPerNamespace(t, func(t *testing.T, s shared) {
		w, a, b, both := s.w, s.text("a"), s.text("b"), s.text("a", "b")
		saved := w.bytes(w.plan(s.text("c"), plan.ModeSync)) // before the others come
		w.run(w.plan(a, plan.ModeSync))
		id := s.ids()["a"][0]
		for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
			s.only(w.plan(b, mode), plan.Create, "b", "")
		}
		p := w.plan(b, plan.ModeSync)
		w.run(p)
		w.undo(p, "")
		w.run(w.plan(both, plan.ModeSync))
		for _, text := range []string{a, b, both} {
			w.settled(text, plan.ModeApply)
		}
		w.settled(both, plan.ModeSync)
		if found, _ := w.judged(t, saved); len(found.Moved) > 0 || len(found.Done) > 0 {
			t.Errorf("a saved plan takes another namespace's for its own: %v %v", found.Moved, found.Done)
		}
		ids := s.ids()
		if len(ids["a"]) != 1 || len(ids["b"]) != 1 || ids["a"][0] != id {
			t.Fatalf("there are %v", ids)
		}
		back := exported(t, w, export.WriteOptions{})
		loadsQuietly(t, w, back)
		w.settled(back, plan.ModeSync)
		p = w.planAs(b, plan.ModeDelete, nil)
		s.only(p, plan.Delete, "b", ids["b"][0])
		w.run(p)
		w.settled(a, plan.ModeSync)
		w.undo(p, "")
		w.settled(both, plan.ModeApply)
		if ids := s.ids(); len(ids["a"]) != 1 || ids["a"][0] != id || len(ids["b"]) != 1 {
			t.Errorf("there are %v", ids)
		}
		p = w.planAs(both, plan.ModeDelete, nil)
		w.run(p)
		if ids := s.ids(); len(ids) > 0 {
			t.Errorf("a delete leaves %v", ids)
		}
		w.undo(p, "")
		w.settled(both, plan.ModeApply)
	})
}

// Within a namespace there is one of an identity, and what belongs to nobody is in the way.
func TestOneOfANamespace(t *testing.T) {
	eachPerNamespace(t, func(t *testing.T, s shared) {
		w := s.w
		if d := w.try(s.text("a", "a")); !has(d, diag.CfgDuplicate) {
			t.Errorf("one declared twice is not refused: %v", d)
		}
		w.run(w.plan(s.text("a"), plan.ModeSync))
		if _, err := w.target.Create(context.Background(), remote.Scope{Type: s.t}, "", remote.Write{Fields: s.sample(9)}); err != nil {
			t.Fatal(err)
		}
		w.settled(s.text("a"), plan.ModeApply)
		for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
			if _, d := w.tryPlanAs(s.text("b"), mode); !has(d, diag.LiveUnmanaged) {
				t.Errorf("one is planned beside what belongs to nobody: %v", d)
			}
		}
	})
}

func has(all diag.List, code diag.Code) bool {
	return slices.ContainsFunc(all, func(d diag.Diagnostic) bool { return d.Code == code })
}
