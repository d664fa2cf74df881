package laws

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// An update that replaces the whole resource does not lose a secret that is not
// declared any more without a word: the plan refuses it, or names the secret.
// So it is when the secret alone is left out, and when the mapping around it is.
func TestUndeclaredSecretsAreNotLostSilently(t *testing.T) {
	var seen tally
	afterAll(t, func() {
		t.Logf("%v", seen.n)
		for _, way := range []string{"refused", "blocked", "named"} {
			if seen.n[way] == 0 {
				t.Errorf("no secret was %s: the law was not tried", way)
			}
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if !s.t.Puts() {
			return
		}
		for _, f := range secretFeatures(s.t) {
			for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
				undeclared(t, s.t.Kind, f, mode, false, &seen)
				undeclared(t, s.t.Kind, f, mode, true, &seen)
			}
		}
	})
}

// undeclared tries an update of another field without the secrets of a sample.
func undeclared(t *testing.T, kind string, f feature, mode plan.Mode, around bool, seen *tally) {
	w := newWorld(t)
	typ := w.cat.Kind(kind)
	was := newScene(w, typ)
	if typ.Parent != nil {
		was.below = was.parent(typ)
	}
	from := sampler{t: typ, n: 1, refs: was.reference}.sample(f)
	for _, name := range []string{"description", "display_name"} { // so that there is something to change
		if at := typ.Update.Body().At([]string{name}, from); at != nil && at.Type == "string" && from[name] == nil {
			from[name] = "text"
		}
	}
	to, changed := other(typ, from, false)
	lost := withoutSecrets(to, nil)
	before := maps.Clone(was.lists)
	was.add(typ, from, was.below)
	if w.try(was.text()).HasErrors() {
		return
	}
	if !changed || len(lost) == 0 {
		seen.add("nothing else to change: "+kind, 1)
		return
	}
	text, ref := "", ""
	declare := func(fields map[string]any) bool {
		is := &scene{w: w, t: typ, lists: maps.Clone(before), below: was.below}
		ref = is.add(typ, fields, is.below)
		text = is.text()
		return !w.try(text).HasErrors()
	}
	if around && !slices.ContainsFunc(above(lost[0]), func(p value.Path) bool {
		less, _ := value.Clone(to).(map[string]any)
		value.Delete(less, p)
		return declare(less)
	}) {
		return // all that is around it is required
	}
	if !around {
		declare(to)
	}
	w.run(w.plan(was.text(), mode))
	p, refused := w.planned(text, mode, ref)
	switch {
	case refused:
		seen.add("refused", 1)
		return
	case slices.ContainsFunc(p.Blocked, func(b plan.Blocked) bool { return b.ResourceRef == ref && b.By == propose.BySecret }):
		seen.add("blocked", 1)
		return
	}
	i := slices.IndexFunc(p.Changes, func(c *plan.Change) bool { return c.ResourceRef == ref && c.Action == plan.Update })
	if i < 0 {
		t.Errorf("%s%s in %s: no update is planned", kind, f, mode)
		return
	}
	for _, at := range lost {
		named := slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool {
			return x.ResourceRef == ref && strings.HasPrefix(x.Message, at.String()+" is not declared: ")
		})
		switch {
		case named:
			seen.add("named", 1)
		case removes(p.Changes[i], at):
			seen.add("shown", 1)
		default:
			t.Errorf("%s in %s: the update loses %s and does not say so", kind, mode, at)
		}
	}
	w.run(p)
}

// removes reports whether a change says that it removes what a secret lies in.
func removes(c *plan.Change, secret value.Path) bool {
	for n := range secret {
		if x, ok := c.ChangedFields[secret[:n+1].String()]; ok && x.New == nil {
			return true
		}
	}
	return false
}

// above are the places around a secret, the nearest one first.
func above(secret value.Path) (out []value.Path) {
	for n := len(secret) - 1; n > 0; n-- {
		out = append(out, secret[:n])
	}
	return out
}

// withoutSecrets takes the secrets out of a sample and returns where they were.
func withoutSecrets(v any, at value.Path) (out []value.Path) {
	switch x := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			list, _ := x[k].([]any)
			_, secret := x[k].(secretOf)
			if secret || slices.ContainsFunc(list, func(item any) bool { _, is := item.(secretOf); return is }) {
				delete(x, k)
				out = append(out, at.Child(k))
				continue
			}
			out = append(out, withoutSecrets(x[k], at.Child(k))...)
		}
	case []any:
		for i, item := range x {
			out = append(out, withoutSecrets(item, at.Index(i))...)
		}
	}
	return out
}

// planned makes a plan of a configuration that may be refused.
func (w *world) planned(text string, mode plan.Mode, replace ...string) (p *plan.Plan, refused bool) {
	w.t.Helper()
	walk, diags := w.walk(text)
	if diags.HasErrors() {
		return nil, true
	}
	walk.Request.Mode, walk.Request.Scope.AllowReplace = mode, replace
	diags, err := walk.Read(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	more, err := walk.Build(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	if append(diags, more...).HasErrors() {
		return nil, true
	}
	return walk.Plan, false
}

// What an update took away with a secret in it does not come back whole: the
// inverse plan names the secret.
func TestUndoneUpdatesNameSecrets(t *testing.T) {
	var seen tally
	afterAll(t, func() {
		t.Logf("%v", seen.n)
		if seen.n["named"] == 0 {
			t.Error("the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			w := newWorld(t)
			typ := w.cat.Kind(s.t.Kind)
			was := newScene(w, typ)
			if typ.Parent != nil {
				was.below = was.parent(typ)
			}
			from := sampler{t: typ, n: 1, refs: was.reference}.sample(f)
			var form feature // the form of the whole stays
			if len(f) > 0 && f[0].branch > 0 {
				form = f[:1]
			}
			to := sampler{t: typ, n: 1, refs: was.reference}.sample(form)
			is := &scene{w: w, t: typ, lists: maps.Clone(was.lists), below: was.below}
			was.add(typ, from, was.below)
			ref := is.add(typ, to, is.below)
			if w.try(was.text()).HasErrors() || w.try(is.text()).HasErrors() {
				continue
			}
			w.run(w.plan(was.text(), plan.ModeSync))
			p := w.plan(is.text(), plan.ModeSync, ref)
			lost := withoutSecrets(from, nil)
			i := slices.IndexFunc(p.Changes, func(c *plan.Change) bool { return c.ResourceRef == ref && c.Action == plan.Update })
			if i < 0 || len(p.Changes) > 1 {
				continue
			}
			w.run(p)
			told := strings.Join(w.undo(p, ""), "\n")
			for _, at := range lost {
				if len(at) == 1 || !takenAway(p.Changes[i], at) {
					continue
				}
				seen.add("named", 1)
				if !strings.Contains(told, at.String()) {
					t.Errorf("%s%s: undoing does not say that %s does not come back: %s", s.t.Kind, f, at, told)
				}
			}
		}
	})
}

// takenAway reports whether a change takes away or gives another form to what a
// secret lies in.
func takenAway(c *plan.Change, secret value.Path) bool {
	for name := range c.ChangedFields {
		if p := value.ParsePath(name); len(p) < len(secret) && secret.HasPrefix(p) {
			return true
		}
	}
	return false
}
