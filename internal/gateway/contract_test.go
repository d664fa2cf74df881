package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/testkit/wrong"
)

// kindsWithout are kinds that the contract has no schema of, or that are not
// written as entities.
var kindsWithout = []string{kindMember, "filter-chain", "custom-plugin", "cloned-plugin", "ai-model"}

// samples are entities that gateways take, by kind.
var samples = map[string]map[string]any{
	"service":     {"name": "s", "host": "h", "protocol": "https"},
	"route":       {"name": "r", "paths": []any{"/"}},
	"upstream":    {"name": "u"},
	"target":      {"target": "h:80"},
	kindConsumer:  {"username": "c"},
	kindGroup:     {"name": "g"},
	kindPlugin:    {"name": "request-transformer"},
	"certificate": {"cert": "{vault://env/cert}", "key": "{vault://env/key}"},
	kindCACert:    {"cert": "{vault://env/cert}"},
	"sni":         {"name": "a.example.com"},
	kindVault:     {"name": "env", "prefix": "my-env"},
	"key-set":     {"name": "ks"},
	"key":         {"name": "k", "kid": "1", "jwk": "{}"},
	kindPartial:   {"name": "p", "type": "redis-ee", "config": map[string]any{"host": "h"}},
	kindKeyAuth:   {"key": "k"},
	"basic-auth":  {"username": "u", "password": "p"},
	"hmac-auth":   {"username": "u", "secret": "s"},
	"jwt-auth":    {"key": "k", "secret": "s"},
	"oauth2-cred": {"name": "n", "client_id": "c", "client_secret": "s", "redirect_uris": []any{"https://h"}},
	"acl-group":   {"group": "g"},
	"mtls-auth":   {"subject_name": "n"},
}

// For every kind of decK's format, a value beyond the limits of the contract and an
// id that is no UUID are found at their place, wherever the entity stands, and a
// sample passes.
func TestContractOfEveryKind(t *testing.T) {
	takes, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	var all func(list []shape, inside func(key string, entity any) map[string]any)
	all = func(list []shape, inside func(key string, entity any) map[string]any) {
		for _, s := range list {
			if s.kind == "" || slices.Contains(kindsWithout, s.kind) {
				continue
			}
			sample := samples[s.kind]
			name := schemaName(s.kind, sample)
			if name == "" || sample == nil || takes.Schema(name) == nil {
				t.Errorf("%s has no schema or no sample", s.kind)
				continue
			}
			find := func(entity map[string]any) diag.List {
				t.Helper()
				content, err := json.Marshal(inside(s.key, entity))
				if err != nil {
					t.Fatal(err)
				}
				list, err := Validate(t.Context(), Request{Mode: Sync, Files: []File{{Name: "kong.yaml", Content: content}}}, Facts{Contract: takes})
				if err != nil {
					t.Fatal(err)
				}
				return list
			}
			if list := find(sample); len(list) > 0 {
				t.Errorf("%s: %v", s.key, list.Err())
			}
			beyond := append(wrong.Values(takes.Schema(name), sample), wrong.Value{Path: []string{"id"}, Is: "not-a-uuid"})
			for _, w := range beyond {
				if slices.Contains(referring, w.Path[0]) || s.kind == kindPlugin && w.Path[0] == "config" {
					continue
				}
				list := find(w.In(sample))
				if len(list) != 1 || list[0].Code != diag.DeckField || !strings.Contains(list[0].Detail, w.Path.String()+": ") {
					t.Errorf("%s with %s %v: %v", s.key, w.Path, w.Is, list.Err())
				}
			}
			all(s.nested, func(key string, entity any) map[string]any {
				owner := wrong.Value{Path: []string{key}, Is: []any{entity}}.In(sample)
				return inside(s.key, owner)
			})
		}
	}
	all(shapes, func(key string, entity any) map[string]any {
		return map[string]any{"_format_version": FormatVersion, key: []any{entity}}
	})
}

// A type of partials that the contract does not know is Konnect's to judge, where
// there is a control plane to ask.
func TestTypesOfPartialsThatAreNewer(t *testing.T) {
	takes, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	r := Request{Mode: Sync, Files: []File{{Name: "kong.yaml", Content: []byte(`partials: [{name: p, type: newer, config: {}}]`)}}}
	for served, want := range map[string]int{"newer": 0, "other": 1} {
		asks := func(_ context.Context, of SchemasOf, name string) (map[string]any, error) {
			if of != SchemasOfPartials || name != served {
				return nil, nil
			}
			return map[string]any{"fields": []any{}}, nil
		}
		list, err := Validate(t.Context(), r, Facts{Contract: takes, Served: asks})
		if err != nil || len(list) != want {
			t.Errorf("Konnect serves %s: %v, %v", served, list.Err(), err)
		}
	}
}

// A field that the type of a partial does not have is found before decK runs, unless
// Konnect has it.
func TestUnknownFieldsOfPartials(t *testing.T) {
	takes, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	serves := func(fields ...any) Schemas {
		return func(context.Context, SchemasOf, string) (map[string]any, error) {
			return map[string]any{"fields": []any{map[string]any{"config": map[string]any{"type": "record", "fields": fields}}}}, nil
		}
	}
	text := map[string]any{"type": "string"}
	for _, row := range []struct {
		what, config string
		asks         Schemas
		want         string
	}{
		{what: "known fields", config: "{host: redis, cluster_nodes: [{ip: a}]}"},
		{what: "a misspelt field", config: "{hots: redis}", want: "config.hots: unknown field"},
		{what: "a misspelt field in a list", config: "{cluster_nodes: [{ipp: a}]}", want: "config.cluster_nodes[0].ipp: unknown field"},
		{what: "one that Konnect does not know either", config: "{hots: redis}", asks: serves(map[string]any{"host": text}), want: "config.hots: unknown field"},
		{what: "one that Konnect knows", config: "{newer: redis}", asks: serves(map[string]any{"newer": text})},
	} {
		t.Run(row.what, func(t *testing.T) {
			content := []byte("partials: [{name: p, type: redis-ee, config: " + row.config + "}]")
			list, err := Validate(t.Context(), Request{Mode: Sync, Files: []File{{Name: "kong.yaml", Content: content}}}, Facts{Contract: takes, Served: row.asks})
			switch {
			case err != nil:
				t.Fatal(err)
			case row.want == "" && len(list) > 0:
				t.Error(list.Err())
			case row.want != "" && (len(list) != 1 || list[0].Code != diag.DeckField || !strings.Contains(list[0].Detail, row.want) || list[0].Fix == ""):
				t.Errorf("%v, want %s", list.Err(), row.want)
			}
		})
	}
}
