package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// sharedSet is a set below a root that others may own.
type sharedSet struct {
	*scene
	parent string
	// items are declarations of some that it can have.
	items []any
}

func newSharedSet(w *world, t *catalog.Bound) *sharedSet {
	set := t.Neutral().SetField
	out := &sharedSet{scene: newScene(w, t)}
	out.parent = out.scene.parent(t)
	for n := range 3 {
		var item any
		for _, ref := range t.References {
			if inside, refers := strings.CutPrefix(ref.Field, set+"."); refers {
				item = value.Set(map[string]any{}, value.ParsePath(inside), refTo{ref: out.minimal(w.cat.Kind(ref.Kind))})
			}
		}
		if list, _ := t.Example[set].([]any); item == nil && len(list) > 0 {
			text := fmt.Sprint(list[0])
			item = fmt.Sprintf("%s%d", text[:len(text)-1], n+1)
		}
		if item == nil {
			w.t.Fatalf("no item of %s.%s", t.Kind, set)
		}
		out.items = append(out.items, item)
	}
	return out
}

// with is the configuration with some of the items; others own the parent where it has an
// id.
func (x *sharedSet) with(external string, items ...any) string {
	root := x.t.Parent.Root()
	before := x.lists[root]
	defer func(own []string) { x.lists[root], x.lists[x.t.Root()] = before, own }(x.lists[x.t.Root()])
	x.lists[root] = slices.Clone(before)
	for i, item := range before {
		if external != "" && strings.Contains(item, fmt.Sprintf("%q: %q", "ref", x.parent)) {
			x.lists[root][i] = fmt.Sprintf(`{"ref": %q, _external: {id: %s}}`, x.parent, external)
		}
	}
	if items == nil {
		items = []any{}
	}
	x.add(x.t, map[string]any{x.t.Neutral().SetField: items}, x.parent)
	return x.text()
}

// has is how many items there are.
func (x *sharedSet) has(text string) int {
	x.w.t.Helper()
	x.w.plan(text, plan.ModeApply)
	for _, r := range x.w.set.Resources {
		if o := x.w.snap.Object(r); r.Type.Kind == x.t.Kind && o != nil {
			list, _ := o.Fields[r.Type.SetField].([]any)
			return len(list)
		}
	}
	return 0
}

// A set below a resource of others gets what is declared, and loses nothing: what others
// have in it stays and is named, however the plan prunes. Undoing takes back what was
// added, and what others add meanwhile stays.
func TestSetsBelowExternalsAreShared(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, typ := range writable(testkit.Catalog(t)) {
		if typ.Neutral().SetField == "" || typ.Parent == nil || typ.Parent.Parent != nil {
			continue
		}
		tried++
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			x := newSharedSet(w, typ)
			theirs, ours, late := x.items[0], x.items[1], x.items[2]
			w.run(w.plan(x.with("", theirs), plan.ModeApply))
			w.plan(x.with("", theirs), plan.ModeApply)
			i := slices.IndexFunc(w.set.Resources, func(r *resource.Resource) bool { return r.Ref == x.parent })
			id := w.snap.Object(w.set.Resources[i]).ID
			named := func(p *plan.Plan, n int) {
				t.Helper()
				said := slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool {
					return strings.Contains(x.Message, "nothing is removed from a list below an external resource") && strings.Count(x.Message, `"`) == 2*n
				})
				if n > 0 && !said {
					t.Errorf("%d items stay, and are not named: %v", n, p.Warnings)
				}
				if want := []string{typ.Parent.Kind + ":" + x.parent}; !slices.Equal(p.Metadata.SyncScope.NotPruned, want) {
					t.Errorf("not_pruned is %v, want %v", p.Metadata.SyncScope.NotPruned, want)
				}
			}
			for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
				for _, prune := range resource.Prunings() {
					planned := func(text string) *plan.Plan {
						t.Helper()
						p := w.planAs(text, mode, func(r *engine.PlanRequest) { r.Prune = prune })
						if len(p.Blocked) > 0 {
							t.Errorf("%s, prune %s: blocked %v", mode, prune, p.Blocked)
						}
						return p
					}
					w.run(w.plan(x.with("", theirs), plan.ModeApply))
					p := planned(x.with(id, ours))
					if len(p.Changes) != 1 || p.Changes[0].Action != plan.Update || len(p.Changes[0].Cascades) > 0 {
						t.Fatalf("%s, prune %s: %v", mode, prune, p.ExecutionOrder)
					}
					named(p, 1)
					raw := w.bytes(p)
					w.run(p)
					if n := x.has(x.with(id, ours)); n != 2 {
						t.Errorf("%s, prune %s: there are %d items, want 2", mode, prune, n)
					}
					// Nothing is left to do, and nothing differs; an empty list takes none away.
					rows := map[string]int{x.with(id, ours): 1, x.with(id): 2, x.with(id, theirs, ours): 0}
					if w.try(x.with(id)).HasErrors() { // the list has an item at least
						delete(rows, x.with(id))
					}
					for text, n := range rows {
						p := planned(text)
						if len(p.Changes) > 0 {
							t.Errorf("%s, prune %s: %v %v", mode, prune, p.ExecutionOrder, p.Changes[0].FieldChanges)
						}
						named(p, n)
						w.each(text, func(_ string, x plan.Difference) { t.Errorf("%s differs: %v", x.ResourceRef, x.FieldChanges) })
					}
					// What others add later is neither in the way nor taken away.
					w.run(w.plan(x.with("", theirs, ours, late), plan.ModeApply))
					for _, m := range w.moved(raw) {
						t.Errorf("it is executed, and refused then: %s %v", m.Why, m.Fields)
					}
					back, _ := w.inverse(p)
					for _, x := range back.Warnings {
						t.Errorf("it cannot be undone: %s", x.Message)
					}
					w.run(back)
					if n := x.has(x.with(id, theirs)); n != 2 {
						t.Errorf("%s, prune %s: %d items are left, want 2", mode, prune, n)
					}
					w.settled(x.with(id, theirs, late), plan.ModeSync)
				}
			}
			// A delete leaves what others have in it.
			w.run(w.plan(x.with("", theirs, ours), plan.ModeApply))
			for _, text := range []string{x.with(id, ours), x.with(id, late)} {
				alone := func(r *engine.PlanRequest) { r.Scope.Filter.Isolate = []string{"type:" + typ.Kind} }
				if p := w.planAs(text, plan.ModeDelete, alone); slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.ResourceType == typ.Kind }) || len(p.Warnings) == 0 {
					t.Errorf("delete: %v, warnings %v", p.ExecutionOrder, p.Warnings)
				}
			}
		})
	}
	if tried < 2 {
		t.Errorf("%d types were tried", tried)
	}
}
