package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// secretFeatures lead to the secret fields of a type.
func secretFeatures(t *catalog.Bound) []feature { return secretsOf(t, false) }

// allSecretFeatures are those in items of lists, too.
func allSecretFeatures(t *catalog.Bound) []feature { return secretsOf(t, true) }

// secretsOf takes few of those that only the table of plugins knows: they are alike, and
// a law of their own tries all of them.
func secretsOf(t *catalog.Bound, items bool) []feature {
	var out, tabled []feature
	var visit func(s *contract.Schema, at feature, depth int)
	visit = func(s *contract.Schema, at feature, depth int) {
		s = s.Deref()
		if s == nil || depth > maxDepth && !items || depth > 2*maxDepth {
			return
		}
		switch {
		case s.Secret && s.Tabled():
			tabled = append(tabled, at)
			return
		case s.Secret:
			out = append(out, at)
			return
		}
		for i, b := range s.Branches() {
			visit(b, append(at[:len(at):len(at)], step{branch: i + 1}), depth+1)
		}
		for _, name := range own(s).names() {
			visit(own(s)[name], append(at[:len(at):len(at)], step{field: name}), depth+1)
		}
		if items && s.Items != nil {
			visit(s.Items, append(at[:len(at):len(at)], step{item: true}), depth+1)
		}
	}
	visit(t.Write(), nil, 0)
	return append(out, spread(tabled, maxFeatures/2)...)
}

// variants lists pairs of samples that differ in one leaf with a fixed choice
// of values.
func variants(t *catalog.Bound) (out [][2]feature) {
	byPlace := map[string][]feature{}
	for _, f := range allFeatures(t) {
		if len(f) > 0 && f[len(f)-1].leaf && f[len(f)-1].value != nil {
			place := f[:len(f)-1].String()
			byPlace[place] = append(byPlace[place], f)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(byPlace)) {
		if fs := byPlace[place]; len(fs) > 1 {
			out = append(out, [2]feature{fs[0], fs[1]})
		}
	}
	return spread(out, maxFeatures)
}

func (f feature) path() value.Path {
	var p value.Path
	for _, s := range f {
		if s.field != "" {
			p = append(p, s.field)
		}
	}
	return p
}

// one is a configuration with a single sample.
func one(w *world, t *catalog.Bound, f feature) (text, ref string, ok bool) {
	s := newScene(w, t)
	ref = s.sampleOf(f)
	return s.text(), ref, !w.try(s.text()).HasErrors()
}

// current are the fields that a declared resource had when the last plan was made.
func (w *world) current(ref string) map[string]any {
	for _, r := range w.set.Resources {
		if o := w.snap.Object(r); o != nil && r.Ref == ref {
			return o.Fields
		}
	}
	return nil
}

// explainedFixed reports whether explain calls a field, or one that it stands in,
// immutable. Where it is so in some forms alone, the catalog knows which.
func explainedFixed(t *testing.T, w *world, typ *catalog.Bound, path value.Path, ref string) bool {
	t.Helper()
	x := engine.Explainer(w.cat)
	for n := range path {
		found, err := x.Find(typ.Kind + "." + strings.Join(path[:n+1], "."))
		if err != nil {
			t.Fatal(err)
		}
		if found.Field.InPlace != "" {
			return catalog.Fixed(typ, path, w.current(ref))
		}
		if found.Field.Immutable {
			return true
		}
	}
	return false
}

// A changed field is an update that carries it, or, where the field cannot be
// changed, a new resource; either way nothing is left to do afterwards.
func TestChangedFieldIsUpdateOrReplace(t *testing.T) {
	var updates, replaces atomic.Int64
	afterAll(t, func() {
		t.Logf("%d updates, %d replaces", updates.Load(), replaces.Load())
		if updates.Load() == 0 || replaces.Load() == 0 {
			t.Error("no update or no replace was tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, pair := range variants(s.t) {
			path := pair[0].path()
			if s.t.IsIdentity(path) {
				continue
			}
			w := newWorld(t)
			typ := w.cat.Kind(s.t.Kind)
			before, _, ok1 := one(w, typ, pair[0])
			after, ref, ok2 := one(w, typ, pair[1])
			if !ok1 || !ok2 {
				continue
			}
			w.run(w.plan(before, plan.ModeApply))
			p := w.plan(after, plan.ModeApply, ref)
			actions := ""
			for _, c := range p.Changes {
				actions += string(c.Action) + " "
			}
			if says := explainedFixed(t, w, typ, path, ref); says == strings.Contains(actions, "UPDATE") && len(p.Changes) > 0 {
				t.Errorf("explain says that %s is immutable: %v, and changing it gives %s", path, says, actions)
			}
			if catalog.Fixed(typ, path, w.current(ref)) {
				replaces.Add(1)
				if !strings.Contains(actions, "DELETE") || !strings.Contains(actions, "CREATE") {
					t.Errorf("%s is immutable, and changing it gives %s", path, actions)
				}
			} else {
				updates.Add(1)
				if actions != "UPDATE " {
					t.Errorf("changing %s gives %s", path, actions)
				} else if _, ok := p.Changes[0].ChangedFields[path.String()]; !ok && !inList(pair[0]) {
					t.Errorf("changing %s does not name it: %v", path, p.Changes[0].ChangedFields)
				}
			}
			w.due(p)
			w.run(p)
			w.settled(after, plan.ModeApply)
		}
	})
}

// A changed text is an update that can be executed, whatever stands beside it:
// the form of a union may be said by a field that does not change.
func TestChangedTextCanBeExecuted(t *testing.T) {
	var updates atomic.Int64
	afterAll(t, func() {
		t.Logf("%d updates", updates.Load())
		if updates.Load() == 0 {
			t.Error("nothing was updated: the law was not tried")
		}
	})
	try := func(t *testing.T, kind string, f feature, inPlace bool) {
		w := newWorld(t)
		typ := w.cat.Kind(kind)
		was := newScene(w, typ)
		if typ.Parent != nil {
			was.below = was.parent(typ)
		}
		from := sampler{t: typ, n: 1, refs: was.reference}.sample(f)
		to, changed := other(typ, from, inPlace)
		is := &scene{w: w, t: typ, lists: maps.Clone(was.lists), below: was.below}
		was.add(typ, from, was.below)
		ref := is.add(typ, to, is.below)
		if !changed || w.try(was.text()).HasErrors() || w.try(is.text()).HasErrors() {
			return
		}
		w.run(w.plan(was.text(), plan.ModeSync))
		p := w.plan(is.text(), plan.ModeSync, ref)
		for _, c := range p.Changes {
			if c.Action == plan.Update {
				updates.Add(1)
			}
		}
		w.due(p)
		w.run(p)
		w.settled(is.text(), plan.ModeSync)
	}
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range features(s.t) {
			try(t, s.t.Kind, f, false)
		}
		var listed []feature
		for _, f := range allFeatures(s.t) {
			from := sampler{t: s.t, n: 1, refs: newScene(s.w, s.t).reference}.sample(f)
			if to, changed := other(s.t, from, true); changed && !sameLists(from, to) {
				listed = append(listed, f)
			}
		}
		for _, f := range spread(listed, maxFeatures/2) {
			try(t, s.t.Kind, f, true)
		}
	})
}

