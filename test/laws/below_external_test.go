package laws

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// external makes the roots that children belong to external: they exist, and others own
// them.
func (k *keyed) external(root *catalog.Bound) {
	k.w.plan(k.text(), plan.ModeApply)
	var items []string
	for _, r := range k.w.set.Of(root.Neutral()) {
		items = append(items, fmt.Sprintf(`{"ref": %q, _external: {id: %s}}`, r.Ref, k.w.snap.Object(r).ID))
	}
	k.lists[root.Root()] = items
}

// A sync deletes nothing below a resource of others, however deep it is: what nothing
// declares stays, and is named where its list is written.
func TestNothingBelowExternalsIsPruned(t *testing.T) {
	t.Parallel()
	deep := 0
	for _, typ := range writable(testkit.Catalog(t)) {
		root := typ.Parent
		for root != nil && root.Parent != nil {
			root = root.Parent
		}
		if root == nil || root.ReadOnly || !typ.Optional() {
			continue
		}
		if typ.Parent != root {
			deep++
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			k := newKeyed(w, typ)
			w.run(w.plan(k.text(), plan.ModeApply))
			k.external(root)
			for name, text := range map[string]string{"no list": k.with(), "an empty list": k.nested()} {
				for _, prune := range resource.Prunings() {
					p := w.planAs(text, plan.ModeSync, func(r *engine.PlanRequest) { r.Prune = prune })
					if len(p.Changes) > 0 || len(p.Blocked) > 0 {
						t.Errorf("%s, prune %s: %v, blocked %v", name, prune, p.ExecutionOrder, p.Blocked)
					}
					named := strings.Contains(fmt.Sprint(p.Warnings), "sync deletes nothing below an external resource")
					if want := name == "an empty list" && prune != resource.PruneNone; named != want {
						t.Errorf("%s, prune %s: what stays is named: %v, want %v", name, prune, named, want)
					}
				}
			}
		})
	}
	if deep < 10 {
		t.Errorf("%d types below children were tried", deep)
	}
}
