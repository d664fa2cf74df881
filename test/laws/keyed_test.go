package laws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// keyed is a configuration with two parents: the first has children, as many as it
// can, and the second one.
type keyed struct {
	*scene
	parent string
	// items are those of the first parent, rest what else the list at the root has.
	items, rest []string
}

func newKeyed(w *world, t *catalog.Bound) *keyed {
	k := &keyed{scene: newScene(w, t)}
	k.parent = k.scene.parent(t)
	k.addMinimal(t, k.parent, nil)
	before := k.text()
	if t.Shape != catalog.Singleton {
		k.made = map[string]string{} // what it refers to is its identity
		if k.addMinimal(t, k.parent, nil); w.try(k.text()).HasErrors() {
			k.lists[t.Root()] = k.lists[t.Root()][:1] // it can have one alone
			if w.try(before).HasErrors() {
				w.t.Fatalf("%v\n%s", w.try(before).Err(), before)
			}
		}
	}
	k.items = slices.Clone(k.lists[t.Root()])
	k.made = map[string]string{}
	k.below, k.at = "", nil
	other := k.scene.parent(t)
	at := len(k.lists[t.Root()])
	k.addMinimal(t, other, nil)
	k.rest = slices.Clone(k.lists[t.Root()][at:])
	return k
}

// with is the configuration with these items at the root.
func (k *keyed) with(items ...string) string {
	defer func(was []string) { k.lists[k.t.Root()] = was }(k.lists[k.t.Root()])
	k.lists[k.t.Root()] = items
	return k.text()
}

// nested is the configuration with these items below the first parent.
func (k *keyed) nested(items ...string) string {
	var below []string
	for _, item := range items {
		own := fmt.Sprintf("%q: %q", k.t.ParentKeys()[0], k.parent)
		below = append(below, strings.Replace(strings.Replace(item, own+", ", "", 1), ", "+own, "", 1))
	}
	list := "[" + strings.Join(below, ", ") + "]"
	if k.t.Shape == catalog.Singleton {
		list = strings.Join(append(below, "{}")[:1], "")
	}
	root := k.t.Parent.Root()
	defer func(was []string) { k.lists[root] = was }(k.lists[root])
	parents := slices.Clone(k.lists[root])
	for i, item := range parents {
		if strings.Contains(item, fmt.Sprintf("%q: %q", "ref", k.parent)) {
			parents[i] = fmt.Sprintf("{%q: %s, %s", k.t.Key, list, item[1:])
		}
	}
	k.lists[root] = parents
	return k.with(k.rest...)
}

// spared are the children that warnings of a plan name as staying below the parent.
func (k *keyed) spared(p *plan.Plan) (about []string) {
	for _, x := range p.Warnings {
		if strings.Contains(x.Message, "not declared and stay") && strings.HasPrefix(x.Message, catalog.Words(k.t.Kind)+" ") {
			about = append(about, fmt.Sprintf("%s %s: %d", x.ResourceType, x.ResourceRef, strings.Count(x.Message, `"`)/2))
		}
	}
	return about
}

// What is deleted only where its key is present, and what belongs to read-only
// parents: lists with all, with one less, with none, and no list. What stays though
// people may expect a deletion is named, and nothing else is.
func TestKeyedLists(t *testing.T) {
	t.Parallel()
	for _, typ := range testkit.Catalog(t).All() {
		if typ.ReadOnly || typ.Parent == nil || !typ.Optional() || !typ.KeyedPrune && !typ.Parent.ReadOnly {
			continue
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			k := newKeyed(w, typ)
			n, foreign := len(k.items), typ.Parent.ReadOnly
			w.run(w.plan(k.text(), plan.ModeApply))
			empty := k.with() + typ.Root() + ": []\n"
			stay := func(n int) []string { return []string{fmt.Sprintf("%s %s: %d", typ.Parent.Kind, k.parent, n)} }
			for _, row := range []struct {
				name, text string
				deletes    int
				// spared and foreign are what warnings name, of managed and of
				// read-only parents.
				spared, foreign []string
			}{
				{"flat, all", k.text(), 0, nil, nil},
				{"flat, one less", k.with(append(slices.Clone(k.items[1:]), k.rest...)...), 1, nil, stay(1)},
				{"flat, others alone", k.with(k.rest...), 0, stay(n), nil},
				{"flat, none", empty, n + 1, nil, nil},
				{"flat, none, of another namespace", k.with() + "---\n_defaults: {kongctl: {namespace: other}}\n" + typ.Root() + ": []\n", 0, nil, nil},
				{"flat, no list", k.with(), 0, nil, nil},
				{"flat, nothing after the key", k.with() + typ.Root() + ":\n", 0, nil, nil},
				{"nested, all", k.nested(k.items...), 0, nil, nil},
				{"nested, one less", k.nested(k.items[1:]...), 1, nil, stay(1)},
				{"nested, none", k.nested(), n, nil, nil},
			} {
				if foreign {
					row.deletes, row.spared = 0, row.foreign
				}
				if n == 1 && strings.HasSuffix(row.name, "one less") {
					continue // it is none, or others alone
				}
				p := w.plan(row.text, plan.ModeSync)
				deletes := 0
				for _, c := range p.Changes {
					if c.Action == plan.Delete && c.ResourceType == typ.Kind {
						deletes++
					} else {
						t.Errorf("%s: %s", row.name, c.ID)
					}
				}
				got := k.spared(p)
				if foreign && strings.HasSuffix(row.name, "none") {
					got = nil // the lists may not have been read
				}
				if deletes != row.deletes || !slices.Equal(got, row.spared) || len(p.Blocked) > 0 {
					t.Errorf("%s: %d deletes, want %d; spared %v, want %v; blocked %v", row.name, deletes, row.deletes, got, row.spared, p.Blocked)
				}
				if strings.HasSuffix(row.name, "none") && !foreign {
					walk := w.loaded(row.text)
					walk.Request.Prune = "none"
					if w.build(walk); len(walk.Plan.Changes) > 0 || len(k.spared(walk.Plan)) > 0 {
						t.Errorf("%s, without pruning: %d changes, spared %v", row.name, len(walk.Plan.Changes), k.spared(walk.Plan))
					}
				}
			}
			w.run(w.plan(empty, plan.ModeSync))
			w.settled(empty, plan.ModeSync)
		})
	}
}
