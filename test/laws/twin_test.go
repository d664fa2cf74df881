package laws

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// twins are siblings that share all but one of the fields that they are known by.
type twins struct {
	one, other  map[string]any
	above       string
	text, alone string // with both, and with what they stand below alone
	// moved is with both where the other one has another name; "" where no update gives
	// it one.
	moved string
}

// knownBy lists the fields that tell siblings apart: the identity, and what one nests in.
func knownBy(s *scene) []string {
	out := append([]string{}, s.t.Identity...)
	if s.t.Tree != nil {
		out = append(out, s.t.Tree.Parent)
	}
	return out
}

// twinsOf are siblings that differ in one field; false where the type has none, or no
// configuration can have both.
func (w *world) twinsOf(s *scene, field string) (x twins, ok bool) {
	p := value.ParsePath(field)
	s.below = s.parent(s.t)
	s.n++
	x = twins{above: s.below, one: s.sampled(s.t, s.below, nil)}
	s.known(x.one)
	// Another sample has other names, and refers to others.
	s.made = map[string]string{}
	s.n++
	fresh := s.sampled(s.t, s.below, nil)
	if s.t.Tree != nil && field == s.t.Tree.Parent {
		x.one[field], fresh[field] = s.reference(s.t.Kind), s.reference(s.t.Kind)
	}
	s.known(fresh)
	x.other, _ = value.Clone(x.one).(map[string]any)
	x.alone = s.text()
	s.add(s.t, x.one, s.below)
	with := s.copied()
	for _, v := range s.others(p, x.one, fresh) {
		s = with.copied()
		value.Set(x.other, p, v)
		s.add(s.t, maps.Clone(x.other), s.below)
		if x.text = s.text(); !w.try(x.text).HasErrors() {
			x.move(with)
			return x, true
		}
	}
	return x, false
}

// move gives the other one another name beside the first.
func (x *twins) move(with *scene) {
	fields := renames(with.t)
	if len(fields) != 1 {
		return
	}
	s, p := with.copied(), value.ParsePath(fields[0])
	other, _ := value.Clone(x.other).(map[string]any)
	old, _ := value.Get(other, p)
	name := fmt.Sprint(old) + "-too"
	if !strings.Contains(name[:len(name)-4], "-") {
		name = fmt.Sprint(old) + "_too"
	}
	value.Set(other, p, name)
	ref := s.add(s.t, other, s.below)
	moved := s.text() + fmt.Sprintf("moved: [{type: %s, from: %q, to: %s}]\n", s.t.Kind, old, ref)
	if text, isText := old.(string); isText && !strings.Contains(text, "\n") && !s.w.try(moved).HasErrors() {
		x.moved = moved
	}
}

// others are values that a field may have instead of the one in a sample: that of another
// sample first.
func (s *scene) others(p value.Path, one, fresh map[string]any) (out []any) {
	now, _ := value.Get(one, p)
	if v, has := value.Get(fresh, p); has && !reflect.DeepEqual(v, now) {
		out = append(out, v)
	}
	at := s.t.Write().At(p.Generic(), one)
	if _, refers := s.t.Reference(p.Generic()); refers || at == nil {
		return out
	}
	for _, v := range at.Enum {
		if v != nil && v != now {
			out = append(out, v)
		}
	}
	return out
}

// ways are the plans that delete twins, by what else they delete.
func (x twins) ways(s *scene) map[string]func() *plan.Plan {
	isolated := func(t *catalog.Bound) func() *plan.Plan {
		return func() *plan.Plan {
			return s.w.planAs(x.text, plan.ModeDelete, func(r *engine.PlanRequest) {
				r.Scope.Filter.Isolate, r.Scope.AllowCascade = []string{"type:" + t.Kind}, []string{"*"}
			})
		}
	}
	out := map[string]func() *plan.Plan{"with all that there is": s.wipe, "by themselves": isolated(s.t)}
	if above := s.t.Parent; above != nil && !above.ReadOnly {
		out["with what they belong to"] = isolated(s.w.cat.Kind(s.t.Top().Kind))
		said := fmt.Sprintf("%q: %q", "ref", x.above)
		out["because nothing declares them"] = func() *plan.Plan {
			return s.w.plan(strings.Replace(x.alone, said, fmt.Sprintf("%s, %q: []", said, s.t.Key), 1), plan.ModeSync)
		}
	}
	return out
}

// restored undoes a plan and reports whether both are there as before; what secrets keep
// from coming back is made again.
func (x twins) restored(t *testing.T, s *scene, p *plan.Plan) bool {
	t.Helper()
	lost := s.w.undo(p, "plans never contain secrets")
	onlySecretsAreLost(t, lost)
	if len(lost) > 0 {
		s.w.run(s.w.plan(x.text, plan.ModeSync))
		return false
	}
	s.w.settled(x.text, plan.ModeSync)
	return true
}

// Siblings that share all but one of the fields that they are known by are two: they are
// found again, exported, renamed, and restored after they were deleted, by themselves or
// with what they belong to.
func TestTwinsAreTwo(t *testing.T) {
	var tried, restored tally
	afterAll(t, func() {
		t.Logf("twins: %s; restored: %s", &tried, &restored)
		for _, n := range []int{tried.of("pairs") - 95, restored.of("its name") - 25, restored.of("with all that there is") - 80, restored.of("because nothing declares them") - 50} {
			if n < 0 {
				t.Error("too little was tried")
			}
		}
	})
	eachType(t, func(t *testing.T, of *scene) {
		for _, field := range knownBy(of) {
			t.Run(field, func(t *testing.T) {
				s := newScene(newWorld(t), of.t)
				x, ok := s.w.twinsOf(s, field)
				if !ok {
					return
				}
				tried.add("pairs", 1)
				s.w.keep = true
				s.w.run(s.w.plan(x.text, plan.ModeSync))
				s.w.settled(x.text, plan.ModeSync)
				s.w.settled(exported(t, s.w, export.WriteOptions{}), plan.ModeSync)
				if x.moved != "" {
					p := s.w.plan(x.moved, plan.ModeSync)
					if len(p.Changes) != 1 || p.Changes[0].Action != plan.Update {
						t.Fatalf("a move is not one update: %s", s.w.bytes(p))
					}
					s.w.run(p)
					s.w.settled(x.moved, plan.ModeSync)
					if x.restored(t, s, p) {
						restored.add("its name", 1)
					}
				}
				ways := x.ways(s)
				for _, name := range slices.Sorted(maps.Keys(ways)) {
					p := ways[name]()
					if len(p.Blocked) > 0 || !s.t.Optional() {
						continue // others need it
					}
					s.w.run(p)
					if x.restored(t, s, p) {
						restored.add(name, 1)
					}
				}
			})
		}
	})
}
