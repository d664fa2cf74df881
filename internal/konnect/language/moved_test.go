package language_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/source"
)

func moves(t *testing.T, cat *catalog.Catalog, text string) (*resource.Set, diag.List) {
	t.Helper()
	read, diags := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir()})
	set, more := language.Build(cat, read.Documents, language.Options{})
	return set, append(diags, more...)
}

// A move is about the resource that has the new name, by its ref or its name.
func TestMoves(t *testing.T) {
	set, diags := moves(t, load(t), `
moved:
  - {type: portal, from: old, to: new}
  - {type: portal_page, from: start, to: home}
  - {type: team, from: a, to: by-ref}
portals:
  - name: new
    pages: [{ref: home, slug: begin, content: B}, {slug: start-again, content: S}]
  - {name: other, pages: [{slug: home, content: H}]}
teams: [{ref: by-ref, name: b}]
`)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	got := map[string]string{}
	for _, r := range set.Resources {
		if from, moved := set.Moved(r); moved {
			got[r.Ref] = from
		}
	}
	want := map[string]string{"new": "old", "home": "start", "by-ref": "a"}
	if len(got) != len(want) || len(set.Moves) != len(want) {
		t.Fatalf("moves: %v", got)
	}
	for ref, from := range want {
		if got[ref] != from {
			t.Errorf("%s was %q, want %q", ref, got[ref], from)
		}
	}
}

// A field that Konnect cannot change is no name to change.
func TestMoveOfANameThatStays(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	types := catalog.Types()
	for i, x := range types {
		if x.ChildOf == nil && x.Key == "catalog_services" {
			fixed := *x
			fixed.ReplaceOn = []string{"name"}
			types[i] = &fixed
		}
	}
	cat, err := catalog.New(c, types)
	if err != nil {
		t.Fatal(err)
	}
	set, diags := moves(t, cat, "moved: [{type: catalog_service, from: a, to: b}]\ncatalog_services: [{name: b, display_name: B}]")
	if len(diags) != 1 || diags[0].Code != diag.CfgMoved || !strings.Contains(diags[0].Detail, "cannot change the name") || len(set.Moves) > 0 {
		t.Errorf("%v, %v", diags, set.Moves)
	}
}
