package laws

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// What had a place in an order comes back to it when its deletion is undone, with
// no word of what cannot be undone.
func TestUndoneOrderIsAsBefore(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() == 0 {
			t.Error("no type has an order: the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if catalog.OrderOf(s.t) == nil {
			return
		}
		tried.Add(1)
		s.w.keep = true
		below := s.parent(s.t)
		for range 4 {
			s.n++
			s.add(s.t, s.withoutSecrets(below), below)
		}
		here, list := s.text(), s.lists[s.t.Root()]
		first := len(list) - 4
		for _, row := range []struct {
			name string
			left []int
		}{
			{"some between others", []int{1, 3}},
			{"the last one", []int{0, 1, 2}},
			{"all but one", []int{2}},
			{"some, and the others change places", []int{3, 1}},
		} {
			s.w.run(s.w.plan(here, plan.ModeSync))
			some := slices.Clone(list[:first])
			for _, i := range row.left {
				some = append(some, list[first+i])
			}
			s.lists[s.t.Root()] = some
			p := s.w.plan(s.text(), plan.ModeSync)
			s.w.run(p)
			for _, text := range s.w.undo(p, "plans never contain secrets") {
				t.Errorf("%s: %s", row.name, text)
			}
			s.w.settled(here, plan.ModeSync)
		}
	})
}

// Whatever the order of resources that lie below each other is, an export brings it
// back. Orders that the configuration refuses are left out.
func TestExportKeepsNestedOrder(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() == 0 {
			t.Error("no order was tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		chain, beneath := catalog.OrderOf(s.t), catalog.Beneath(s.t)
		if chain == nil || beneath == "" {
			return
		}
		for _, order := range [][]int{{0, 1, 2, 3}, {2, 1, 3, 0}, {1, 0, 2, 3}, {3, 0, 2, 1}, {3, 2, 0, 1}, {0, 3, 2, 1}, {1, 2, 0, 3}} {
			text := nestedIn(t, newScene(s.w, s.t), chain, beneath, order)
			if s.w.try(text).HasErrors() {
				continue
			}
			tried.Add(1)
			s.w.run(s.w.plan(text, plan.ModeSync))
			s.w.settled(text, plan.ModeSync)
			for _, o := range []export.WriteOptions{{}, {SkipDefaults: true}, {ByID: true}} {
				s.w.settled(exported(t, s.w, o), plan.ModeSync)
			}
			stateComesBack(t, s)
		}
	})
}

// nestedIn is a configuration with a resource (0), two below it (1 and 2) and one
// beside it (3), in an order.
func nestedIn(t *testing.T, s *scene, chain *catalog.Bound, beneath string, order []int) string {
	t.Helper()
	s.below = s.parent(s.t)
	for _, f := range allFeatures(s.t) {
		if !f.leadsTo(value.ParsePath(beneath)) {
			continue
		}
		s.n++
		fields := s.sampled(s.t, s.below, f)
		up, ok := fields[beneath].(refTo)
		if !ok {
			continue
		}
		refs := []any{up, refTo{ref: s.add(s.t, fields, s.below)}}
		fields[s.t.Identity[0]] = "the-second-below"
		refs = append(refs, refTo{ref: s.add(s.t, fields, s.below)}, refTo{ref: s.addMinimal(s.t, s.below, nil)})
		list := []any{}
		for _, i := range order {
			list = append(list, refs[i])
		}
		s.add(chain, map[string]any{catalog.OrderField(chain): list}, s.below)
		return s.text()
	}
	t.Fatalf("no sample of %s has %s", s.t.Kind, beneath)
	return ""
}

// withoutSecrets is a small sample of the first form of a type that needs no secret:
// no plan restores those.
func (s *scene) withoutSecrets(below string) map[string]any {
	s.at = &making{s.t, below}
	g := sampler{t: s.t, n: s.n, refs: s.reference}
	for form := range forms(s.t.Write(), 0) {
		sample := g.least(s.t.Write(), g.everything(form), nil)
		secrets := 0
		s.t.Write().Filter(sample, func(field *contract.Schema, _ bool, _ any) bool {
			if field != nil && field.Secret {
				secrets++
			}
			return false
		})
		if secrets == 0 {
			return sample
		}
	}
	s.w.t.Fatalf("each form of %s has secrets", s.t.Kind)
	return nil
}
