package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// A declared order that leaves something out, declared or not, names it; one that
// lists all, and one that nobody wrote, name nothing.
func TestOrdersNameWhatTheyLeaveOut(t *testing.T) {
	t.Parallel()
	cat := testkit.Catalog(t)
	for _, typ := range cat.All() {
		field := catalog.OrderField(typ)
		if field == "" {
			continue
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			of := cat.Kind(typ.Orders)
			config := func(items int, listed ...int) string {
				s := newScene(w, of)
				parent := s.parent(of)
				var refs []any
				for range items {
					refs = append(refs, refTo{ref: s.addMinimal(of, parent, nil)})
				}
				order := []any{}
				for _, i := range listed {
					order = append(order, refs[i])
				}
				if listed != nil {
					s.add(typ, map[string]any{field: order}, parent)
				}
				return s.text()
			}
			w.run(w.plan(config(3, 0, 1, 2), plan.ModeApply))
			for _, row := range []struct {
				name, text string
				mode       plan.Mode
				want       int
			}{
				{"all", config(3, 2, 0, 1), plan.ModeSync, 0},
				{"no order", config(3), plan.ModeSync, 0},
				{"two declared ones left out", config(3, 1), plan.ModeSync, 2},
				{"an undeclared one that stays", config(2, 1, 0), plan.ModeApply, 1},
				{"an undeclared one that is deleted", config(2, 1, 0), plan.ModeSync, 0},
			} {
				got := 0
				for _, x := range w.plan(row.text, row.mode).Warnings {
					if x.ResourceType == typ.Kind && strings.Contains(x.Message, "does not list") {
						got += strings.Count(x.Message, `"`) / 2
					}
				}
				if got != row.want {
					t.Errorf("%s: %d are named, want %d", row.name, got, row.want)
				}
			}
			s := config(3, 0)
			empty := s[:strings.LastIndex(s, "[")] + "[]" + s[strings.LastIndex(s, "]")+1:]
			p := w.plan(empty, plan.ModeSync)
			if len(p.Warnings) != 1 || strings.Count(p.Warnings[0].Message, `"`) != 6 {
				t.Errorf("an empty order: %v\n%s", p.Warnings, empty)
			}
		})
	}
}

// What a written order lists comes first, in its order, whatever was there before and
// whatever is new; what it does not list comes after it.
func TestWrittenOrderComesFirst(t *testing.T) {
	t.Parallel()
	cat := testkit.Catalog(t)
	for _, typ := range cat.All() {
		field := catalog.OrderField(typ)
		if field == "" {
			continue
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			of := cat.Kind(typ.Orders)
			for _, row := range []struct {
				name          string
				before, after []int // indexes in the order; all of them are declared
				items, then   int
				mode          plan.Mode
			}{
				{"a part of a whole order", []int{2, 1, 0}, []int{0}, 3, 3, plan.ModeSync},
				{"a part that is in order, with others between", []int{0, 1, 2}, []int{0, 2}, 3, 3, plan.ModeSync},
				{"new ones, against the order of their list", []int{0}, []int{2, 1, 0}, 1, 3, plan.ModeSync},
				{"the first ones, against the order of their list", nil, []int{1, 0}, 0, 2, plan.ModeSync},
				{"a new one before one that is not listed", []int{0, 1}, []int{2}, 2, 3, plan.ModeSync},
				{"one that is not declared any more", []int{1, 0}, []int{0}, 2, 1, plan.ModeSync},
				{"one that is not declared and stays", []int{1, 0}, []int{0}, 2, 1, plan.ModeApply},
			} {
				w := newWorld(t)
				config := func(items int, listed []int) string {
					s := newScene(w, of)
					parent := s.parent(of)
					order := make([]any, len(listed))
					for i := range items {
						ref := refTo{ref: s.addMinimal(of, parent, nil)}
						if at := slices.Index(listed, i); at >= 0 {
							order[at] = ref
						}
					}
					if listed != nil {
						s.add(typ, map[string]any{field: order}, parent)
					}
					return s.text()
				}
				w.run(w.plan(config(row.items, row.before), plan.ModeSync))
				text := config(row.then, row.after)
				w.run(w.plan(text, row.mode))
				w.settled(text, row.mode)
				p := w.plan(text, row.mode)
				if len(p.Changes) != 0 {
					t.Fatalf("%s: %v", row.name, p.Changes)
				}
				var want, got []string
				for _, r := range w.set.Resources {
					if o := w.snap.Object(r); o != nil && r.Type.Kind == typ.Kind {
						got = value.TextsAt(o.Fields, value.ParsePath(field))
					}
				}
				siblings := map[string]string{}
				for _, r := range w.set.Resources {
					if r.Type.Kind == of.Kind {
						siblings[r.Ref] = w.snap.Object(r).ID
					}
				}
				for _, r := range w.set.Resources {
					if r.Type.Kind == typ.Kind {
						for _, x := range r.Fields.Lookup(value.ParsePath(field)).Items() {
							want = append(want, siblings[x.Expr().Name])
						}
					}
				}
				if len(want) != len(row.after) || len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
					t.Errorf("%s: the order is %v, and the declared one is %v", row.name, got, want)
				}
			}
		})
	}
}
