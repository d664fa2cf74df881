package laws

import (
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// given are the fields of a gateway's service, and of its control plane, by the
// kind of value that they have.
var given = []struct{ kind, ref string }{
	{"text", "giver#host"},
	{"number", "giver#port"},
	{"boolean", "giver#enabled"},
	{"list", "giver#tags"},
	{"mapping", "giver-cp#config"},
}

// giver makes what they are fields of, and declares it.
func (w *world) giver() string {
	cp := w.post("/v2/control-planes", map[string]any{"name": "giver-cp"})
	w.post("/v2/control-planes/"+cp+"/core-entities/services", map[string]any{"name": "giver", "host": "nothing.of-this.kind", "port": 8080, "tags": []any{"a"}})
	return "external_resources: [{ref: giver-cp, resource_type: control_plane, id: " + cp + "}, {ref: giver, resource_type: ce_service, control_plane: giver-cp, selector: {matchFields: {name: giver}}}]\n"
}

func jsonKind(x any) string {
	switch x.(type) {
	case string:
		return "text"
	case json.Number, int, float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "list"
	case map[string]any:
		return "mapping"
	default:
		return "" // a tag, or null
	}
}

// taking is a sample whose field takes its value from elsewhere; the others of
// the scene are as they were.
func taking(w *world, t *catalog.Bound, f feature, p value.Path, ref string) (text string, before any) {
	s := newScene(w, t)
	if t.Parent != nil {
		s.below = s.parent(t)
	}
	fields := sampler{t: t, n: 7, refs: s.reference}.sample(f)
	fields, _ = value.Clone(fields).(map[string]any)
	before, _ = value.Get(fields, p)
	if ref != "" {
		value.Set(fields, p, refTo{ref: ref})
	}
	s.add(t, fields, s.below)
	return s.text(), before
}

// A field that cannot take a value of a kind refuses it where it stands, before
// anything is read; numbers and booleans become text. The list that is given holds
// texts.
func TestReferenceToAnotherKind(t *testing.T) {
	var tried, refused atomic.Int64
	afterAll(t, func() {
		t.Logf("%d values of other resources, %d refused", tried.Load(), refused.Load())
		if tried.Load() < 700 || refused.Load() < 400 {
			t.Error("too few were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		other := w.giver()
		seen := map[string]bool{}
		for _, f := range append([]feature{nil}, features(s.t)...) {
			sample, _ := value.Clone(sampler{t: s.t, n: 7, refs: func(string) any { return refTo{ref: "x"} }}.sample(f)).(map[string]any)
			for _, p := range paths(nil, sample) {
				at := catalog.SchemaAt(s.t.Write(), p, sample)
				kind := jsonKind(must(value.Get(sample, p)))
				if seen[p.String()+kind] || kind == "" || at == nil || at.Secret || at.Type == "" || s.t.HasLabels() && p.String() == "labels" {
					continue
				}
				if _, refers := s.t.Reference(p.Generic()); refers {
					continue
				}
				if text, _ := taking(w, s.t, f, p, ""); w.try(merged(text, other)).HasErrors() {
					continue // not a sample that can be had
				}
				seen[p.String()+kind] = true
				for _, g := range given {
					text, _ := taking(w, s.t, f, p, g.ref)
					unfit := slices.ContainsFunc(w.try(merged(text, other)), func(d diag.Diagnostic) bool {
						return d.Code == diag.RefValue && d.Pos.Line > 0 && strings.Contains(d.Detail, " "+p.String()+" from "+strings.TrimPrefix(g.ref[strings.Index(g.ref, "#"):], "#")+" ")
					})
					fits := g.kind == kind && (kind != "list" || resource.Texts.Fit(catalog.Kinds(catalog.SchemaAt(s.t.Write(), p.Index(0), sample)))) || kind == "text" && (g.kind == "number" || g.kind == "boolean")
					tried.Add(1)
					if unfit {
						refused.Add(1)
					}
					if unfit == fits {
						t.Errorf("%s %s, which is %s, from a %s: refused is %v", s.t.Kind, p, kind, g.kind, unfit)
					}
				}
			}
		}
	})
}

// A text that is not one of those that a field takes is refused while planning.
func TestReferenceToAnotherText(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fields with a list of texts", tried.Load())
		if tried.Load() < 15 {
			t.Error("too few were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		other := w.giver()
		seen := map[string]bool{}
		for _, f := range append([]feature{nil}, features(s.t)...) {
			sample, _ := value.Clone(sampler{t: s.t, n: 7, refs: func(string) any { return refTo{ref: "x"} }}.sample(f)).(map[string]any)
			for _, p := range paths(nil, sample) {
				at := catalog.SchemaAt(s.t.Write(), p, sample)
				if seen[p.String()] || at == nil || at.Secret || at.Type != "string" || len(at.Enum) == 0 {
					continue
				}
				if text, _ := taking(w, s.t, f, p, ""); w.try(merged(text, other)).HasErrors() {
					continue
				}
				seen[p.String()] = true
				text, _ := taking(w, s.t, f, p, "giver#host")
				_, diags := w.tryPlan(merged(text, other), "")
				tried.Add(1)
				if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefValue && d.Pos.Line > 0 }) {
					t.Errorf("%s %s takes a text that it does not allow: %v", s.t.Kind, p, diags)
				}
			}
		}
	})
}

// What Konnect is said not to fill in has no value when it is not declared.
func TestUndeclaredFieldsHaveNoValue(t *testing.T) {
	var empty, filled atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fields have no value where they are not declared, %d may", empty.Load(), filled.Load())
		if empty.Load() < 12 {
			t.Error("too few fields were found empty")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		ref := s.minimal(s.t)
		text := s.text()
		s.w.run(s.w.plan(text, plan.ModeApply))
		s.w.plan(text, plan.ModeApply)
		for _, r := range s.w.set.Resources {
			if r.Ref != ref || catalog.Of(r) != s.t {
				continue
			}
			for _, f := range features(s.t) {
				p := f.path()
				if len(p) == 0 || len(p.Generic()) < len(p) || !r.Fields.Lookup(p).IsAbsent() {
					continue
				}
				v, _ := s.t.Neutral().Field(s.w.snap.Object(r), p)
				switch {
				case s.t.Neutral().Fills(r, p):
					filled.Add(1)
				case v != nil:
					t.Errorf("%s.%s is %v, and was said to have no value", s.t.Kind, p, v)
				default:
					empty.Add(1)
				}
			}
		}
	})
}

// Numbers and booleans of other resources are written as text, and found again.
func TestReferenceBecomesText(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 5 {
			t.Errorf("only %d were tried", tried.Load())
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, field := range []string{"description", "labels.port"} {
			p := value.ParsePath(field)
			if at := catalog.SchemaAt(s.t.Write(), p, nil); at == nil || at.Type != "string" {
				continue
			}
			w := newWorld(t)
			typ := w.cat.Kind(s.t.Kind)
			text, _ := taking(w, typ, nil, p, "giver#port")
			text = merged(text, w.giver())
			if w.try(text).HasErrors() {
				continue
			}
			tried.Add(1)
			w.run(w.plan(text, plan.ModeSync))
			w.settled(text, plan.ModeSync)
			w.settled(text, plan.ModeApply)
		}
	})
}
