package laws

import (
	"strings"
	"testing"

	"kongctl/internal/catalog"
	"kongctl/internal/contract"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// secretFeatures lead to the secret fields of a type.
func secretFeatures(t *catalog.Bound) []feature {
	var out []feature
	var visit func(s *contract.Schema, at feature, depth int)
	visit = func(s *contract.Schema, at feature, depth int) {
		s = s.Deref()
		if s == nil || depth > maxDepth {
			return
		}
		if s.Secret {
			out = append(out, at)
			return
		}
		for i, b := range s.Branches() {
			visit(b, append(at[:len(at):len(at)], step{branch: i + 1}), depth+1)
		}
		for _, name := range own(s).names() {
			visit(own(s)[name], append(at[:len(at):len(at)], step{field: name}), depth+1)
		}
	}
	visit(t.Write(), nil, 0)
	return out
}

// variants lists pairs of samples that differ in one leaf with a fixed choice
// of values.
func variants(t *catalog.Bound) (out [][2]feature) {
	byPlace := map[string][]feature{}
	for _, f := range features(t) {
		if len(f) > 0 && f[len(f)-1].leaf && f[len(f)-1].value != nil {
			place := f[:len(f)-1].String()
			byPlace[place] = append(byPlace[place], f)
		}
	}
	for _, fs := range byPlace {
		if len(fs) > 1 {
			out = append(out, [2]feature{fs[0], fs[1]})
		}
	}
	return out
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

// A changed field is an update that carries it, or, where the field cannot be
// changed, a new resource; either way nothing is left to do afterwards.
func TestChangedFieldIsUpdateOrReplace(t *testing.T) {
	updates, replaces := 0, 0
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
			if typ.Immutable(path) {
				replaces++
				if !strings.Contains(actions, "DELETE") || !strings.Contains(actions, "CREATE") {
					t.Errorf("%s is immutable, and changing it gives %s", path, actions)
				}
			} else {
				updates++
				if actions != "UPDATE " {
					t.Errorf("changing %s gives %s", path, actions)
				} else if _, ok := p.Changes[0].ChangedFields[path.String()]; !ok && !inList(pair[0]) {
					t.Errorf("changing %s does not name it: %v", path, p.Changes[0].ChangedFields)
				}
			}
			w.run(p)
			w.settled(after, plan.ModeApply)
		}
	})
	if updates == 0 || replaces == 0 {
		t.Errorf("%d updates and %d replaces tried", updates, replaces)
	}
	t.Logf("%d updates, %d replaces", updates, replaces)
}

func inList(f feature) bool {
	for _, s := range f {
		if s.item {
			return true
		}
	}
	return false
}
