package laws

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A field that is required and may be null gets a value and loses it again, while the
// others of its kind are null, and so does the form that the mapping above it has: the
// plan shows each of them, and each is undone whole.
func TestRequiredNullsAreUndone(t *testing.T) {
	var undone atomic.Int64
	afterAll(t, func() {
		t.Logf("%d updates were undone", undone.Load())
		if undone.Load() < 16 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		if typ.Update == nil || len(nullMoves(sampler{t: typ, refs: func(string) any { return "" }})) == 0 {
			return // before a world is made
		}
		w := newWorld(t)
		typ = w.cat.Kind(typ.Kind)
		was := newScene(w, typ)
		if typ.Parent != nil {
			was.below = was.parent(typ)
		}
		g := sampler{t: typ, n: 1, refs: was.reference}
		for _, m := range nullMoves(g) {
			here, there := was.with(m.from), was.with(m.to)
			if w.try(here).HasErrors() || w.try(there).HasErrors() {
				continue
			}
			w.run(w.plan(here, plan.ModeSync))
			for range 2 {
				p := w.plan(there, plan.ModeSync)
				if len(p.Changes) != 1 || p.Changes[0].Action != plan.Update {
					t.Fatalf("%s: %d changes, and not one update", m.name, len(p.Changes))
				}
				for _, at := range unlike(nil, m.from, m.to) {
					if !shows(p.Changes[0], at) {
						t.Errorf("%s: the plan does not show %s", m.name, at)
					}
				}
				w.run(p)
				for _, said := range w.undo(p, "") {
					t.Errorf("%s: %s", m.name, said)
				}
				w.settled(here, plan.ModeSync)
				undone.Add(1)
				w.run(w.plan(there, plan.ModeSync))
				here, there = there, here
			}
		}
	})
}

// shows reports whether a change shows a path, what is above it or all below it.
func shows(c *plan.Change, at value.Path) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(c.ChangedFields)), func(name string) bool {
		p := value.ParsePath(name)
		return p.HasPrefix(at) || at.HasPrefix(p)
	})
}

// with is a configuration with one resource more.
func (s *scene) with(fields map[string]any) string {
	trial := &scene{w: s.w, t: s.t, lists: map[string][]string{}, below: s.below}
	for key, items := range s.lists {
		trial.lists[key] = slices.Clone(items)
	}
	trial.add(s.t, fields, s.below)
	return trial.text()
}

type nullMove struct {
	name     string
	from, to map[string]any
}

// nullMoves lead from samples with null wherever it must be said to those with one
// value in its place, and to those of the next form.
func nullMoves(g sampler) (out []nullMove) {
	tried := map[string]bool{}
	add := func(name string, from, to map[string]any) {
		if key := fmt.Sprint(from, to); !tried[key] && !value.Equal(from, to) {
			tried[key] = true
			out = append(out, nullMove{name, from, to})
		}
	}
	all := forms(g.t.Write(), 0)
	for form := range all {
		full := g.everything(form)
		paths := requiredNulls(g.t, full)
		if len(paths) == 0 {
			continue
		}
		bare, _ := value.Clone(full).(map[string]any)
		least, _ := value.Clone(full).(map[string]any)
		for _, at := range slices.Backward(paths) {
			x, _ := value.Get(full, at)
			value.Set(bare, at, nil)
			if _, isMap := x.(map[string]any); !isMap {
				value.Set(least, at, nil)
			}
		}
		for _, at := range paths {
			if form > 1 && len(at) == 1 {
				continue // as in the forms before
			}
			to, _ := value.Clone(bare).(map[string]any)
			to[at[0]] = value.Clone(full[at[0]])
			from, _ := value.Clone(to).(map[string]any)
			value.Set(from, at, nil)
			add(fmt.Sprintf("form %d: %s", form, at), from, to)
		}
		next := g.everything((form + 1) % all)
		if form >= mostForms && !nullInside(paths) && !nullInside(requiredNulls(g.t, next)) {
			continue
		}
		to, _ := value.Clone(least).(map[string]any)
		for k, x := range next {
			if m, isMap := x.(map[string]any); isMap {
				to[k] = m
			}
		}
		add(fmt.Sprintf("form %d to the next", form), least, to)
	}
	return out
}

// nullInside reports whether one of the fields stands in a mapping.
func nullInside(paths []value.Path) bool {
	return slices.ContainsFunc(paths, func(at value.Path) bool { return len(at) > 1 })
}

// requiredNulls are the fields of a sample that are required and may be null, those
// above first.
func requiredNulls(t *catalog.Bound, full map[string]any) (out []value.Path) {
	var visit func(at value.Path, m map[string]any)
	visit = func(at value.Path, m map[string]any) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			p := at.Child(k)
			if s := t.Write().At(p, full); s != nil && s.Nullable && required(t.Write(), full, p) && !t.IsIdentity(p) && !t.Immutable(p) {
				out = append(out, p)
			}
			if below, isMap := m[k].(map[string]any); isMap {
				visit(p, below)
			}
		}
	}
	visit(nil, full)
	return out
}
