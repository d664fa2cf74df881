package catalog_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// noWay is the reason of fields that nothing resets.
const noWay = "Konnect documents no way to unset it"

// A field of which a plan says that no way is known to unset it has none by the
// contract and its supplement, either: of all operations that change the resource none
// takes it away by a body without it, by null for it or for what is above it, or as a
// list without items. And a declaration can be without it.
func TestKeptFieldsHaveNoWayBack(t *testing.T) {
	cat, checked := load(t), 0
	for _, b := range cat.All() {
		for _, k := range b.Keeps {
			if k.Why != noWay {
				continue
			}
			checked++
			path := strings.Split(k.Field, ".")
			if required(b.Write(), path) {
				t.Errorf("%s: %s is kept, and no declaration is without it", b.Kind, k.Field)
			}
			changes := 0
			for _, method := range []string{"PUT", "PATCH"} {
				op := cat.Contract.Operation(method, b.ItemPath())
				if op == nil || op.Body() == nil {
					continue
				}
				changes++
				if method == "PUT" && !required(op.Body(), path) {
					t.Errorf("%s: %s is kept, and %s without it takes it away", b.Kind, k.Field, op.Key())
				}
				takesNothing(t, b, op, path)
			}
			if changes == 0 {
				t.Errorf("%s: %s is kept, and there is no update at all: say that instead", b.Kind, k.Field)
			}
		}
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
}

// A PUT beside a PATCH takes all that a declaration has, and nothing that is not in an
// answer: what is not declared is sent as it is.
func TestRewritesLoseNothing(t *testing.T) {
	checked := 0
	for _, b := range load(t).All() {
		if b.Rewrite == nil {
			continue
		}
		checked++
		if b.HasLabels() || len(fields(b, func(_ []string, s *contract.Schema) bool { return s.Secret })) > 0 || len(b.Unlisted()) > 0 {
			t.Errorf("%s: %s loses labels, secrets or what lists lack", b.Kind, b.Rewrite.Key())
		}
		for _, name := range b.Write().Object(nil).Names() {
			if b.Rewrite.Body().At([]string{name}, nil) == nil || b.Returned().At([]string{name}, nil) == nil {
				t.Errorf("%s: %s loses %s", b.Kind, b.Rewrite.Key(), name)
			}
		}
	}
	if checked == 0 {
		t.Error("no type has one")
	}
}

// takesNothing fails where an update takes null or an empty list for a field, or null
// for what is above it.
func takesNothing(t *testing.T, b *catalog.Bound, op *contract.Operation, path []string) {
	t.Helper()
	for n := 1; n <= len(path); n++ {
		found, at := 0, strings.Join(path[:n], ".")
		forms(op.Body(), path[:n], func(f *contract.Field) {
			s := f.Schema.Deref()
			if found++; s.Nullable {
				t.Errorf("%s: %s is kept, and %s takes null for %s", b.Kind, strings.Join(path, "."), op.Key(), at)
			}
			if n == len(path) && s.Type == "array" && (s.MinItems == nil || *s.MinItems == 0) {
				t.Errorf("%s: %s is kept, and %s takes a list without items for it", b.Kind, at, op.Key())
			}
		})
		if found == 0 {
			t.Errorf("%s: %s has no field %s", b.Kind, op.Key(), at)
		}
	}
}

// required reports whether a field is in every value of a schema, in the forms of
// unions that have it.
func required(s *contract.Schema, path []string) bool {
	for n := 1; n <= len(path); n++ {
		optional := false
		forms(s, path[:n], func(f *contract.Field) { optional = optional || !f.Required })
		if optional {
			return false
		}
	}
	return true
}

// forms calls with every field that a path may lead to, in any form of a union.
func forms(s *contract.Schema, path []string, found func(*contract.Field)) {
	if s == nil {
		return
	}
	if branches := s.Branches(); len(branches) > 0 {
		for _, b := range branches {
			forms(b, path, found)
		}
		return
	}
	switch f := s.Object(nil).Field(path[0]); {
	case f == nil:
	case len(path) == 1:
		found(f)
	default:
		forms(f.Schema, path[1:], found)
	}
}

// The slug of an API without one has the major version alone.
func TestGeneratedText(t *testing.T) {
	api := load(t).Kind("api").Neutral()
	for _, row := range []struct {
		version any
		want    string
	}{
		{"3.2.0", "my-orders-3"},
		{"v1", "my-orders-v1"},
		{"", "my-orders"},
		{nil, "my-orders"},
	} {
		if got := api.Generated([]string{"slug"}, map[string]any{"name": "My orders", "version": row.version}); got != row.want {
			t.Errorf("%v: %q, want %q", row.version, got, row.want)
		}
	}
}

// What Konnect makes of a text has its words, with capitals or without. Other
// capitals are people's.
func TestUnsetText(t *testing.T) {
	page := load(t).Kind("portal_page")
	title, _ := catalog.KeptAt(page, []string{"title"})
	for text, unset := range map[string]bool{
		"Getting started": true, "Getting Started": true, "getting started": true, "getting-started": true,
		"GETTING STARTED": false, "Getting staRted": false, "Started": false,
	} {
		if got := title.Unset(text, map[string]any{"slug": "/getting-started"}); got != unset {
			t.Errorf("%q: unset is %t", text, got)
		}
	}
	if !title.Unset("API v2", map[string]any{"slug": "/API-v2"}) {
		t.Error("a word as the slug has it is not one of its own")
	}
	slug, _ := catalog.KeptAt(load(t).Kind("api"), []string{"slug"})
	if fields := map[string]any{"name": "Ä API / 1"}; !slug.Unset("api-1", fields) || !slug.Unset("ae-api-1", fields) {
		t.Error("how Konnect spells other letters is not known: nothing is to be said of it")
	}
}

// The kind of a specification is that of the key at its top.
func TestKindOfContent(t *testing.T) {
	api := load(t).Kind("api_specification")
	kind, _ := catalog.KeptAt(api, []string{"type"})
	for content, want := range map[string]any{
		"openapi: 3.0.3\npaths: {}":                      "oas3",
		"# hello\n\"swagger\": '2.0'\n":                  "oas2",
		"info: {openapi: x}\nasyncapi: 3.0.0":            "asyncapi",
		`{"info": {"swagger": "x"}, "openapi": "3.1.0"}`: "oas3",
		`{"info": {"swagger": "x"}}`:                     nil,
		`{"info": `:                                      nil,
		"info:\n  openapi: x":                            nil,
		"":                                               nil,
	} {
		if got := kind.From(map[string]any{"content": content}); got != want {
			t.Errorf("%s: %v, want %v", content, got, want)
		}
	}
}
