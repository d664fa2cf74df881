package laws

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A field that says null is not declared, at any depth: a declaration with it is
// the same as one without the field, unless Konnect takes null for a value. Where the
// field is immutable, what exists meets the null: TestNullReplaces.
func TestNullIsNotDeclared(t *testing.T) {
	var tried atomic.Int64
	eachType(t, func(t *testing.T, s *scene) {
		here, all := 0, 0
		for form := range min(forms(s.t.Write(), 0), 4) {
			n, of := s.nulls(t, form)
			here, all = here+n, all+of
		}
		tried.Add(int64(here))
		if here == 0 && all > 1 { // one alone may be all that there is
			t.Errorf("none of %d fields could be left out", all)
		}
	})
	afterAll(t, func() {
		t.Logf("%d fields were tried", tried.Load())
		if tried.Load() < 300 {
			t.Errorf("too few")
		}
	})
}

// Null takes a label away, and null for all of them every one, with apply too: labels
// are merged, so one that is not written stays.
func TestNullTakesLabels(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		if !s.t.HasLabels() {
			return
		}
		ref := s.minimalWith(s.t, map[string]any{"labels": map[string]any{"first": "goes", "second": "stays"}})
		text := s.text()
		s.w.run(s.w.plan(text, plan.ModeApply))
		for _, row := range []struct{ from, to, left string }{
			{`"goes"`, `null`, "second"},
			{`{"first": null, "second": "stays"}`, `null`, ""},
		} {
			if !strings.Contains(text, row.from) {
				t.Fatalf("no %s in\n%s", row.from, text)
			}
			text = strings.Replace(text, row.from, row.to, 1)
			s.w.run(s.w.plan(text, plan.ModeApply))
			s.w.settled(text, plan.ModeApply)
			labels, _ := s.w.current(ref)["labels"].(map[string]any)
			var left []string
			for key := range labels {
				if !label.Ours(key) {
					left = append(left, key)
				}
			}
			if strings.Join(left, " ") != row.left {
				t.Errorf("%s: %v are left", row.to, left)
			}
		}
	})
}

// nulls declares a resource without each field that it need not have, and again
// with null in its place.
func (s *scene) nulls(t *testing.T, form int) (tried, all int) {
	below := ""
	if s.t.Parent != nil {
		below = s.parent(s.t)
	}
	s.below = below
	full := sampler{t: s.t, n: 100 * (form + 1), refs: s.reference}.everything(form)
	list := optional(s.t, full)
	for _, at := range list {
		if at.String() == "name" && catalog.MayLackName(s.t) {
			continue // without it the ref is the name: TestUnnamedComesBack
		}
		without, _ := value.Clone(full).(map[string]any)
		value.Delete(without, at)
		null, _ := value.Clone(full).(map[string]any)
		value.Set(null, at, nil)
		want, ok := s.declared(without, below)
		if !ok {
			continue // something else needs it
		}
		tried++
		if got, _ := s.declared(null, below); got != want {
			t.Errorf("form %d: null for %s is\n%s\nand without it\n%s", form, at, got, want)
		}
	}
	return tried, len(list)
}

// declared is what a declaration comes to.
func (s *scene) declared(fields map[string]any, below string) (string, bool) {
	trial := &scene{w: s.w, t: s.t, lists: map[string][]string{}, made: s.made}
	for k, v := range s.lists {
		trial.lists[k] = append([]string(nil), v...)
	}
	ref := trial.add(s.t, fields, below)
	walk, diags := s.w.walk(trial.text())
	if diags.HasErrors() {
		return diags.Err().Error(), false
	}
	for _, r := range walk.Set.Resources {
		if r.Ref == ref {
			return fmt.Sprint(r.Fields.Plain(func(_ value.Path, e *value.Expression) any { return fmt.Sprint(e.Op, e.Name, e.Field) })), true
		}
	}
	return "no resource", false
}

// optional are the fields of a declaration that it need not have, and that Konnect
// lets have no null.
func optional(t *catalog.Bound, full map[string]any) (out []value.Path) {
	for _, x := range transitions(t, full, full) {
		name, dropped := strings.CutSuffix(x.name, " dropped")
		if !dropped || strings.Contains(name, "[") || name == "all" {
			continue
		}
		at := value.ParsePath(name)
		if t.HasLabels() && at[0] == "labels" {
			continue // null takes them away: TestNullTakesLabels
		}
		above := t.Write().At(at[:len(at)-1].Generic(), full)
		if len(at) == 1 {
			above = t.Write()
		}
		m, _ := value.Get(full, at[:len(at)-1])
		part, _ := m.(map[string]any)
		if len(at) == 1 {
			part = full
		}
		if above == nil {
			continue
		}
		o := above.Object(part)
		switch f := o.Field(at[len(at)-1]); {
		case f != nil && !f.Required && !f.Schema.Nullable, f == nil && o.Values != nil && !o.Values.Nullable:
			out = append(out, at)
		}
	}
	return out
}

