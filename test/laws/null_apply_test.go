package laws

import (
	"maps"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// mostNulls is how many fields of one form of a type the law of nulls tries.
const mostNulls = 12

// Null takes a field back with apply, as sync takes back what is not declared: after it,
// a sync of the declaration without the field has nothing to do.
func TestNullUnsetsWithApply(t *testing.T) {
	var tried atomic.Int64
	eachType(t, func(_ *testing.T, s *scene) {
		for form := range min(forms(s.t.Write(), 0), 3) {
			tried.Add(int64(nullsApplied(s.w.t, s.t.Kind, form)))
		}
	})
	afterAll(t, func() {
		t.Logf("%d fields were tried", tried.Load())
		if tried.Load() < 200 {
			t.Errorf("too few")
		}
	})
}

// nullsApplied declares one resource for each field that a form of a type need not have,
// then applies null for it.
func nullsApplied(t *testing.T, kind string, form int) int {
	w := newWorld(t)
	typ := w.cat.Kind(kind)
	was := newScene(w, typ)
	type row struct {
		full, null, without map[string]any
		below               string
	}
	var rows []row
	tried := map[string]bool{}
	for i := 0; i < 200; i++ {
		if typ.Parent != nil && (!shares(typ) || was.below == "") {
			was.below = was.parent(typ)
		}
		was.at = &making{typ, was.below}
		full := sampler{t: typ, n: 100*(form+1) + i, refs: was.reference}.everything(form)
		list := spread(optional(typ, full), mostNulls)
		if i >= len(list) {
			break
		}
		at := list[i]
		if typ.Immutable(at.Generic()) || at.String() == "name" && catalog.MayLackName(typ) {
			continue // TestNullReplaces, and TestUnnamedComesBack: without it the ref is the name
		}
		null, _ := value.Clone(full).(map[string]any)
		value.Set(null, at, nil)
		without, _ := value.Clone(full).(map[string]any)
		value.Delete(without, at)
		if w.valid(typ, full, tried) && w.valid(typ, without, tried) {
			rows = append(rows, row{full, null, without, was.below})
		}
	}
	for _, r := range rows {
		was.known(r.full, r.null, r.without)
	}
	is := &scene{w: w, t: typ, lists: maps.Clone(was.lists)}
	gone := &scene{w: w, t: typ, lists: maps.Clone(was.lists)}
	for _, r := range rows {
		was.add(typ, r.full, r.below)
		is.add(typ, r.null, r.below)
		gone.add(typ, r.without, r.below)
	}
	if len(rows) == 0 {
		return 0
	}
	w.run(w.plan(was.text(), plan.ModeSync))
	w.run(w.plan(is.text(), plan.ModeApply))
	w.settled(is.text(), plan.ModeApply)
	w.settled(gone.text(), plan.ModeSync)
	return len(rows)
}
