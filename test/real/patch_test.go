//go:build real

package real

import (
	order "cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

const patched = `_format_version: "3.0"
_defaults: &defaults {retries: 5}
services:
- name: a
  url: http://a.example.com
  read_timeout: 1
  routes:
  - name: r
    paths: [/r]
    methods: [GET]
- name: b
  <<: *defaults
  routes:
  - {name: s, methods: [GET, PUT]}
plugins: []
`

const patches = `_format_version: "1.0"
patches:
- selectors: ["$..services[*]"]
  values: {read_timeout: 10000, tags: [x, "yes"], nested: {b: null, a: 1.5}}
  remove: [retries]
- selectors: ["$..routes[*].methods", "$.services[0].routes[*].methods"]
  values: [OPTIONS]
- selectors: ["$.nothing", "$..name"]
  values: {a: 1}
- values: {_info: {select_tags: [t]}}
- selectors: ["$.services[?@.name=='b']"]
  values: {port: 80}
`

// TestPatchLikeDeck asserts that decK and kongctl make the same of a file.
func TestPatchLikeDeck(t *testing.T) {
	m := newMachine(t)
	deck, err := filepath.Abs(filepath.Join("..", "..", ".cache", "deck", "deck"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"kong.yaml": patched, "patches.yaml": patches} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range map[string][]string{
		"file":   {"patches.yaml"},
		"flags":  {"--selector", "$..services[*]", "--selector", "$..routes[*]", "--value", `tags:["x"]`, "--value", "read_timeout:", "--value", `host:"no"`, "--value", `n:{"a":[1.5,null]}`},
		"list":   {"--selector", "$..methods", "--value", `["OPTIONS"]`, "--value", `[1,{"a":2}]`},
		"filter": {"--selector", "$..services[?(@.name=='a' && @.read_timeout<5)]", "--value", "a:1"},
		"JSON":   {"--selector", "$..routes[0]", "--value", "a:true", "--format", "json"},
	} {
		t.Run(name, func(t *testing.T) {
			result := func(program string, command ...string) any {
				cmd := exec.CommandContext(t.Context(), program, append(append(command, "-s", "kong.yaml"), args...)...)
				cmd.Dir, cmd.Env = dir, append(m.env, "DECK_ANALYTICS=off")
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v", program, err)
				}
				var v any
				if err := yaml.Unmarshal(out, &v); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				return v
			}
			if diff := cmp.Diff(result(deck, "file", "patch"), result(m.program, "patch", "file")); diff != "" {
				t.Errorf("decK - , kongctl +\n%s", diff)
			}
		})
	}
}

const rules = `rules:
  https:
    given: $.services[*].url
    severity: error
    then: {function: pattern, functionOptions: {match: "^https://"}}
  case:
    given: $.services[*].name
    severity: warn
    then: {function: casing, functionOptions: {type: macro}}
  methods:
    given: $..routes[*].methods
    severity: info
    then: {function: length, functionOptions: {max: 1}}
  names:
    given: $..routes[*].name
    severity: hint
    then: {function: enumeration, functionOptions: {values: "r,t"}}
`

// TestLintLikeDeck asserts that decK and kongctl find the same.
func TestLintLikeDeck(t *testing.T) {
	m := newMachine(t)
	deck, err := filepath.Abs(filepath.Join("..", "..", ".cache", "deck", "deck"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"kong.yaml": patched, "rules.yaml": rules} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	type result struct {
		Severity string
		Line     int
	}
	type report struct {
		Total   int `json:"total_count"`
		Fail    int `json:"fail_count"`
		Results []result
	}
	for _, bound := range []string{"error", "warn", "info", "hint"} {
		run := func(program string, status int, command ...string) report {
			cmd := exec.CommandContext(t.Context(), program, append(command, "-s", "kong.yaml", "rules.yaml", "--format", "json", "--fail-severity", bound)...)
			cmd.Dir, cmd.Env = dir, append(m.env, "DECK_ANALYTICS=off")
			out, _ := cmd.Output() // the status says it
			if got := cmd.ProcessState.ExitCode(); got != status {
				t.Errorf("%s: exit status %d, want %d", program, got, status)
			}
			var r report
			if err := json.Unmarshal(out, &r); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			slices.SortFunc(r.Results, func(a, b result) int {
				return order.Or(order.Compare(a.Line, b.Line), order.Compare(a.Severity, b.Severity))
			})
			return r
		}
		want, got := run(deck, 1, "file", "lint"), run(m.program, 4, "lint")
		if diff := cmp.Diff(want, got); diff != "" || want.Total == 0 {
			t.Errorf("%s: decK - , kongctl +\n%s", bound, diff)
		}
	}
}
