package laws

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
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
				for _, d := range w.try(text) {
					if d.Code == diag.CfgOlder {
						t.Errorf("%v\n%s", d, text)
					}
				}
				switch made := derived(w.cat, text); {
				case made: // of what the first run makes
					w.run(w.plan(text, plan.ModeApply))
				case strings.Contains(text, "_external"):
					return // it must exist before it can be planned
				}
				w.run(w.plan(text, plan.ModeApply))
				w.settled(text, plan.ModeApply)
			})
		}
	}
}

// derived reports whether Konnect makes each external resource of a text of what the text
// declares.
func derived(cat *catalog.Catalog, text string) bool {
	n := strings.Count(text, "_external:")
	for _, b := range cat.All() {
		if b.Derived != nil {
			n -= strings.Count(text, " "+b.Key+":")
			if n == 0 && strings.Contains(text, "_external:") {
				return true
			}
		}
	}
	return false
}

// uncommented is a scaffold with one of its optional entries in use, for each of
// them: the lines of the entry, whatever stands below it included.
func uncommented(text string) map[string]string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	out := map[string]string{}
	for i := 0; i < len(lines); i++ {
		begin := strings.Index(lines[i], "# ")
		if begin < 0 || strings.TrimSpace(lines[i][:begin]) != "" || !optionalLine.MatchString(lines[i][begin+2:]) {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.HasPrefix(lines[end], lines[i][:begin]+"#  ") {
			end++
		}
		used := append([]string(nil), lines...)
		for n := i; n < end; n++ {
			used[n] = lines[n][:begin] + lines[n][begin+2:]
		}
		out[strings.TrimSpace(lines[i][begin+2:])] = strings.Join(used, "\n") + "\n"
		i = end - 1
	}
	return out
}

var optionalLine = regexp.MustCompile(`^[\w-]+:`)

// Each optional line of a scaffold loads when it is the one that is used.
func TestOptionalLinesOfScaffolds(t *testing.T) {
	for _, typ := range newWorld(t).cat.All() {
		t.Run(typ.Kind, func(t *testing.T) {
			w := newWorld(t)
			scaffold := documents(t, w, w.cat.Kind(typ.Kind))["scaffold"]
			all := uncommented(scaffold)
			for _, line := range slices.Sorted(maps.Keys(all)) {
				w.vars = variables(all[line])
				if diags := w.try(all[line]); diags.HasErrors() {
					t.Errorf("%s\n%v", line, diags.Err())
				}
			}
		})
	}
}

var commented = regexp.MustCompile(`(?m)^( *)# `)

// A scaffold loads with all of its optional lines in use: what is no line of YAML has
// another mark.
func TestWholeScaffoldsLoad(t *testing.T) {
	for _, typ := range newWorld(t).cat.All() {
		t.Run(typ.Kind, func(t *testing.T) {
			w := newWorld(t)
			text := commented.ReplaceAllString(documents(t, w, w.cat.Kind(typ.Kind))["scaffold"], "$1")
			w.vars = variables(text)
			for _, d := range w.try(text) {
				if d.Code == diag.CfgUnknownKey || strings.HasPrefix(string(d.Code), "SRC") {
					t.Errorf("%v\n%s", d, text)
				}
			}
		})
	}
}
