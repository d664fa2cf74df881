package laws

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// namingFields are the fields of a type that name what must exist, with its kind: "" for
// an item of the parent.
func namingFields(t *catalog.Bound) map[string]string {
	out := map[string]string{}
	for _, n := range t.Namings {
		for _, field := range n.Fields {
			if !n.Open {
				out[field] = n.Kind
			}
		}
	}
	for above, ref := range catalog.Either(t) {
		out[above+".name"] = ref.Kind
	}
	return out
}

// A variable may hold the name of what must exist, and what is named may have its name
// from one. Another value is refused where the variable stands, before anything is
// written, and no message has the value.
func TestVariableNamesWhatExists(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 10 {
			t.Errorf("only %d fields were tried", tried.Load())
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		fields := namingFields(typ)
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			tried.Add(1)
			t.Run(field, func(t *testing.T) { variableNames(t, newWorld(t), typ, field, fields[field]) })
		}
	})
}

func variableNames(t *testing.T, w *world, typ *catalog.Bound, field, kind string) {
	t.Helper()
	const hidden = "hidden-4f1d"
	s := newScene(w, typ)
	parent := s.parent(typ)
	s.below = parent
	fields, ok := s.naming(field, parent, "nope")
	if !ok {
		t.Fatalf("no sample has %s", field)
	}
	for _, ref := range typ.References {
		if _, has := fields[ref.Field]; has && ref.Kind == typ.Kind {
			fields[ref.Field] = s.reference(typ.Kind)
		}
	}
	s.add(typ, fields, parent)
	if to := w.cat.Kind(kind); to != nil {
		s.at = &making{typ, parent}
		owner := s.owner(to)
		s.at = nil
		s.addMinimal(to, owner, map[string]any{to.Identity[0]: tagged{"env", "LAW_NAME"}})
	}
	text := strings.ReplaceAll(s.text(), `"nope"`, "!env LAW_NAMED")
	w.vars = map[string]string{"LAW_NAME": called, "LAW_NAMED": hidden}
	_, diags := w.tryPlan(text, "")
	if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
		return d.Code == diag.RefUnknown && d.Severity == diag.Error && d.Pos.Line > 0
	}) {
		t.Errorf("a variable that names nothing: %v", diags)
	}
	if said := fmt.Sprint(diags); strings.Contains(said, hidden) || len(w.wire.writes) > 0 {
		t.Errorf("it is said, or written: %v", said)
	}
	if kind == "" {
		return
	}
	w.vars["LAW_NAMED"] = called
	if _, diags := w.tryPlan(text, ""); len(diags) > 0 {
		t.Errorf("a variable that names what is declared: %v", diags)
	}
	w.run(w.plan(text, plan.ModeApply))
	w.settled(text, plan.ModeApply)
}
