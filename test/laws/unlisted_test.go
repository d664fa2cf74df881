package laws

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
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
