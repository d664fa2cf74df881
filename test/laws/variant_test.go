package laws

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// sameName declares resources of a type with one identity and different variants.
type sameName struct {
	w *world
	t *catalog.Bound
}

// eachVariant runs a law for each type of which Konnect keeps several with one identity.
func eachVariant(t *testing.T, law func(t *testing.T, v sameName)) {
	t.Parallel()
	tried := 0
	for _, typ := range writable(newWorld(t).cat) {
		if typ.Variant == "" {
			continue
		}
		tried++
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			law(t, sameName{w, w.cat.Kind(typ.Kind)})
		})
	}
	if tried < 2 {
		t.Errorf("%d types have a variant", tried)
	}
}

// text declares one resource for each variant; "" declares none. Further fields belong to
// the last one.
func (v sameName) text(more map[string]any, variants ...string) string {
	s := newScene(v.w, v.t)
	for i, x := range variants {
		fields := sampler{t: v.t, n: i + 1, refs: s.reference}.sample(nil)
		for _, f := range v.t.Identity {
			value.Set(fields, value.ParsePath(f), "One Name")
		}
		if delete(fields, v.t.Variant); x != "" {
			fields[v.t.Variant] = x
		}
		if i == len(variants)-1 {
			for k, y := range more {
				fields[k] = y
			}
		}
		s.add(v.t, fields, "")
	}
	return s.text()
}

// ids are those of what exists, by variant.
func (v sameName) ids() map[string]string {
	v.w.t.Helper()
	objects, err := v.w.target.List(context.Background(), remote.Scope{Type: v.t})
	if err != nil {
		v.w.t.Fatal(err)
	}
	out := map[string]string{}
	for _, o := range objects {
		text, _ := o.Fields[v.t.Variant].(string)
		out[text] = o.ID
	}
	return out
}

// only is the one change of a plan.
func (v sameName) only(p *plan.Plan, action plan.Action, id string) *plan.Change {
	v.w.t.Helper()
	if len(p.Changes) != 1 || p.Changes[0].Action != action || p.Changes[0].ResourceID != id {
		v.w.t.Fatalf("the plan is not to %s %q: %v", action, id, p.ExecutionOrder)
	}
	return p.Changes[0]
}

// unclear fails unless a configuration is refused because it may mean one of several.
func (v sameName) unclear(text string, mode plan.Mode, names ...string) {
	v.w.t.Helper()
	_, diags := v.w.tryPlanAs(text, mode)
	i := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.LiveAmbiguous })
	if i < 0 {
		v.w.t.Fatalf("it is not refused: %v", diags)
	}
	for _, name := range names {
		if !strings.Contains(diags[i].Detail, name) {
			v.w.t.Errorf("%q is not named: %s", name, diags[i].Detail)
		}
	}
}

// tryPlanAs is a plan of a mode, or what is wrong with the configuration.
func (w *world) tryPlanAs(text string, mode plan.Mode) (*plan.Plan, diag.List) {
	w.t.Helper()
	walk, diags := w.walk(text)
	if diags.HasErrors() {
		return nil, diags
	}
	walk.Request.Mode = mode
	diags, err := walk.Read(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	more, err := walk.Build(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return walk.Plan, append(diags, more...)
}

// Resources of one name that differ in their variant are as many resources: each is
// created, updated, deleted, exported and restored by itself, and never in the place of
// another one.
func TestVariants(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sameName) {
		both := v.text(nil, "1.0.0", "2.0.0")
		v.w.run(v.w.plan(both, plan.ModeSync))
		v.w.settled(both, plan.ModeSync)
		v.w.settled(both, plan.ModeApply)
		ids := v.ids()
		if len(ids) != 2 {
			t.Fatalf("%d exist", len(ids))
		}
		changed := v.text(map[string]any{"description": "changed"}, "1.0.0", "2.0.0")
		for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
			v.only(v.w.plan(changed, mode), plan.Update, ids["2.0.0"])
		}
		v.w.run(v.w.plan(changed, plan.ModeApply))
		v.w.settled(changed, plan.ModeSync)

		first := v.text(nil, "1.0.0")
		if p := v.w.plan(first, plan.ModeApply); !p.Empty() {
			t.Errorf("apply changes what is not declared: %v", p.ExecutionOrder)
		}
		p := v.w.plan(first, plan.ModeSync)
		if c := v.only(p, plan.Delete, ids["2.0.0"]); c.Identity[v.t.Variant] != "2.0.0" {
			t.Errorf("the plan does not say which one is deleted: %v", c.Identity)
		}
		v.w.run(p)
		v.w.undo(p, "")
		v.w.settled(changed, plan.ModeSync)

		three := v.text(nil, "1.0.0", "3.0.0", "2.0.0")
		p = v.w.plan(three, plan.ModeApply)
		if !slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Action == plan.Create && c.Fields[v.t.Variant] == "3.0.0" }) {
			t.Fatalf("the third is not created: %v", p.ExecutionOrder)
		}
		v.w.run(v.w.plan(three, plan.ModeSync))
		v.w.settled(three, plan.ModeSync)
		back := exported(t, v.w, export.WriteOptions{})
		loadsQuietly(t, v.w, back)
		v.w.settled(back, plan.ModeSync)
		for _, x := range []string{"1.0.0", "2.0.0", "3.0.0"} {
			if !strings.Contains(back, fmt.Sprintf("%s: %q", v.t.Variant, x)) {
				t.Errorf("the export has no %s", x)
			}
		}
		v.w.run(v.w.planAs(three, plan.ModeDelete, nil))
		if left := v.ids(); len(left) > 0 {
			t.Errorf("a delete leaves %v", left)
		}
	})
}