// sameLists reports whether all lists of two samples are equal.
func sameLists(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		for k := range x {
			if !sameLists(x[k], y[k]) {
				return false
			}
		}
		return true
	case []any:
		return value.Equal(a, b)
	default:
		return true
	}
}

// other is a sample with other values where a text is free: not in identities,
// references and secrets, nor where a format or a choice bounds it. In place, it
// changes items of lists too, and leaves alone what only a new resource can have.
func other(t *catalog.Bound, sample map[string]any, inPlace bool) (map[string]any, bool) {
	changed := false
	var visit func(at value.Path, v any) any
	visit = func(at value.Path, v any) any {
		switch x := v.(type) {
		case map[string]any:
			out := map[string]any{}
			for k, y := range x {
				out[k] = visit(at.Child(k), y)
			}
			return out
		case []any:
			if !inPlace {
				return v
			}
			out := slices.Clone(x)
			for i, y := range x {
				out[i] = visit(at.Index(i), y)
			}
			return out
		case string:
			if inPlace && t.Immutable(at.Generic()) {
				return v
			}
			s := t.Write().At(at.Generic(), sample)
			if s != nil && s.Type == "array" { // the text is an item
				s = s.Items.Deref()
			}
			_, isRef := t.Reference(at.Generic())
			free := s != nil && s.Type == "string" && len(s.Enum) == 0 && s.Const == nil && s.Pattern == "" && !s.Secret
			if !free || isRef || t.IsIdentity(at) || at.String() == t.MapKey || value.Equal(t.Example[at[0]], sample[at[0]]) || !inPlace && t.Example[at[0]] != nil {
				return v
			}
			changed = true
			if strings.HasPrefix(x, "https://") {
				return x + "/other"
			}
			if s.Format != "" {
				return v
			}
			return x + "2"
		default:
			return v
		}
	}
	out, _ := visit(nil, sample).(map[string]any)
	return out, changed
}

func inList(f feature) bool {
	for _, s := range f {
		if s.item {
			return true
		}
	}
	return false
}
