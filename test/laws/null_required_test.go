package laws

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Null for a field that is required, in whatever form of what it stands in, is refused
// where it stands, or is a value like any other: Konnect has it, and nothing is left to
// do.
func TestNullForWhatIsRequired(t *testing.T) {
	var ends tally
	afterAll(t, func() {
		t.Log(&ends)
		if ends.of("refused") < 500 || ends.of("taken") < 5 {
			t.Error("too few fields were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		w, tried := newWorld(t), map[string]bool{}
		for form := range forms(typ.Write(), 0) {
			s := newScene(w, typ)
			if typ.Parent != nil {
				s.below = s.parent(typ)
			}
			full := sampler{t: typ, n: 1, refs: s.reference}.everything(form)
			if w.try(s.with(full)).HasErrors() {
				continue
			}
			for _, at := range requiredIn(typ, full) {
				above, _ := value.Get(full, at[:len(at)-1])
				m, _ := above.(map[string]any)
				key := fmt.Sprint(at.Generic(), slices.Sorted(maps.Keys(m)))
				if tried[key] {
					continue
				}
				tried[key] = true
				null, _ := value.Clone(full).(map[string]any)
				value.Set(null, at, nil)
				ends.add(w.takes(s.with(null), at), 1)
			}
		}
	})
}

// takes reports whether a configuration with null in a field is refused or taken.
func (w *world) takes(text string, at value.Path) string {
	w.t.Helper()
	diags := w.try(text)
	if !diags.HasErrors() {
		w.run(w.plan(text, plan.ModeSync))
		w.settled(text, plan.ModeApply)
		w.settled(text, plan.ModeSync)
		return "taken"
	}
	if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Pos.Line > 0 && strings.Contains(d.Detail+d.Fix, at[len(at)-1])
	}) {
		w.t.Errorf("%s: refused, and not by its name: %v", at, diags.Err())
	}
	return "refused"
}

// requiredIn are the fields of a sample that no declaration of its forms can be without.
func requiredIn(t *catalog.Bound, full map[string]any) (out []value.Path) {
	var visit func(at value.Path, x any)
	visit = func(at value.Path, x any) {
		switch d := x.(type) {
		case []any:
			for i, y := range d {
				visit(at.Index(i), y)
			}
		case map[string]any:
			s := t.Write()
			if len(at) > 0 {
				s = catalog.SchemaAt(s, at, full)
			}
			for _, k := range slices.Sorted(maps.Keys(d)) {
				if s != nil {
					if f := s.Object(d).Field(k); f != nil && f.Required {
						out = append(out, at.Child(k))
					}
				}
				visit(at.Child(k), d[k])
			}
		}
	}
	visit(nil, full)
	return out
}
