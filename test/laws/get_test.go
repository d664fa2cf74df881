package laws

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// What explain shows as an example is found by get: in the list, by its id and,
// where it has one, by its name. What Konnect keeps secret is not shown.
func TestGetFindsEveryType(t *testing.T) {
	t.Parallel()
	for _, typ := range testkit.Catalog(t).All() {
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			b := w.cat.Kind(typ.Kind)
			r := query.Request{Asked: query.Asked{Type: b.Type}, Parents: map[string]query.Selection{}}
			for p := b.Parent; p != nil; p = p.Parent {
				name := "my-" + strings.ReplaceAll(p.Kind, "_", "-")
				if p.ReadOnly {
					name = resident(residents)
				}
				if text, ok := p.Example[p.NameField()].(string); ok {
					name = text
				}
				r.Parents[catalog.FlagWord(p.Type)] = query.Selection{Name: name}
			}
			if b.ReadOnly && b.Parent == nil {
				findResidents(t, w, b, r)
				return
			}
			of := b
			for of.ReadOnly {
				of = of.Parent
			}
			ref, _ := b.Reference([]string{b.MapKey})
			linked := w.cat.Kind(ref.Kind)
			bare := !b.ReadOnly && linked != nil && linked.ReadOnly // nothing declares what the key leads to
			if bare {
				of = b.Parent
			}
			text := documents(t, w, of)["example"]
			w.vars = variables(text)
			w.run(w.plan(text, plan.ModeApply))
			if bare {
				createBare(t, w, b)
			}
			all, err := query.Run(context.Background(), w.target, w.cat, r)
			if missing := (*query.NotFoundError)(nil); b.ReadOnly && of != b.Parent && errors.As(err, &missing) {
				return // nothing declares what it is below
			}
			if err != nil {
				t.Fatal(err)
			}
			if b.ReadOnly { // nothing declares one
				if len(all.Bodies) != 0 || all.One {
					t.Errorf("found %v", all.Bodies)
				}
				return
			}
			table := all.Table(true)
			for _, row := range table.Rows {
				if len(row) != len(table.Header) {
					t.Errorf("the row %q has not the columns %q", row, table.Header)
				}
			}
			for _, name := range all.Names() {
				if strings.TrimSpace(name) == "" || strings.Contains(name, "\n") {
					t.Errorf("-o name: the line %q", name)
				}
			}
			if b.Shape == catalog.Singleton {
				if all.One == (b.Set != "") || len(all.Bodies) != 1 { // a set is shown as the list that it is
					t.Errorf("found %d", len(all.Bodies))
				}
				return
			}
			findOne(t, w, b, r, all.Bodies)
		})
	}
}

// createBare puts a resource at the key that every world has, below the one parent.
func createBare(t *testing.T, w *world, b *catalog.Bound) {
	t.Helper()
	above, err := w.target.List(t.Context(), remote.Scope{Type: b.Parent})
	if err != nil || len(above) != 1 {
		t.Fatal(above, err)
	}
	if _, err := w.target.Create(t.Context(), remote.Scope{Type: b, Ancestors: []string{above[0].ID}}, bareID, remote.Write{}); err != nil {
		t.Fatal(err)
	}
}

// findResidents finds what nobody declares and every world has.
func findResidents(t *testing.T, w *world, b *catalog.Bound, r query.Request) {
	t.Helper()
	all, err := query.Run(context.Background(), w.target, w.cat, r)
	if err != nil || len(all.Bodies) == 0 {
		t.Fatalf("found %d (%v)", len(all.Bodies), err)
	}
	findOne(t, w, b, r, all.Bodies[:3])
}

func findOne(t *testing.T, w *world, b *catalog.Bound, r query.Request, all []map[string]any) {
	t.Helper()
	if b.Link != "" {
		b = w.cat.Kind(catalog.Linked(b))
	}
	var names []string
	of := map[string]string{} // ids by name
	for _, body := range all {
		id, ok := body["id"].(string)
		if key := b.KeyIn + b.IDField; key != "" {
			id, ok = body[key].(string)
		}
		if !ok {
			t.Fatalf("no id in %v", body)
		}
		names = append(names, id)
		of[id] = id
		name, _ := value.Get(b.Fields(body), value.ParsePath(b.NameField()))
		if text, isText := name.(string); b.NameField() != "" {
			if !isText {
				t.Fatalf("no %s in %v", b.NameField(), body)
			}
			names = append(names, text)
			of[text] = id
		}
	}
	if len(names) == 0 {
		t.Fatal("the list is empty")
	}
	first := map[string]map[string]any{} // what was found, by id
	for _, name := range names {
		r.Name = name
		one, err := query.Run(context.Background(), w.target, w.cat, r)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if len(one.Bodies) != 1 || one.One == b.AsList {
			t.Errorf("%q: found %d, one: %v", name, len(one.Bodies), one.One)
		}
		if before := first[of[name]]; before == nil {
			first[of[name]] = one.Bodies[0]
		} else if d := cmp.Diff(before, one.Bodies[0]); d != "" {
			t.Errorf("%q: by its id and by its name it is not the same (-id +name):\n%s", name, d)
		}
	}
	r.Name = "nobody"
	_, err := query.Run(context.Background(), w.target, w.cat, r)
	var missing *query.NotFoundError
	if !errors.As(err, &missing) {
		t.Errorf("nobody: %v", err)
	}
}
