package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/source"
)

// Below matchFields the fields stand that the loader compares, of every type, and no
// others: explained, as completions, and in the error of one that does not exist.
func TestFieldsOfSelectorsAreExplained(t *testing.T) {
	x, cat := explainer(t)
	taken, refused := 0, 0
	for _, b := range cat.All() {
		in := b.Kind + "._external.selector.matchFields"
		if _, err := x.Find(in); err != nil {
			continue // nothing of the type is declared as external there
		}
		names := b.Returned().Object(nil).Names()
		names = slices.Concat(names, b.Write().Object(nil).Names(), []string{"nothing", "config.control_plane_endpoint", "service.name", "labels.team"})
		text := "external_resources:\n"
		for i, name := range names {
			text += fmt.Sprintf("- {ref: r%d, resource_type: %s, selector: {matchFields: {%q: x}}}\n", i, b.Kind, name)
		}
		wrong := map[int]bool{} // by the line, of which the first is 1
		for _, d := range loads(cat, source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir()}) {
			if d.Code == diag.CfgUnknownKey || d.Code == diag.ExtSelector {
				wrong[d.Pos.Line-2] = true
			}
		}
		for i, name := range names {
			found, err := x.Find(in + "." + name)
			if (err != nil) != wrong[i] {
				t.Errorf("%s.%s: the loader refuses it: %v; explain: %v", in, name, wrong[i], err)
			}
			if err != nil {
				refused++
				continue
			}
			taken++
			if text := x.Text(found, explain.TextOptions{}); !strings.Contains(text, "_external.selector.matchFields."+name+"\n") {
				t.Errorf("%s.%s: %s", in, name, text)
			}
		}
		next := x.Next(in+".", true)
		if len(next) == 0 {
			t.Errorf("nothing completes %s", in)
		}
		for _, path := range next {
			if i := slices.Index(names, strings.TrimPrefix(path, in+".")); i < 0 || wrong[i] {
				t.Errorf("%s completes %s, and the loader refuses it", path, in)
			}
		}
	}
	if taken < 500 || refused < 200 {
		t.Errorf("only %d fields are taken, and %d are not", taken, refused)
	}
}
