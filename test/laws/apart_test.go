package laws

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// referring is a declaration of the scene's type whose field refers to a resource.
func (s *scene) referring(field, parent, ref string) (map[string]any, bool) {
	p := value.ParsePath(field)
	if field == s.t.MapKey {
		fields := s.sampled(s.t, parent, nil)
		fields[field] = refTo{ref: ref}
		return fields, true
	}
	for _, f := range append(allFeatures(s.t), nil) {
		if f != nil && !f.leadsTo(p) {
			continue
		}
		fields := s.sampled(s.t, parent, f)
		for _, at := range value.Places(fields, p) {
			v, _ := value.Get(fields, at)
			if _, isList := v.([]any); isList {
				value.Set(fields, at, []any{refTo{ref: ref}})
			} else {
				value.Set(fields, at, refTo{ref: ref})
			}
			return fields, true
		}
	}
	return nil, false
}

// A reference between two types that lie below the same type leads to what lies below
// the same resource of it. Another one is refused where it stands, before anything is
// written, and the embedded Konnect refuses it too.
func TestReferenceStaysBelowOneResource(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d references", tried.Load())
		if tried.Load() < 16 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, ref := range typ.References {
			w := newWorld(t)
			to := w.cat.Kind(ref.Kind)
			if to == nil || to.ReadOnly || catalog.Shared(typ, to) == nil {
				continue
			}
			tried.Add(1)
			s := newScene(w, typ)
			own, other := s.parent(typ), s.parent(to)
			target := s.addMinimal(to, other, nil)
			s.below = own
			fields, ok := s.referring(ref.Field, own, target)
			if !ok {
				t.Errorf("no sample has %s.%s", typ.Kind, ref.Field)
				continue
			}
			s.n++
			from := s.add(typ, fields, own)
			_, diags := w.tryPlan(s.text(), "")
			at := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefOtherParent && d.Pos.Line > 0 })
			if at < 0 || len(w.wire.writes) > 0 {
				t.Errorf("%s.%s of %s refers to what lies below another %s: %v", typ.Kind, ref.Field, from, catalog.Shared(typ, to).Kind, diags)
			}
		}
	})
}

// What a field names and must exist is an error where it does not, before anything is
// written; what it names and no input declares stays.
func TestNamedMustExist(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 8 {
			t.Errorf("only %d fields were tried", tried.Load())
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, n := range typ.Namings {
			if n.Inside != "" {
				continue // an item of the parent is no resource
			}
			for _, field := range n.Fields {
				tried.Add(1)
				t.Run(field, func(t *testing.T) { namedExists(t, newWorld(t), typ, n, field) })
			}
		}
	})
}

func namedExists(t *testing.T, w *world, typ *catalog.Bound, n catalog.Naming, field string) {
	t.Helper()
	other := w.cat.Kind(n.Kind)
	declare := func(name string, named bool) string {
		s := newScene(w, typ)
		parent := s.parent(typ)
		s.below = parent
		fields, ok := s.naming(field, parent, name)
		if !ok {
			t.Fatalf("no sample has %s", field)
		}
		s.add(typ, fields, parent)
		if named {
			s.addMinimal(other, parent, map[string]any{other.Identity[0]: called})
		}
		return s.text()
	}
	unknown := func(diags diag.List) bool {
		return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
			return d.Code == diag.RefUnknown && d.Severity == diag.Error && d.Pos.Line > 0
		})
	}
	if _, diags := w.tryPlan(declare("nope", true), ""); unknown(diags) == n.Open || len(w.wire.writes) > 0 {
		t.Errorf("a name that nothing has: %v", diags)
	}
	if n.Open {
		return
	}
	w.run(w.plan(declare(called, true), plan.ModeSync))
	if _, diags := w.tryPlan(declare("nope", false), ""); !unknown(diags) {
		t.Errorf("a name that Konnect does not have: %v", diags)
	}
	walk := w.loaded(declare(called, false))
	walk.Request.Mode, walk.Request.Prune = plan.ModeSync, resource.PruneFull
	w.build(walk)
	for _, c := range walk.Plan.Changes {
		if c.Action == plan.Delete && c.ResourceName == called {
			t.Errorf("it is deleted while %s names it", field)
		}
	}
	if len(walk.Plan.Warnings) == 0 {
		t.Error("the plan does not say that it stays")
	}
}
