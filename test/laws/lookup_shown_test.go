package laws

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/view"
)

// What a field looks up is shown by what it is looked up by: its ref is none that people
// wrote, and stands in references alone.
func TestLookupShown(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fields", tried.Load())
		if tried.Load() < 12 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for field, to := range references(newWorld(t).cat, typ) {
			if to.ReadOnly || to.Parent != nil || !slices.Contains(to.Neutral().NameFields(), "name") {
				continue
			}
			x := &idCase{t: t, typ: typ, field: field, to: to}
			x.begin()
			delete(x.scene.lists, to.Root()) // a lookup finds what others own
			fields, ok := x.scene.referring(field, x.own, tagged{"lookup", "name:" + x.name})
			if !ok {
				t.Fatalf("no sample has %s", field)
			}
			delete(x.scene.lists, to.Root())
			ref := x.scene.add(typ, fields, x.own)
			p, diags := x.w.tryMode(x.scene.text(), plan.ModeApply)
			if diags.HasErrors() {
				t.Logf("%s: %v", field, diags)
				continue // something else that is declared needs it
			}
			tried.Add(1)
			found := false
			for _, c := range p.Changes {
				if strings.Contains(c.ResourceName, "lookup:") {
					t.Errorf("%s: the name of %s is %q", field, c.ID, c.ResourceName)
				}
				if c.ResourceRef == ref {
					for _, r := range c.References {
						found = found || strings.HasPrefix(r.Ref, "lookup:"+to.Kind+":")
					}
				}
			}
			if !found {
				t.Errorf("%s: the lookup is not among the references", field)
			}
			b := &testkit.Buffer{}
			if err := view.WritePlan(b, p, view.PlanOptions{}); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), "lookup:") || !strings.Contains(b.String(), "id of "+x.name+" (") {
				t.Errorf("%s: %s\n%s", field, x.name, b)
			}
		}
	})
}
