package laws

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// edited is a resource of which people change one field after a plan was made.
type edited struct {
	at     value.Path
	parent string
	// from is what is declared, plan what an update plan declares, hand what people
	// write; again is from with another value of a field that cannot be changed, or nil.
	from, plan, hand, again map[string]any
}

// otherwise is another value of a field; false where it cannot be had.
func otherwise(s *contract.Schema, v any) (any, bool) {
	if s == nil || s.Secret || s.ReadOnly || s.Const != nil {
		return nil, false
	}
	switch x := v.(type) {
	case bool:
		return !x, true
	case []any: // its first item is another one
		if len(x) == 0 {
			return nil, false
		}
		item, _ := value.Clone(x[0]).(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(item)) {
			if y, ok := otherwise(s.Items.At([]string{k}, item), item[k]); ok {
				item[k] = y
				return append([]any{item}, x[1:]...), true
			}
		}
		return nil, false
	case json.Number:
		n, err := x.Int64()
		return json.Number(fmt.Sprint(n + 1)), err == nil
	case string:
		for i, e := range s.Enum {
			if e == v {
				return s.Enum[(i+1)%len(s.Enum)], len(s.Enum) > 1
			}
		}
		switch {
		case strings.HasPrefix(x, "https://"):
			return x + "/other", true
		case s.Format != "" || len(s.Enum) > 0 || strings.HasPrefix(x, "-----BEGIN"):
			return nil, false
		}
		return x + "2", s.Pattern == "" || form(s.Pattern).MatchString(x+"2")
	default:
		return nil, false
	}
}

// leaves are the places of single values outside of lists.
func leaves(at value.Path, v any) (out []value.Path) {
	m, isMap := v.(map[string]any)
	if !isMap {
		return []value.Path{at}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, leaves(at.Child(k), m[k])...)
	}
	return out
}

// with is a sample with another value of a field; false where it cannot have one.
func with(t *catalog.Bound, sample map[string]any, at value.Path) (map[string]any, bool) {
	if _, isRef := t.Reference(at.Generic()); isRef || t.IsIdentity(at) || at.String() == t.MapKey {
		return nil, false
	}
	v, _ := value.Get(sample, at)
	x, ok := otherwise(t.Write().At(at.Generic(), sample), v)
	if !ok {
		return nil, false
	}
	out, _ := value.Clone(sample).(map[string]any)
	value.Set(out, at, x)
	return out, true
}

// edits are features and the fields of them that people can change.
func edits(s *scene) (fs []feature, paths []value.Path) {
	seen := map[string]bool{}
	for _, f := range allFeatures(s.t) {
		trial := newScene(s.w, s.t)
		trial.n = 1
		if s.t.Parent != nil {
			trial.below = trial.parent(s.t)
		}
		from := trial.sampled(s.t, trial.below, f)
		for _, at := range leaves(nil, from) {
			key := at[:min(2, len(at))].String()
			to, ok := with(s.t, from, at)
			if !ok || seen[key] || s.t.Immutable(at.Generic()) {
				continue
			}
			a, b := trial.copied(), trial.copied()
			a.add(s.t, from, trial.below)
			b.add(s.t, to, trial.below)
			if seen[key] = !s.w.try(a.text()).HasErrors() && !s.w.try(b.text()).HasErrors(); seen[key] {
				fs, paths = append(fs, f), append(paths, at)
			}
		}
	}
	return fs, paths
}

// copied is a scene with the same resources, to add others to.
func (s *scene) copied() *scene {
	out := newScene(s.w, s.t)
	for key, items := range s.lists {
		out.lists[key] = slices.Clone(items)
	}
	out.below = s.below
	return out
}

// editable adds what resources stand below and refer to, and returns them.
func editable(s *scene) (out []edited) {
	fs, paths := edits(s)
	for i, at := range paths {
		if lasting(s.t) && i > 0 {
			break // there is one
		}
		if s.t.Parent != nil && (!shares(s.t) || s.below == "") {
			s.below = s.parent(s.t)
		}
		s.n++
		e := edited{at: at, parent: s.below, from: s.sampled(s.t, s.below, fs[i])}
		s.known(e.from)
		e.plan, _ = with(s.t, e.from, at)
		hand, ok := with(s.t, e.plan, at)
		if x, _ := value.Get(hand, at); !ok || value.Equal(x, must(value.Get(e.from, at))) {
			e.plan, hand = e.from, e.plan // there is no third value
		}
		e.hand = hand
		for _, f := range allFeatures(s.t) {
			p := f.path()
			if len(p) == 1 && e.again == nil && s.t.Immutable(p) && !s.t.IsIdentity(p) && p.String() != s.t.MapKey {
				if v, ok := value.Get(s.sampled(s.t, s.below, f), p); ok && !value.Equal(v, e.from[p[0]]) {
					again := maps.Clone(e.from)
					again[p[0]] = v
					trial := s.copied()
					trial.add(s.t, again, e.parent)
					if !s.w.try(trial.text()).HasErrors() {
						e.again = again
					}
				}
			}
		}
		out = append(out, e)
	}
	return out
}

