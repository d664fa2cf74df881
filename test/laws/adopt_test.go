package laws

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// adopt finds what get finds, by every text of a resource that could be its name, and
// nothing else.
func TestAdoptFindsWhatGetFinds(t *testing.T) {
	t.Parallel()
	var found atomic.Int64
	t.Cleanup(func() {
		if found.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	for _, typ := range testkit.Catalog(t).All() {
		if typ.Parent != nil || !typ.HasLabels() || typ.ReadOnly {
			continue
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			b := w.cat.Kind(typ.Kind)
			text := documents(t, w, b)["example"]
			w.vars = variables(text)
			w.run(w.plan(text, plan.ModeApply))
			r := query.Request{Asked: query.Asked{Type: b.Type}}
			all, err := query.Run(t.Context(), w.target, w.cat, r)
			if err != nil || len(all.Bodies) == 0 {
				t.Fatal(all, err)
			}
			for _, body := range all.Bodies {
				for field, v := range body {
					word, isText := v.(string)
					if !isText || word == "" {
						continue
					}
					r.Name = word
					one, err := query.Run(t.Context(), w.target, w.cat, r)
					var missing *query.NotFoundError
					var several *query.AmbiguousError
					if err != nil && !errors.As(err, &missing) && !errors.As(err, &several) {
						t.Fatal(err)
					}
					_, objects, wrong := live.Find(t.Context(), w.target, b, word)
					if wrong != nil {
						t.Fatal(wrong)
					}
					switch {
					case errors.As(err, &several):
					case err == nil && (len(objects) != 1 || objects[0].ID != one.Bodies[0]["id"]):
						t.Errorf("get finds one by %s %q, adopt %d", field, word, len(objects))
					case err != nil && len(objects) > 0:
						t.Errorf("get finds nothing by %s %q, adopt %d", field, word, len(objects))
					case err == nil:
						found.Add(1)
					}
				}
			}
		})
	}
}
