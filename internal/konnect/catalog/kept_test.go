package catalog_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// A field of which a plan says that Konnect has no way to unset it has none by the
// contract, either: there is an update, it is no replacement of the whole, and it
// takes null neither for the field nor for what is above it.
func TestKeptFieldsHaveNoWayBack(t *testing.T) {
	checked := 0
	for _, b := range load(t).All() {
		for _, k := range b.Keeps {
			if k.Why != "Konnect has no way to unset it" {
				continue
			}
			checked++
			switch {
			case b.Update == nil:
				t.Errorf("%s: %s is kept, and there is no update at all: say that instead", b.Kind, k.Field)
				continue
			case b.Update.Method == "PUT":
				t.Errorf("%s: %s is kept, and a PUT without it takes it away", b.Kind, k.Field)
			}
			path := strings.Split(k.Field, ".")
			for n := 1; n <= len(path); n++ {
				found := 0
				forms(b.Update.Body(), path[:n], func(s *contract.Schema) {
					found++
					if s.Nullable || s.Deref().Nullable {
						t.Errorf("%s: %s is kept, and an update takes null for %s", b.Kind, k.Field, strings.Join(path[:n], "."))
					}
				})
				if found == 0 {
					t.Errorf("%s: an update has no field %s", b.Kind, strings.Join(path[:n], "."))
				}
			}
		}
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
}

// forms calls with every schema that a field may have, in any form of a union.
func forms(s *contract.Schema, path []string, found func(*contract.Schema)) {
	if s == nil {
		return
	}
	for _, b := range s.Branches() {
		forms(b, path, found)
	}
	f := s.Object(nil).Field(path[0])
	switch {
	case f == nil:
	case len(path) == 1:
		found(f.Schema)
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
