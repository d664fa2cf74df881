package laws

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// listOf is the list whose items are no more than what a reference leads to; nil where
// there is none.
func listOf(t *catalog.Bound, field string) value.Path {
	p := value.ParsePath(field)
	if last := len(p) - 1; last > 0 && p[last] == "id" {
		p = p[:last]
	}
	s := t.Write().At(p, nil)
	if s == nil || s.Item() == nil {
		return nil
	}
	for _, name := range s.Item().Object(nil).Names() {
		if name != "id" && name != "name" {
			return nil
		}
	}
	return p
}

// A list has nothing twice that exists, once by its id and once in another way. Only
// planning may show that.
func TestListedOnceByItsID(t *testing.T) {
	var lists, ways atomic.Int64
	afterAll(t, func() {
		t.Logf("%d lists, %d ways", lists.Load(), ways.Load())
		if lists.Load() < 15 || ways.Load() < 50 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, ref := range typ.References {
			to, list := newWorld(t).cat.Kind(ref.Kind), listOf(typ, ref.Field)
			if to == nil || list == nil || typ.Orders != "" && to == typ {
				continue
			}
			t.Run(ref.Field, func(t *testing.T) {
				x := &idCase{t: t, typ: typ, field: ref.Field, to: to, places: 1}
				x.begin()
				lists.Add(1)
				ways.Add(x.listedTwice(list))
			})
		}
	})
	eachNamedList(t, func(t *testing.T, f *namingField) {
		f.w.run(f.w.plan(f.declare(t, true, called), plan.ModeSync))
		f.w.settled(f.declare(t, true, called), plan.ModeSync)
		id := f.idOfNamed()
		twins := []any{called, byVariable, byReference, id}
		if ref, ok := f.refOfNamed(t); ok {
			twins = append(twins, ref, refTo{ref: ref})
		}
		lists.Add(1)
		for _, twin := range twins {
			for _, named := range []bool{true, false} {
				if text, isText := twin.(string); !named && (!isText || text != called && text != id) {
					continue // the ref is gone
				}
				ways.Add(1)
				if _, diags := f.try(t, f.declare(t, named, id, twin), plan.ModeSync, resource.PruneFull); !hasCode(diags, diag.ValItems) {
					t.Errorf("the id and %v (declared: %v): %v", twin, named, diags)
				}
			}
		}
		if _, diags := f.try(t, f.declare(t, true, id), plan.ModeSync, resource.PruneFull); diags.HasErrors() {
			t.Errorf("once: %v", diags)
		}
	})
}

// eachNamedList runs a law for each list of names of what must exist.
func eachNamedList(t *testing.T, law func(t *testing.T, f *namingField)) {
	t.Helper()
	for _, typ := range writableWithNames(t) {
		for _, n := range typ.Namings {
			for _, field := range n.Fields {
				if s := typ.Write().At(strings.Split(field, "."), nil); n.Inside != "" || n.Open || s == nil || s.Item() == nil {
					continue
				}
				t.Run(typ.Kind+"."+field, func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					w.vars = map[string]string{"LAW_NAMED": called}
					law(t, &namingField{w: w, typ: typ, other: w.cat.Kind(n.Kind), naming: n, field: field})
				})
			}
		}
	}
}

func writableWithNames(t *testing.T) []*catalog.Bound {
	t.Helper()
	return slices.DeleteFunc(writable(newWorld(t).cat), func(b *catalog.Bound) bool { return len(b.Namings) == 0 })
}

// idOfNamed is the id of what the last plan found under the name.
func (f *namingField) idOfNamed() string {
	f.w.t.Helper()
	for _, x := range f.w.snap.Objects(f.other.Neutral()) {
		if x.Object.Fields[f.other.Identity[0]] == called {
			return x.Object.ID
		}
	}
	f.w.t.Fatal("nothing has the name")
	return ""
}

// listedTwice declares a list that has one thing twice, and returns in how many ways.
func (x *idCase) listedTwice(list value.Path) (ways int64) {
	x.t.Helper()
	item := func(key string, v any) any {
		if strings.HasSuffix(x.field, ".id") {
			return map[string]any{key: v}
		}
		return v
	}
	twins := map[string]any{"its id": item("id", x.id), "a reference": item("id", refTo{ref: x.ref})}
	if _, either := catalog.Either(x.typ)[list.String()]; either {
		twins["its name"] = item("name", x.name)
		twins["a reference to its name"] = item("name", refTo{ref: x.ref, field: "name"})
	}
	for way, twin := range twins {
		ways++
		if _, diags := x.w.tryPlan(x.listing(list, item("id", x.id), twin), ""); !hasCode(diags, diag.ValItems) {
			x.t.Errorf("the id and %s: %v", way, diags)
		}
	}
	if _, diags := x.w.tryPlan(x.listing(list, item("id", x.id)), ""); diags.HasErrors() {
		x.t.Errorf("once: %v", diags)
	}
	return ways
}

// listing is a configuration whose resource has a list.
func (x *idCase) listing(list value.Path, items ...any) string {
	x.t.Helper()
	fields, ok := x.scene.referring(x.field, x.own, x.id)
	if !ok {
		x.t.Fatalf("no sample has %s.%s", x.typ.Kind, x.field)
	}
	for _, at := range value.Places(fields, list) {
		value.Set(fields, at, items)
	}
	was := slices.Clone(x.scene.lists[x.typ.Root()])
	x.scene.add(x.typ, fields, x.own)
	defer func() { x.scene.lists[x.typ.Root()] = was }()
	return x.scene.text()
}
