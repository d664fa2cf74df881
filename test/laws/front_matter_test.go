package laws

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
)

// twoValues are two values of a field that front matter may stand for.
func twoValues(t *catalog.Bound, field string) (string, string) {
	if s := t.Write().At([]string{field}, nil).Deref(); len(s.Enum) > 1 {
		return fmt.Sprint(s.Enum[0]), fmt.Sprint(s.Enum[1])
	}
	return "one", "other"
}

// What people change in Konnect after its front matter was read comes back from an
// export: that loads, and plans nothing. It stays when the content changes, and a new
// Konnect gets the same.
func TestExportOfOverriddenFrontMatter(t *testing.T) {
	var fields tally
	afterAll(t, func() {
		if n := fields.n["fields"]; n < 20 {
			t.Errorf("%d fields were tried", n)
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, field := range typ.FrontMatter {
			for _, back := range []bool{false, true} {
				t.Run(fmt.Sprint(field, back), func(t *testing.T) {
					says, other := twoValues(typ, field)
					if back {
						says, other = other, says
					}
					fields.add("fields", 1)
					overridden(t, newScene(newWorld(t), typ), field, says, other)
				})
			}
		}
	})
}

func overridden(t *testing.T, s *scene, field, says, other string) {
	t.Helper()
	const text = "# First text"
	sample := map[string]any{catalog.Content: fmt.Sprintf("---\n%s: %s\n---\n%s\n", field, says, text), field: says}
	s.minimalWith(s.t, sample)
	declared := s.text()
	s.w.run(s.w.plan(declared, plan.ModeApply))
	s.w.plan(declared, plan.ModeApply)
	_, scope, o := s.found()
	if _, err := s.w.target.Update(t.Context(), scope, o.ID, remote.Write{Fields: map[string]any{field: other}}); err != nil {
		t.Fatal(err)
	}
	for _, form := range []export.WriteOptions{{}, {SkipDefaults: true}} {
		out := exported(t, s.w, form)
		if !strings.Contains(out, catalog.OverrideKey+": true") {
			t.Errorf("the key is missing:\n%s", out)
		}
		loadsQuietly(t, s.w, out)
		s.w.settled(out, plan.ModeSync)
		s.w.settled(out, plan.ModeApply)
		text, next := text, fmt.Sprintf("# Next text %v", form.SkipDefaults)
		if form.SkipDefaults {
			text = "# Next text false"
		}
		changed := strings.ReplaceAll(out, text, next)
		if changed == out {
			t.Fatalf("the text is not there:\n%s", out)
		}
		s.w.run(s.w.plan(changed, plan.ModeSync))
		s.w.settled(changed, plan.ModeSync)
		fresh := newWorld(t)
		fresh.run(fresh.plan(changed, plan.ModeApply))
		fresh.settled(changed, plan.ModeSync)
	}
}
