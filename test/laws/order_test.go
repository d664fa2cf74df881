package laws

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
)

// What had a place in an order comes back to it when its deletion is undone, with
// no word of what cannot be undone.
func TestUndoneOrderIsAsBefore(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		if catalog.OrderOf(s.t) == nil {
			t.Skip("it has no order")
		}
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
