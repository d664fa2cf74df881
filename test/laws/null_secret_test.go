package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Null for an optional secret changes it, or the plan says that it does not.
func TestNullSecretIsNamed(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 5 {
			t.Errorf("%d secrets were tried", tried.Load())
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			p := f.path()
			if s.uncovered(f) != "" || inList(f) {
				continue
			}
			was := newScene(s.w, s.t)
			ref := was.sampleOf(f)
			v, _ := value.Get(was.last, p)
			if _, isSecret := v.(secretOf); !isSecret {
				continue
			}
			null, _ := value.Clone(was.last).(map[string]any)
			value.Set(null, p, nil)
			is := &scene{w: s.w, t: s.t, lists: map[string][]string{}, made: was.made}
			for k, list := range was.lists {
				is.lists[k] = list
			}
			own := is.lists[s.t.Root()]
			is.lists[s.t.Root()] = own[: len(own)-1 : len(own)-1]
			is.add(s.t, null, was.below)
			if s.w.try(is.text()).HasErrors() {
				continue // the secret is required
			}
			tried.Add(1)
			s.w.run(s.w.plan(was.text(), plan.ModeSync))
			for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
				x := s.w.plan(is.text(), mode)
				if !namesSecret(x, ref, p) {
					t.Errorf("%s %s: null for %s does nothing, and nothing says so: %v", mode, catalog.Words(s.t.Kind), p, x.Warnings)
				}
			}
		}
	})
}

// namesSecret reports whether a plan changes a field to none, or says that it does not.
func namesSecret(p *plan.Plan, ref string, field value.Path) bool {
	for _, c := range p.Changes {
		if c.ResourceRef == ref {
			return c.Replace || takenAwayAs(c, field)
		}
	}
	for _, x := range p.NotCompared {
		if x.ResourceRef == ref && x.Field == field.String() {
			return x.Null
		}
	}
	for _, w := range p.Warnings {
		if w.ResourceRef == ref && strings.HasPrefix(w.Message, field.String()+" ") {
			return true
		}
	}
	return len(p.Blocked) > 0
}

// takenAwayAs reports whether a change shows that a field loses its value, and not the
// value.
func takenAwayAs(c *plan.Change, field value.Path) bool {
	x, ok := c.ChangedFields[field.String()]
	return ok && x.New == nil && plan.IsHidden(x.Old)
}

// warned are the warnings of a plan about a field.
func warned(p *plan.Plan, ref string, field value.Path) (out []string) {
	for _, w := range p.Warnings {
		if w.ResourceRef == ref && strings.HasPrefix(w.Message, field.String()+" ") {
			out = append(out, w.Message)
		}
	}
	return out
}

// An update that takes a secret away which is declared as null shows that among the
// fields that it changes, whether Konnect returns secrets or not; another one says that
// the secret stays. After it a plan is empty and says no more of the secret than that it
// is not compared. Asked for, null is written.
func TestNullTakesSecretsAway(t *testing.T) {
	var seen tally
	afterAll(t, func() {
		t.Logf("%v", seen.n)
		for _, way := range []string{"known", "not returned", "stays", "asked for"} {
			if seen.n[way] == 0 {
				t.Errorf("no secret was %s: the law was not tried", way)
			}
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
				nullInUpdate(t, s.t.Kind, f, mode, false, &seen)
				nullInUpdate(t, s.t.Kind, f, mode, true, &seen)
			}
		}
	})
}

func nullInUpdate(t *testing.T, kind string, f feature, mode plan.Mode, hides bool, seen *tally) {
	w := newWorld(t)
	typ, at := w.cat.Kind(kind), f.path()
	if hides {
		w.wire.next = &answers{next: w.wire.next}
	}
	was := newScene(w, typ)
	if typ.Parent != nil {
		was.below = was.parent(typ)
	}
	from := sampler{t: typ, n: 1, refs: was.reference}.sample(f)
	for _, name := range []string{"description", "display_name"} { // so that there is something to change
		if at := typ.Write().At([]string{name}, from); at != nil && at.Type == "string" && from[name] == nil {
			from[name] = "text"
		}
	}
	to, changed := other(typ, from, true)
	if v, _ := value.Get(from, at); v == nil || inList(f) || !changed || typ.Update == nil || typ.Immutable(at.Generic()) {
		return
	}
	is := &scene{w: w, t: typ, lists: maps.Clone(was.lists), below: was.below}
	value.Set(to, at, nil)
	was.add(typ, from, was.below)
	ref := is.add(typ, to, is.below)
	if w.try(was.text()).HasErrors() || w.try(is.text()).HasErrors() {
		return // the secret is required
	}
	w.run(w.plan(was.text(), mode))
	p, refused := w.planned(is.text(), mode, ref)
	i := slices.IndexFunc(p.Changes, func(c *plan.Change) bool { return c.ResourceRef == ref })
	if refused || i < 0 || p.Changes[i].Replace {
		return // it needs other secrets, or is another one
	}
	said, shown := warned(p, ref, at), takenAwayAs(p.Changes[i], at)
	switch {
	case shown && len(said) == 0 && p.Changes[i].ChangedFields[at.String()].Old == plan.Secret:
		seen.add("known", 1)
	case shown && len(said) == 0:
		seen.add("not returned", 1)
	case !shown && len(said) == 1 && strings.Contains(said[0], "keeps its value"):
		seen.add("stays", 1)
	default:
		t.Errorf("%s in %s: null for %s is shown as %v, with %q", kind, mode, at, p.Changes[i].ChangedFields, said)
	}
	w.run(p)
	w.settled(is.text(), mode)
	if now := warned(w.plan(is.text(), mode), ref, at); shown && len(now) > 0 {
		t.Errorf("%s in %s: an empty plan says %q", kind, mode, now)
	}
	if p = w.plan(is.text(), mode); !slices.ContainsFunc(p.NotCompared, func(x plan.NotCompared) bool {
		return x.ResourceRef == ref && x.Field == at.String() && x.Null
	}) {
		return
	}
	p = w.planAs(is.text(), mode, func(r *engine.PlanRequest) { r.Scope.WriteSecrets = []string{ref + "#" + at.String()} })
	if len(p.Changes) != 1 || !takenAwayAs(p.Changes[0], at) {
		t.Errorf("%s in %s: null for %s is not written where it is asked for", kind, mode, at)
	}
	seen.add("asked for", 1)
	w.run(p)
}
