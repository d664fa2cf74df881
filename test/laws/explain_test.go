package laws

import (
	"regexp"
	"strings"
	"testing"

	"kongctl/internal/engine"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/plan"
	"kongctl/internal/testkit"
)

var envForm = regexp.MustCompile(`!env (\w+)`)

// documents are what explain and scaffold print of a type.
func documents(t *testing.T, w *world, b *catalog.Bound) map[string]string {
	t.Helper()
	x := engine.Explainer(w.cat)
	found, err := x.Find(b.Kind)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"example": x.Example(found.Type), "scaffold": x.Scaffold(found.Type)}
}

// variables gives every variable that a text names a value.
func variables(text string) map[string]string {
	out := map[string]string{}
	for _, m := range envForm.FindAllStringSubmatch(text, -1) {
		out[m[1]] = key
	}
	return out
}

// Every example of explain and every scaffold loads, and what is managed can be
// brought about as it is; then nothing is left to do.
func TestExamplesOfTypes(t *testing.T) {
	t.Parallel()
	for _, typ := range testkit.Catalog(t).All() {
		for _, name := range []string{"example", "scaffold"} {
			t.Run(typ.Kind+" "+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				text := documents(t, w, w.cat.Kind(typ.Kind))[name]
				w.vars = variables(text)
				if diags := w.try(text); diags.HasErrors() {
					t.Fatalf("%v\n%s", diags.Err(), text)
				}
				if strings.Contains(text, "_external") {
					return // it must exist before it can be planned
				}
				w.run(w.plan(text, plan.ModeApply))
				w.settled(text, plan.ModeApply)
			})
		}
	}
}
