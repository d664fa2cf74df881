package laws

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// referring is a declaration of the scene's type whose field refers to a resource: to is
// a reference, or an id.
func (s *scene) referring(field, parent string, to any) (map[string]any, bool) {
	p := value.ParsePath(field)
	if field == s.t.MapKey {
		fields := s.sampled(s.t, parent, nil)
		fields[field] = to
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
				value.Set(fields, at, []any{to})
			} else {
				value.Set(fields, at, to)
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
			fields, ok := s.referring(ref.Field, own, refTo{ref: target})
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
