package gateway_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

var update = flag.Bool("update", false, "write the golden files anew")

var catalogOnce = sync.OnceValues(catalog.Load)

// build reads the files of an archive; env has NAME=VALUE, one to a line.
func build(t testing.TB, a *txtar.Archive) (*resource.Set, gateway.Env) {
	t.Helper()
	cat, err := catalogOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir, env := t.TempDir(), map[string]string{}
	for _, f := range a.Files {
		switch f.Name {
		case "want":
		case "env":
			for line := range strings.Lines(string(f.Data)) {
				name, v, _ := strings.Cut(strings.TrimSpace(line), "=")
				env[name] = v
			}
		default:
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	look := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	read, diags := source.Load(context.Background(), source.Options{WorkDir: dir, Files: []string{"konnect.yaml"}, Claims: []source.Claim{gateway.Claim()}})
	set, more := language.Build(cat, read.Documents, language.Options{Env: look, Extensions: []resource.Extension{gateway.Extension()}})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return set, look
}

func jobs(t testing.TB, archive string) ([]*gateway.Job, diag.List) {
	t.Helper()
	set, env := build(t, txtar.Parse([]byte(archive)))
	return gateway.Jobs(set, env)
}

// TestWrongJobs reads testdata/wrong: each archive is a mistake that people
// make, with the text that they get to read.
func TestWrongJobs(t *testing.T) {
	rows, err := filepath.Glob("testdata/wrong/*.txtar")
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	told := map[diag.Code]bool{}
	for _, path := range rows {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			set, env := build(t, a)
			_, diags := gateway.Jobs(set, env)
			var b strings.Builder
			if err := diags.Write(&b); err != nil {
				t.Fatal(err)
			}
			for _, d := range diags {
				told[d.Code] = true
			}
			if strings.Contains(b.String(), "hunter2") {
				t.Error("a secret is told")
			}
			i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				if i < 0 {
					i = len(a.Files)
					a.Files = append(a.Files, txtar.File{Name: "want"})
				}
				a.Files[i].Data = []byte(b.String())
				if err := os.WriteFile(path, txtar.Format(a), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if i < 0 || b.Len() == 0 {
				t.Fatal("nothing is told, or nothing wanted")
			}
			if diff := cmp.Diff(string(a.Files[i].Data), b.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, code := range diag.Codes() {
		if strings.HasPrefix(string(code), "DECK00") || code == diag.DeckSecret {
			if !told[code] {
				t.Errorf("no row for %s (%s)", code, diag.Summary(code))
			}
		}
	}
}

const joined = `
-- konnect.yaml --
control_planes:
- ref: cp
  name: prod
  _deck: {files: [a.yaml], flags: ["--skip-consumers", "--parallelism", "3"]}
  gateway_services:
  - {ref: users, _external: {deck: {file: a.yaml, service: users}}}
  - {ref: orders, _external: {deck: {file: b.yaml, service: orders}}}
- ref: other
  name: test
  gateway_services:
  - {ref: bills, _external: {deck: {file: c.yaml, service: bills}}}
- {ref: plain, name: plain}
-- env --
DECK_HOST=hunter2.example
DECK_PORT=8080
DECK_PEM=line one
-- a.yaml --
_format_version: "3.0"
_info: {select_tags: [team-b, team-a]}
_konnect: {control_plane_name: prod}
services:
# - ${{ env "DECK_GONE" }}
- name: users
  host: ${{ env "DECK_HOST" }}
  port: ${{ env "DECK_PORT" | toInt }}
  enabled: yes
-- b.yaml --
services: [{name: orders, host: 'a ${{ "${{" }} b'}]
-- c.yaml --
{"_format_version": "3.0", "services": [{"name": "bills", "id": "by-id", "host": "x"}]}
`

func TestJobs(t *testing.T) {
	got, diags := jobs(t, joined)
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	if len(got) != 2 {
		t.Fatalf("%d jobs", len(got))
	}
	j := got[0]
	if diff := cmp.Diff(gateway.Flags{SelectTags: []string{"team-a", "team-b"}, SkipConsumers: true, Parallelism: 3, Written: []string{"--skip-consumers", "--parallelism", "3"}}, j.Flags); diff != "" {
		t.Error(diff)
	}
	wantContent := map[string]string{
		"a.yaml": `{"_format_version":"3.0","_info":{"select_tags":["team-b","team-a"]},"_konnect":{"control_plane_name":"prod"},"services":[{"enabled":true,"host":"hunter2.example","name":"users","port":8080}]}`,
		"b.yaml": `{"services":[{"host":"a \u0024{{ b","name":"orders"}]}`,
	}
	env := map[string]string{"DECK_HOST": "hunter2.example", "DECK_PORT": "8080", "DECK_PEM": "line one"}
	var secrets []string
	for _, f := range j.Files {
		d, diags := gateway.Read(f.Name, f.Content, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if len(diags) > 0 {
			t.Fatal(diags.Err())
		}
		if diff := cmp.Diff(wantContent[f.Name], string(d.Content)); diff != "" {
			t.Errorf("%s: %s", f.Name, diff)
		}
		secrets = append(secrets, d.Secrets...)
	}
	slices.Sort(secrets)
	if diff := cmp.Diff([]string{"8080", "hunter2.example"}, secrets); diff != "" {
		t.Error(diff)
	}
	if len(j.Services) != 2 || j.ControlPlane.Ref != "cp" || j.Name() != "a.yaml, b.yaml" {
		t.Errorf("job %s of %s has %d services", j.Name(), j.ControlPlane.Ref, len(j.Services))
	}
	if !j.Holds("users") || !j.Holds("orders") || j.Holds("bills") || !got[1].Holds("bills") || got[1].Holds("by-id") {
		t.Error("a service is not found, or found where it is not")
	}
	if told := gateway.CheckName(j, "another"); len(told) != 1 || told[0].Pos != (value.Pos{File: "a.yaml", Line: 3, Column: 32}) {
		t.Errorf("another name: %v", told)
	}
}

const inline = `
-- konnect.yaml --
control_planes:
- ref: cp
  name: prod
  _deck:
    flags: [--select-tag=mine]
    state:
      services: [{name: users, id: by-id, host: !env HOST}]
      consumers:
      - username: alice
        keyauth_credentials: [{key: !secret {source: !env KEY}}]
      certificates:
      - {id: 7a1d0f9e-0000-4000-8000-000000000001, cert: !file cert.pem, key: "{vault://env/key}"}
-- cert.pem --
PEM
-- env --
HOST=example.com
KEY=k
`

func TestInlineState(t *testing.T) {
	got, diags := jobs(t, inline)
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	j := got[0]
	content, err := gateway.InlineContent(j.State.Plain(func(_ value.Path, e *value.Expression) any {
		if e.Op == value.OpSecret {
			return "hunter2"
		}
		return "value of " + e.Name
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"_format_version":"3.0","certificates":[{"cert":"value of cert.pem","id":"7a1d0f9e-0000-4000-8000-000000000001","key":"{vault://env/key}"}],` +
		`"consumers":[{"keyauth_credentials":[{"key":"hunter2"}],"username":"alice"}],"services":[{"host":"value of HOST","id":"by-id","name":"users"}]}`
	if diff := cmp.Diff(want, string(content)); diff != "" {
		t.Error(diff)
	}
	if j.Name() != "_deck.state of cp" || !j.Holds("users") || j.Holds("by-id") || !slices.Equal(j.Flags.SelectTags, []string{"mine"}) {
		t.Errorf("%s: %+v", j.Name(), j.Flags)
	}
}
