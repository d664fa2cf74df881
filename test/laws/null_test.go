package laws

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A field that says null is not declared, at any depth: a declaration with it is
// the same as one without the field, unless Konnect takes null for a value.
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
	full := sampler{t: s.t, n: 100 * (form + 1), refs: s.reference}.everything(form)
	list := optional(s.t, full)
	for _, at := range list {
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