// Null for an immutable field that Konnect has a value of replaces the resource, in sync
// and apply, also where the contract has no null for it; afterwards nothing is left to
// do, and drift agrees. A field that is left out is kept, and the note says what to write.
func TestNullReplaces(t *testing.T) {
	var tried atomic.Int64
	eachType(t, func(t *testing.T, s *scene) {
		if s.t.Shape != catalog.Collection {
			return
		}
		for form := range min(forms(s.t.Write(), 0), 4) {
			tried.Add(int64(s.nullReplaces(t, form)))
		}
	})
	afterAll(t, func() {
		t.Logf("%d fields were tried", tried.Load())
		if tried.Load() < 25 {
			t.Errorf("too few")
		}
	})
}

// nullReplaces takes each immutable field back that a resource need not have.
func (s *scene) nullReplaces(t *testing.T, form int) (tried int) {
	full := sampler{t: s.t, n: 100 * (form + 1), refs: s.reference}.everything(form)
	for _, at := range optional(s.t, full) {
		if !s.t.Immutable(at.Generic()) || s.t.IsComputed(at) || tried == 3 {
			continue
		}
		mode := []plan.Mode{plan.ModeSync, plan.ModeApply}[(form+tried)%2]
		if s.nullReplacesOne(t, form, at, mode) {
			tried++
		}
	}
	return tried
}

func (s *scene) nullReplacesOne(t *testing.T, form int, at value.Path, mode plan.Mode) bool {
	w := newWorld(t)
	base := newScene(w, w.cat.Kind(s.t.Kind))
	below := ""
	if s.t.Parent != nil {
		below = base.parent(base.t)
	}
	base.at, base.below = &making{base.t, below}, below
	full := sampler{t: base.t, n: 100 * (form + 1), refs: base.reference}.everything(form)
	schema := base.t.Write().At(at.Generic(), full)
	if have, _ := value.Get(full, at); schema == nil || schema.Secret || value.Empty(have) || have == "" || schema.HasDefault() && value.Equal(have, schema.Default) {
		return false
	}
	without, _ := value.Clone(full).(map[string]any)
	value.Delete(without, at)
	null, _ := value.Clone(full).(map[string]any)
	value.Set(null, at, nil)
	base.known(full, without, null)
	var ref string
	text := func(fields map[string]any) string {
		trial := &scene{w: w, t: base.t, lists: map[string][]string{}, made: base.made, above: base.above, n: base.n}
		for k, v := range base.lists {
			trial.lists[k] = append([]string(nil), v...)
		}
		ref = trial.add(base.t, fields, below)
		return trial.text()
	}
	all, left, none := text(full), text(without), text(null)
	if w.try(all).HasErrors() || w.try(left).HasErrors() {
		return false // something else needs it
	}
	w.run(w.plan(all, plan.ModeSync))
	if have, _ := value.Get(w.currentAfter(all, ref), at); value.Empty(have) {
		return false // Konnect does not return it
	}
	kept := w.plan(left, plan.ModeSync, ref)
	if hint := at.String() + ": null replaces"; len(kept.Changes) == 0 && !slices.ContainsFunc(kept.Warnings, func(x plan.Warning) bool { return strings.Contains(x.Message, hint) }) {
		t.Errorf("form %d: %s is left out, and no note says how to take it back: %v", form, at, kept.Warnings)
	}
	p := w.plan(none, mode, ref)
	if !replaces(p) {
		t.Errorf("form %d, %s: null for %s does not replace: %v %v", form, mode, at, p.Blocked, p.Warnings)
		return true
	}
	w.run(p)
	w.settled(none, mode)
	is, _ := value.Get(w.current(ref), at)
	k, listed := catalog.KeptAt(base.t, at)
	if own := listed && k.Unset(is, w.current(ref)) || schema.HasDefault() && value.Equal(is, schema.Default); !own && !value.Empty(is) {
		t.Errorf("form %d, %s: %s is still %v", form, mode, at, is)
	}
	w.settled(left, mode)
	return true
}

// currentAfter is what exists of a resource of a configuration that was carried out.
func (w *world) currentAfter(text, ref string) map[string]any {
	w.t.Helper()
	w.settled(text, plan.ModeSync)
	return w.current(ref)
}
