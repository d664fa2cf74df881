package export_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// airline is a small Konnect: two portals, one with a tree of pages, an API
// that both show, a team.
const airline = `
_defaults: {kongctl: {namespace: air}}
teams:
- {name: crew, description: Flies, roles: [{role_name: Admin, entity_type_name: APIs, entity_id: !ref flights, entity_region: eu}]}
application_auth_strategies:
- {name: key, display_name: Key, strategy_type: key_auth, configs: {key-auth: {key_names: [apikey]}}}
portals:
- name: dev
  labels: {stage: beta}
  default_application_auth_strategy_id: key
  pages:
  - {slug: guides, content: "# Guides", children: [{slug: first, content: "# First", children: [{slug: deep, content: "# Deep"}]}]}
  - {slug: home, content: "# Home"}
  snippets: [{name: help, content: Ask us}]
- {name: ops, kongctl: {namespace: ops, protected: true}}
apis:
- ref: flights
  name: Flights
  versions: [{version: 1.0.0, spec: {content: "openapi: 3.0.0\ninfo: {title: Flights, version: 1.0.0}\n"}}]
  publications: [{portal: dev, auth_strategy_ids: [key]}, {portal: ops}]
- {name: Bags, publications: [{portal: dev, auth_strategy_ids: [key]}]}
`

func read(t *testing.T, w *testkit.World, o export.Options) *export.Snapshot {
	t.Helper()
	s, err := export.Read(t.Context(), w.Target, w.Catalog, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, s *export.Snapshot, o export.WriteOptions) *export.Output {
	t.Helper()
	out, err := export.Write(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// whole exports everything into one text.
func whole(t *testing.T, w *testkit.World, o export.WriteOptions) (string, diag.List) {
	t.Helper()
	out := write(t, read(t, w, export.Options{Children: true}), o)
	return string(out.Files[0].Data), out.Warnings
}

// codes are the codes of warnings, each once, in order.
func codes(list diag.List) string {
	var out []string
	for _, d := range list.Sorted() {
		if n := len(out); n == 0 || out[n-1] != string(d.Code) {
			out = append(out, string(d.Code))
		}
	}
	return strings.Join(out, " ")
}

// lines are the lines of a text that match.
func lines(text, pattern string) []string {
	return regexp.MustCompile(`(?m)^.*`+pattern+`.*$`).FindAllString(text, -1)
}

func stdin(text string) source.Options {
	return source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text)}
}
