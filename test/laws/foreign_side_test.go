package laws

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/konnect/restate"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// What another program changes beside a resource, with one change for all values, are
// changes of single resources.
func TestForeignSidesAreExpanded(t *testing.T) {
	t.Parallel()
	flats := testkit.Catalog(t).FlatSides()
	if len(flats) < 2 {
		t.Fatalf("%d sides", len(flats))
	}
	for key, f := range flats {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			of, side := w.cat.Kind(f.Type.Parent.Kind), f.Side
			w.run(w.plan(sided(w, of, side, map[string]any{side.Key: []any{"stays", "goes"}}, map[string]any{side.Key: []any{"other"}}), plan.ModeApply))
			ctx := context.Background()
			change := &plan.Change{
				ID: "1", ResourceType: f.Type.Kind, ResourceRef: "mine", Action: plan.Update,
				Fields: map[string]any{side.List: []any{"stays", "comes"}}, References: map[string]plan.Reference{},
			}
			var above []string
			if of.Parent != nil {
				owners, err := w.target.List(ctx, remote.Scope{Type: of.Parent})
				if err != nil || len(owners) != 1 {
					t.Fatal(len(owners), err)
				}
				above = []string{owners[0].ID}
				change.References[of.Parent.Kind+"_id"] = plan.Reference{Ref: "owner", ID: owners[0].ID}
			}
			parents, err := w.target.List(ctx, remote.Scope{Type: side.Type.Parent, Ancestors: above})
			if err != nil || len(parents) != 1 {
				t.Fatal(len(parents), err)
			}
			now, err := w.target.List(ctx, remote.Scope{Type: side.Type, Ancestors: append(above[:len(above):len(above)], parents[0].ID)})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range now {
				if o.Fields[side.Item] == "stays" {
					change.Fields[side.Field] = o.Fields[side.Field]
				}
			}
			open := func(context.Context) (remote.Target, error) { return w.target, nil }
			list, moved, err := restate.Expand(ctx, open, w.cat, []*plan.Change{change})
			if err != nil || len(moved) > 0 {
				t.Fatal(moved, err)
			}
			var got []string
			for _, c := range list {
				got = append(got, string(c.Action)+" "+c.ResourceName)
				if c.ResourceType != side.Type.Kind || c.Parent.ID != parents[0].ID || c.References[side.Field].ID != change.Fields[side.Field] {
					t.Errorf("%+v", c)
				}
			}
			if diff := cmp.Diff([]string{"CREATE comes", "DELETE goes"}, got); diff != "" {
				t.Error(diff)
			}
			change.ChangedFields = map[string]plan.OldNew{side.List: {Old: []any{"another"}, New: change.Fields[side.List]}}
			if _, moved, err = restate.Expand(ctx, open, w.cat, []*plan.Change{change}); err != nil || len(moved) != 1 {
				t.Errorf("what was changed since: %v %v", moved, err)
			}
		})
	}
}