// Where one name is declared once and is there once, its variant is a field. Where it is
// not clear which one is meant, nothing is changed.
func TestVariantsAreNotGuessed(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sameName) {
		one := v.text(nil, "1.0.0")
		v.w.run(v.w.plan(one, plan.ModeSync))
		id := v.ids()["1.0.0"]
		two := v.text(nil, "2.0.0")
		for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
			v.only(v.w.plan(two, mode), plan.Update, id)
			v.unclear(v.text(nil, "2.0.0", "3.0.0"), mode, id)
		}
		if d := v.w.try(v.text(nil, "1.0.0", "1.0.0")); !slices.ContainsFunc(d, func(d diag.Diagnostic) bool { return d.Code == diag.CfgDuplicate }) {
			t.Errorf("one declared twice is not refused: %v", d)
		}
		v.w.run(v.w.plan(two, plan.ModeSync))
		v.w.settled(two, plan.ModeSync)
		both := v.text(nil, "2.0.0", "3.0.0")
		v.w.run(v.w.plan(both, plan.ModeSync))
		if ids := v.ids(); len(ids) != 2 || ids["2.0.0"] != id {
			t.Fatalf("the second took the place of the first: %v", ids)
		}
		state := stored(t, v.w)
		for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync, plan.ModeDelete} {
			v.unclear(v.text(nil, "4.0.0"), mode, id, "3.0.0")
			v.unclear(v.text(nil, ""), mode, id, "3.0.0")
			v.unclear(v.text(nil, "2.0.0", "4.0.0"), mode, v.ids()["3.0.0"])
		}
		if stored(t, v.w) != state {
			t.Error("something was changed")
		}
		v.w.vars = map[string]string{"LAW_VARIANT": "2.0.0"}
		v.w.settled(strings.Replace(both, `"2.0.0"`, "!env LAW_VARIANT", 1), plan.ModeSync)
	})
}

// What belongs to nobody and has the name is not passed over, and the message says what to
// adopt; declared as external, it stays beside the new one.
func TestVariantsOfOthers(t *testing.T) {
	eachVariant(t, func(t *testing.T, v sameName) {
		fields := sampler{t: v.t, n: 9, refs: newScene(v.w, v.t).reference}.sample(nil)
		for _, f := range v.t.Identity {
			fields[f] = "One Name"
		}
		fields[v.t.Variant] = "1.0.0"
		o, err := v.w.target.Create(context.Background(), remote.Scope{Type: v.t}, "", remote.Write{Fields: fields})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []string{"1.0.0", "2.0.0", ""} {
			_, diags := v.w.tryPlanAs(v.text(nil, x), plan.ModeApply)
			if i := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.LiveUnmanaged }); i < 0 || !strings.Contains(diags[i].Detail, o.ID) {
				t.Errorf("%q is planned beside what belongs to nobody: %v", x, diags)
			}
		}
		beside := v.text(nil, "2.0.0") + fmt.Sprintf("- {ref: other, _external: {id: %s}}\n", o.ID)
		p := v.w.plan(beside, plan.ModeSync)
		v.only(p, plan.Create, "")
		v.w.run(p)
		v.w.settled(beside, plan.ModeSync)
		now, err := v.w.target.Read(context.Background(), remote.Scope{Type: v.t}, o.ID)
		if err != nil || !resource.SameIdentity(v.t.Neutral(), fields, now) || v.t.Neutral().Fingerprint(now) != v.t.Neutral().Fingerprint(o) {
			t.Errorf("the other one was changed: %v", err)
		}
	})
}
