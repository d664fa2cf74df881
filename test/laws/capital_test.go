package laws

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// capitals writes the identity in capitals, as far as it is the same in any case.
func (f *family) capitals(text string) string {
	t := f.s.t
	fields := sampler{t: t, n: f.n, refs: f.s.reference}.sample(nil)
	for _, name := range t.Identity {
		v, _ := value.Get(fields, value.ParsePath(name))
		is, ok := v.(string)
		other := strings.ToUpper(is)
		if ok && is != other && resource.SameField(t.Neutral(), name, is, other) {
			return strings.ReplaceAll(text, is, other)
		}
	}
	f.s.w.t.Fatalf("the identity of %s has no letters", t.Kind)
	return ""
}

// What is declared in another case than Konnect has, and is the same in any case, is
// found, deleted, replaced and restored.
func TestOtherCase(t *testing.T) {
	var deleted, replaced atomic.Int64
	afterAll(t, func() {
		if deleted.Load() == 0 || replaced.Load() == 0 {
			t.Errorf("%d deleted, %d replaced", deleted.Load(), replaced.Load())
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		if !slices.ContainsFunc(typ.Identity, func(name string) bool { return resource.SameField(typ.Neutral(), name, "a", "A") }) {
			return
		}
		f := newFamily(newWorld(t), typ)
		w, here := f.s.w, f.s.text()
		there := f.capitals(here)
		w.keep = true
		w.run(w.plan(here, plan.ModeSync))
		w.settled(there, plan.ModeSync)
		w.settled(there, plan.ModeApply)

		deleted.Add(1)
		p := w.planAs(there, plan.ModeDelete, nil)
		if !touches(p, plan.Delete, typ.Kind) {
			t.Errorf("%s in another case is not deleted", typ.Kind)
		}
		w.run(p)
		if cannot := w.undo(p, "plans never contain secrets"); len(cannot) == 0 {
			w.settled(there, plan.ModeSync)
		} else {
			w.run(w.plan(here, plan.ModeSync))
		}

		after := f.replaced()
		if after == "" {
			return
		}
		replaced.Add(1)
		p = w.plan(f.capitals(after), plan.ModeSync, f.ref)
		if !replaces(p) {
			t.Fatalf("%s in another case is not created again: %v", f.ref, p.Blocked)
		}
		w.run(p)
		w.settled(after, plan.ModeSync)
		if cannot := w.undo(p, "plans never contain secrets"); len(cannot) == 0 {
			w.settled(there, plan.ModeSync)
		}
	})
}

// touches reports whether a plan has a change of a type.
func touches(p *plan.Plan, action plan.Action, kind string) bool {
	for i := range p.Changes {
		if p.Changes[i].Action == action && p.Changes[i].ResourceType == kind {
			return true
		}
	}
	return false
}
