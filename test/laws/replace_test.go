package laws

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// tagged stands in a sample where a tag with a text is written.
type tagged struct{ tag, text string }

// wrongText is a text that Konnect refuses in a field; "" when it takes any.
func wrongText(t *catalog.Bound, p value.Path, sample any) string {
	s := t.Write().At(p.Generic(), sample)
	if s == nil || s.Type != "string" || s.Secret {
		return ""
	}
	_, formatted := t.Format(p.Generic())
	switch {
	case formatted:
		return "not_of_the_format"
	case len(s.Enum) > 0 || s.Const != nil:
		return "no-such-value"
	case s.MaxLength != nil && *s.MaxLength < 5000:
		return strings.Repeat("x", *s.MaxLength+1)
	case s.Format == "uuid":
		return "no-uuid"
	case s.Pattern != "" && !form(s.Pattern).MatchString("é \t"):
		return "é \t"
	}
	return ""
}

// wrongPlaces lists the texts of a sample that can be made wrong.
func wrongPlaces(t *catalog.Bound, sample map[string]any) map[string]string {
	out := map[string]string{}
	var visit func(v any, p value.Path)
	visit = func(v any, p value.Path) {
		switch x := v.(type) {
		case map[string]any:
			for k, y := range x {
				visit(y, p.Child(k))
			}
		case string:
			if bad := wrongText(t, p, sample); bad != "" && !t.IsIdentity(p.Generic()) {
				out[p.String()] = bad
			}
		}
	}
	visit(sample, nil)
	for name, s := range own(t.Write().Deref()) {
		if _, there := sample[name]; !there && !s.Deref().ReadOnly {
			visit("", value.Path{name})
		}
	}
	return out
}

// A replace whose new value Konnect would refuse leaves the live resource alone,
// wherever the value comes from.
func TestReplaceThatKonnectWouldRefuse(t *testing.T) {
	var tried tally // wrong values, by type
	afterAll(t, func() {
		t.Logf("wrong values: %s", &tried)
		if all, kinds := tried.sum(); all < 30 || kinds < 3 {
			t.Error("too few were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, pair := range append(variants(s.t), branches(s.t)...) {
			if path := pair[0].path(); s.t.IsIdentity(path) || !s.t.Immutable(path) && len(path) > 0 {
				continue
			}
			w := newWorld(t)
			typ := w.cat.Kind(s.t.Kind)
			before, _, ok1 := one(w, typ, pair[0])
			after, ref, ok2 := one(w, typ, pair[1])
			if !ok1 || !ok2 {
				continue
			}
			w.run(w.plan(before, plan.ModeSync))
			if p := w.plan(after, plan.ModeSync, ref); !replaces(p) {
				continue
			}
			trial := newScene(w, typ)
			trial.sampleOf(pair[1])
			sample := sampler{t: typ, n: trial.n, refs: trial.reference}.sample(pair[1])
			state := stored(t, w)
			for place, bad := range wrongPlaces(typ, sample) {
				for _, way := range []string{"literal", "reference", "variable"} {
					tried.add(typ.Kind, 1)
					if !w.refuses(typ, pair[1], ref, value.ParsePath(place), bad, way) {
						t.Errorf("%s: a wrong %s, by %s, is not refused", pair[1], place, way)
					}
					if now := stored(t, w); now != state {
						t.Fatalf("%s: a wrong %s, by %s, changed something", pair[1], place, way)
					}
				}
			}
		}
	})
}

// branches pairs the forms that a type can have.
func branches(t *catalog.Bound) [][2]feature {
	var out [][2]feature
	for i := range t.Write().Deref().Branches() {
		if i > 0 {
			out = append(out, [2]feature{{{branch: i}}, {{branch: i + 1}}})
		}
	}
	return out
}

func replaces(p *plan.Plan) bool {
	for _, c := range p.Changes {
		if c.Replace {
			return true
		}
	}
	return false
}

// refuses reports whether a configuration with a wrong text is refused before
// anything is written.
func (w *world) refuses(t *catalog.Bound, f feature, allow string, p value.Path, bad, way string) bool {
	s := newScene(w, t)
	if t.Parent != nil {
		s.below = s.parent(t)
	}
	s.n++
	g := sampler{t: t, n: s.n, refs: s.reference}
	fields := g.sample(f)
	good, there := value.Get(fields, p)
	if !there {
		good = g.leaf(t.Write().At(p.Generic(), fields), p)
	}
	switch way {
	case "literal":
		value.Set(fields, p, bad)
	case "reference":
		value.Set(fields, p, refTo{ref: giverName + "#description"})
	case "variable":
		value.Set(fields, p, tagged{"env", "LAW_VALUE"})
	}
	s.add(t, fields, s.below)
	text := s.text()
	if way == "reference" {
		text = merged(text, fmt.Sprintf("apis: [{ref: giver, name: giver, description: %q}]\n", bad))
	}
	w.vars = map[string]string{"LAW_VALUE": fmt.Sprint(good)}
	plan, diags := w.tryPlan(text, allow)
	if diags.HasErrors() {
		return true
	}
	w.vars["LAW_VALUE"] = bad
	before := len(w.wire.writes)
	_, err := execute.Run(context.Background(), w.execution(plan), nil)
	if err != nil && way == "variable" && strings.Contains(err.Error(), bad) {
		w.t.Errorf("the error shows the value: %v", err)
	}
	return err != nil && len(w.wire.writes) == before
}

// tryPlan is a plan of a configuration, or what is wrong with it.
func (w *world) tryPlan(text, allow string) (*plan.Plan, diag.List) {
	w.t.Helper()
	return w.tryMode(text, "", allow)
}

// tryMode is tryPlan in another mode than the usual one.
func (w *world) tryMode(text string, mode plan.Mode, allow ...string) (*plan.Plan, diag.List) {
	w.t.Helper()
	walk, diags := w.walk(text)
	if diags.HasErrors() {
		return nil, diags
	}
	if mode != "" {
		walk.Request.Mode = mode
	}
	if len(allow) > 0 && allow[0] != "" {
		walk.Request.Scope.AllowReplace = allow
	}
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
