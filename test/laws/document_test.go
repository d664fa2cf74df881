package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A document that a field takes as a text may be written as the mapping that it says:
// it is sent as a text, and compared by its meaning. Null in it is a value, and an
// expression in it is refused.
func TestDocumentsAreWrittenAsMappings(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, b := range writable(newWorld(t).cat) {
		for _, f := range b.Formats {
			at := strings.Split(f.Field, ".")
			if !catalog.TakesDocument(b, at) {
				continue
			}
			tried++
			t.Run(b.Kind+"."+f.Field, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				s := newScene(w, b)
				below := ""
				if b.Parent != nil {
					below = s.parent(b)
				}
				written := func(doc any) string {
					fields := s.sampled(b, "", nil)
					value.Set(fields, at, doc)
					trial := &scene{w: w, t: b, lists: map[string][]string{}, made: s.made, above: map[string]string{}}
					for k, v := range s.lists {
						trial.lists[k] = slices.Clone(v)
					}
					trial.add(b, fields, below)
					return trial.text()
				}
				spec := func(x any) map[string]any {
					return map[string]any{"openapi": "3.0.3", "info": map[string]any{"title": "T", "version": "1.0.0"}, "paths": map[string]any{}, "x-any": []any{x, int64(1)}}
				}
				mapping := written(spec("a"))
				w.run(w.plan(mapping, plan.ModeSync))
				w.settled(mapping, plan.ModeSync)
				w.settled(written(`{"x-any": ["a", 1], "openapi": "3.0.3", "paths": {}, "info": {"version": "1.0.0", "title": "T"}}`), plan.ModeSync)
				if p := w.plan(written(spec(nil)), plan.ModeSync); len(p.Changes) != 1 || p.Changes[0].Action != plan.Update {
					t.Errorf("null is no value: %v", p.Changes)
				}
				for what, row := range map[string]struct {
					doc  any
					code diag.Code
				}{
					"an expression":    {spec(tagged{"env", "LAW_SECRET_WORD"}), diag.SrcTagNesting},
					"a list":           {[]any{spec("a")}, diag.ValType},
					"an empty mapping": {map[string]any{}, diag.ValType},
				} {
					if list := w.try(written(row.doc)); !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == row.code }) {
						t.Errorf("%s: %v", what, list)
					}
				}
			})
		}
	}
	if tried < 4 {
		t.Errorf("%d fields were tried", tried)
	}
}