// holding is the scene with one form of each resource.
func (s *scene) holding(all []edited, form func(edited) map[string]any) *scene {
	out := s.copied()
	for _, e := range all {
		out.add(s.t, form(e), e.parent)
	}
	return out
}

// moved is what the check of a saved plan finds changed.
func (w *world) moved(raw []byte) []execute.Moved {
	w.t.Helper()
	p, err := plan.Parse(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	found, err := execute.Check(context.Background(), w.execution(p))
	if err != nil {
		w.t.Fatal(err)
	}
	return found.Moved
}

// parentAgain is a configuration in which what the resources stand below must be
// created again; false where nothing of it is immutable.
func (s *scene) parentAgain(text string) (string, bool) {
	if s.t.Parent == nil || s.t.Parent.ReadOnly {
		return "", false
	}
	minimal := s.sampled(s.t.Parent, "", nil)
	for _, f := range allFeatures(s.t.Parent) {
		p := f.path()
		if len(p) != 1 || !s.t.Parent.Immutable(p) || minimal[p[0]] != nil || s.t.Parent.IsIdentity(p) || s.t.Under[p[0]] != nil {
			continue
		}
		var b strings.Builder
		v := s.sampled(s.t.Parent, "", f)[p[0]]
		if _, isRef := v.(refTo); isRef || v == nil {
			continue
		}
		write(&b, map[string]any{p[0]: v})
		field := strings.TrimSuffix(b.String(), "}") + ", "
		head, rest, found := strings.Cut(text, "\n"+s.t.Parent.Root()+":\n")
		if !found {
			return "", false
		}
		list, tail, _ := strings.Cut(rest, "\n_") // no other key begins so
		lines := strings.SplitAfter(list, "\n")
		for i, line := range lines {
			if !strings.HasPrefix(line, "- {") {
				break // the next list
			}
			lines[i] = strings.Replace(line, "- {", "- "+field, 1)
		}
		if out := head + "\n" + s.t.Parent.Root() + ":\n" + strings.Join(lines, "") + tail; !s.w.try(out).HasErrors() {
			return out, true
		}
	}
	return "", false
}

// What people change after a plan was made is not lost to it, whichever field it is:
// the plan is refused where it deletes the resource, by itself or with what it belongs
// to, creates it again or updates it. What was changed and changed back is as it was.
func TestChangesByHandStopSavedPlans(t *testing.T) {
	var found tally
	afterAll(t, func() {
		t.Logf("%s", &found)
		for _, name := range []string{"delete", "delete alone", "replace", "replace of the parent", "update"} {
			if found.of(name) == 0 {
				t.Errorf("not tried: %s", name)
			}
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		w.keep = true
		all := editable(s)
		for _, path := range s.t.Unlisted() {
			if !slices.ContainsFunc(all, func(e edited) bool { return e.at.HasPrefix(path) }) {
				t.Errorf("%s is not in lists, and nobody tries to change it", value.Path(path))
			}
		}
		if len(all) == 0 {
			return
		}
		before := s.holding(all, func(e edited) map[string]any { return e.from })
		from, byHand := before.text(), s.holding(all, func(e edited) map[string]any { return e.hand }).text()
		w.run(w.plan(from, plan.ModeSync))
		saved := map[string][]byte{"update": w.bytes(w.plan(s.holding(all, func(e edited) map[string]any { return e.plan }).text(), plan.ModeSync))}
		if !lasting(s.t) {
			saved["delete"] = w.bytes(before.wipe())
		}
		if s.t.Parent != nil && s.t.Optional() {
			saved["delete alone"] = w.bytes(w.plan(s.text(), plan.ModeSync))
		}
		saved["replace"] = w.bytes(w.plan(s.holding(all, func(e edited) map[string]any {
			if e.again != nil {
				return e.again
			}
			return e.from
		}).text(), plan.ModeSync, refs(before)...))
		if text, ok := s.parentAgain(from); ok {
			saved["replace of the parent"] = w.bytes(w.plan(text, plan.ModeSync, refs(before)...))
		}
		for name, raw := range saved {
			if moved := w.moved(raw); len(moved) > 0 {
				t.Fatalf("%s: nothing was changed, and the plan is refused: %s %s %v", name, moved[0].Change.ID, moved[0].Why, moved[0].Fields)
			}
		}
		seen := w.edit(byHand, s.t, t)
		for _, name := range slices.Sorted(maps.Keys(saved)) {
			found.add(name, seen.stop(w, saved[name], name))
		}
		if !w.byHand(from) {
			t.Fatal("people cannot change it back")
		}
		for _, name := range slices.Sorted(maps.Keys(saved)) {
			for _, m := range w.moved(saved[name]) {
				t.Errorf("%s: all is as it was, and the plan is refused: %s %s %v", name, m.Change.ID, m.Why, m.Fields)
			}
		}
	})
}

// concerns reports whether a plan deletes or updates what an edit changes.
func concerns(p *plan.Plan, edit *plan.Change) bool {
	return slices.ContainsFunc(p.Changes, func(c *plan.Change) bool {
		switch {
		case c.ResourceType == edit.ResourceType && c.ResourceID == edit.ResourceID && slices.Equal(plan.AncestorsOf(c), plan.AncestorsOf(edit)):
			return c.Action == plan.Update || c.Action == plan.Delete
		default:
			return c.Action == plan.Delete && slices.Contains(plan.AncestorsOf(edit), c.ResourceID)
		}
	})
}

// seen is what people have changed, and by what names messages may call it.
type seen struct {
	edit  *plan.Plan
	names map[string][]string // by ref
}

// edit brings a configuration about as people would.
func (w *world) edit(text string, typ *catalog.Bound, t *testing.T) seen {
	t.Helper()
	out := seen{edit: w.plan(text, plan.ModeApply), names: map[string][]string{}}
	note := func() {
		for _, r := range w.set.Resources {
			if o := w.snap.Object(r); o != nil && r.Type.Kind == typ.Kind {
				name := plan.NewStranger(resource.Part{Type: r.Type, Object: o}, "").Name
				out.names[r.Ref] = append(out.names[r.Ref], name+" was changed")
			}
		}
	}
	note()
	if !w.byHand(text) {
		t.Fatalf("people cannot do this: %v", out.edit.ExecutionOrder)
	}
	w.plan(text, plan.ModeApply)
	note()
	return out
}

// stop fails unless a saved plan is refused for every edit that it would undo, and
// returns how many there are.
func (s seen) stop(w *world, raw []byte, name string) (n int) {
	w.t.Helper()
	p, err := plan.Parse(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	moved := w.moved(raw)
	for _, c := range s.edit.Changes {
		if !concerns(p, c) {
			continue
		}
		n++
		if !slices.ContainsFunc(moved, func(m execute.Moved) bool {
			return m.Change.ResourceType == c.ResourceType && m.Change.ResourceID == c.ResourceID ||
				slices.ContainsFunc(s.names[c.ResourceRef], func(text string) bool { return strings.Contains(m.Why, text) })
		}) {
			w.t.Errorf("%s: %s %s was changed by hand, and the plan is carried out", name, c.ResourceRef, slices.Sorted(maps.Keys(c.ChangedFields)))
		}
	}
	return n
}

// A plan that kept nothing knows by the time of the last change that what lists leave
// out may be another.
func TestTimesStopPlansThatKeptNothing(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		if !s.t.ListLacksFields() {
			return
		}
		w, all := s.w, editable(s)
		before := s.holding(all, func(e edited) map[string]any { return e.from })
		w.run(w.plan(before.text(), plan.ModeSync))
		saved := map[string][]byte{"delete": w.bytes(before.wipe())}
		if s.t.Parent != nil {
			saved["delete alone"] = w.bytes(w.plan(s.text(), plan.ModeSync))
		}
		for _, name := range slices.Sorted(maps.Keys(saved)) {
			if moved := w.moved(saved[name]); len(moved) > 0 {
				t.Errorf("%s: nothing was changed, and the plan is refused: %s %s", name, moved[0].Change.ID, moved[0].Why)
			}
		}
		edit := w.edit(s.holding(all, func(e edited) map[string]any { return e.hand }).text(), s.t, t)
		for _, name := range slices.Sorted(maps.Keys(saved)) {
			if edit.stop(w, saved[name], name) == 0 {
				t.Errorf("%s: nothing was tried", name)
			}
		}
	})
}
