package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/plan"
)

// builtIn is the name of a resource of a type that Konnect made by itself, "" where it
// makes none.
func (w *world) builtIn(t *catalog.Bound) string {
	w.t.Helper()
	if t.SystemFlag == "" {
		return ""
	}
	all, err := query.Run(w.t.Context(), w.target, w.cat, query.Request{Asked: query.Asked{Type: t.Type}})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, body := range all.Bodies {
		if name, ok := body[t.Identity[0]].(string); ok && body[t.SystemFlag] == true {
			return name
		}
	}
	w.t.Fatalf("Konnect made no %s", t.Kind)
	return ""
}

const builtInFix = "for a built-in one, write !lookup "

// lookedUpBy is the argument of the lookup that a fix says to write.
func lookedUpBy(fix string) string {
	_, after, _ := strings.Cut(fix, builtInFix)
	return strings.TrimSuffix(after, ".")
}

// Where a reference names what is not declared, the fix says how to refer to what
// Konnect made by itself, for the types of which it makes some, and only for those. What
// it says is accepted. Below what Konnect made nothing is declared.
func TestReferenceToBuiltIn(t *testing.T) {
	seen := 0
	for _, typ := range newWorld(t).cat.All() {
		if typ.ReadOnly {
			continue
		}
		for _, ref := range typ.References {
			field, kind := ref.Field, ref.Kind
			w := newWorld(t)
			to := w.cat.Kind(kind)
			if to == nil || to.Parent != nil {
				continue
			}
			name := w.builtIn(to)
			text := func(written any) (string, bool) {
				s := newScene(w, typ)
				below := s.parent(typ)
				fields, ok := s.referring(field, below, written)
				if ok {
					s.add(typ, fields, below)
				}
				return s.text(), ok
			}
			asked := name
			if asked == "" {
				asked = "nobody"
			}
			bad, ok := text(asked)
			if !ok {
				continue
			}
			_, diags := w.tryPlan(bad, "")
			at := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefUnknown })
			switch {
			case name == "" && strings.Contains(fmt.Sprint(diags), "built-in"):
				t.Errorf("%s %s: Konnect makes no %s by itself: %v", typ.Kind, field, kind, diags)
			case name == "":
			case at < 0 || !strings.Contains(diags[at].Fix, builtInFix):
				t.Errorf("%s %s: the fix does not say how to refer to a %s that Konnect made: %v", typ.Kind, field, kind, diags)
			default:
				seen++
				good, _ := text(tagged{"lookup", lookedUpBy(diags[at].Fix)})
				if _, diags := w.tryPlan(good, ""); diags.HasErrors() {
					t.Errorf("%s %s: as the fix says, it is refused: %v", typ.Kind, field, diags)
				}
			}
		}
	}
	if seen < 3 {
		t.Errorf("only %d places", seen)
	}
}

// What Konnect made by itself is managed by nobody: declaring it is refused, in every
// mode, and the fix says how to refer to it instead.
func TestDeclaredBuiltIn(t *testing.T) {
	seen := 0
	for _, typ := range newWorld(t).cat.All() {
		if typ.SystemFlag == "" {
			continue
		}
		seen++
		w := newWorld(t)
		name := w.builtIn(typ)
		declared := fmt.Sprintf("%s: [{ref: x, %s: %s}]\n", typ.Root(), typ.Identity[0], name)
		for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync, plan.ModeAdopt} {
			_, diags := w.tryMode(declared, mode)
			at := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.LiveUnmanaged })
			if at < 0 || strings.Contains(diags[at].Fix, "kongctl adopt") || diags[at].Severity != diag.Error {
				t.Fatalf("%s of a built-in %s: %v", mode, typ.Kind, diags)
			}
			_, external, _ := strings.Cut(diags[at].Fix, "in place of its fields: ")
			referred := fmt.Sprintf("%s: [{ref: x, %s}]\n", typ.Root(), strings.TrimSuffix(external, "."))
			if _, diags := w.tryMode(referred, mode); diags.HasErrors() {
				t.Errorf("as the fix says, it is refused: %v", diags)
			}
		}
	}
	if seen == 0 {
		t.Error("there is no type of which Konnect makes some by itself")
	}
}
