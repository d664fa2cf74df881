package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// A scaffold lists, behind the field that chooses among the forms of a type, all that it
// can be.
func TestScaffoldListsForms(t *testing.T) {
	x, cat := explainer(t)
	tried := 0
	for _, b := range cat.All() {
		typ := x.Type(b)
		property, values := chooser(typ.Object)
		if b.ReadOnly || property == "" {
			continue
		}
		tried++
		want := "  # one of: " + strings.Join(values, ", ")
		lines := strings.Split(x.Scaffold(typ), "\n")
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(strings.TrimLeft(line, " -#"), property+": ") && strings.Contains(line, want)
		}) {
			t.Errorf("%s: no %q behind %s in\n%s", b.Kind, want, property, strings.Join(lines, "\n"))
		}
		if text := x.Example(typ); strings.Contains(text, "one of:") {
			t.Errorf("%s: the example has comments:\n%s", b.Kind, text)
		}
	}
	if tried < 8 {
		t.Errorf("%d types were tried", tried)
	}
}

// chooser is the field that chooses among the variants of a mapping, and its values.
func chooser(o *explain.Object) (property string, values []string) {
	for _, v := range o.Variants {
		if v.Property == "" || property != "" && v.Property != property {
			return "", nil
		}
		property = v.Property
		for _, is := range v.Is {
			if !slices.Contains(values, fmt.Sprint(is)) {
				values = append(values, fmt.Sprint(is))
			}
		}
	}
	if len(values) < 2 {
		return "", nil
	}
	return property, values
}
