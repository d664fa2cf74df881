package export_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// seed fills a World with a state.
func seed(t *testing.T, w *testkit.World, state string, env func(string) (string, bool)) {
	t.Helper()
	o := stdin(state)
	o.WorkDir = w.Dir
	loaded, diags := source.Load(t.Context(), o)
	docs, s, more := export.TakeState(loaded.Documents, "")
	set, wrong := language.Build(w.Catalog, docs, language.Options{Env: env})
	links, last := resource.Link(set)
	if all := append(append(append(diags, more...), wrong...), last...); len(all) > 0 {
		t.Fatal(all.Err())
	}
	p := w.PlanLoaded(testkit.Ask{Mode: plan.ModeApply}, testkit.Loaded{Set: set, Links: links})
	s.Restore(w.Catalog, p, env)
	w.Seed = true
	w.Succeed(w.Run(p))
	w.Seed = false
}

func unset(string) (string, bool) { return "", false }

func TestStateComesBack(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	wild := w.Send(http.MethodPost, "/v3/apis", `{"name": "Wild", "labels": {"colour": "red"}}`)
	bare := w.Send(http.MethodPost, "/v3/apis", `{"name": "Bare"}`)
	w.Send(http.MethodPut, "/v3/apis/"+bare["id"].(string)+"/publications/"+w.Named("portal", "dev")["id"].(string), `{"auth_strategy_ids": null}`)
	state, warnings := whole(t, w, export.WriteOptions{State: true})
	if len(warnings) > 0 {
		t.Errorf("%v", warnings)
	}

	fresh := testkit.New(t)
	seed(t, fresh, state, unset)
	for _, kind := range []string{"api", "portal", "organization_team", "application_auth_strategy"} {
		for _, was := range w.State(kind) {
			is := fresh.Named(kind, was["name"].(string))
			if diff := cmp.Diff(was["labels"], is["labels"]); diff != "" {
				t.Errorf("labels of %s %s (-was +is):\n%s", kind, was["name"], diff)
			}
		}
	}
	if diff := cmp.Diff(wild["labels"], fresh.Named("api", "Wild")["labels"]); diff != "" {
		t.Errorf("labels (-was +is):\n%s", diff)
	}
	for _, p := range fresh.State("api_publication") {
		if p["parent"] == fresh.Named("api", "Bare")["id"] && p["auth_strategy_ids"] != nil {
			t.Errorf("no strategy became %v", p["auth_strategy_ids"])
		}
	}
	fresh.Settled(testkit.Ask{}, airline)
	again, _ := whole(t, fresh, export.WriteOptions{State: true})
	if diff := cmp.Diff(state, again); diff != "" {
		t.Errorf("the state (-was +is):\n%s", diff)
	}
}

// Without its first document a state is a configuration; with it, only a seed
// takes it.
func TestStateIsAConfiguration(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	state, _ := whole(t, w, export.WriteOptions{State: true})
	_, rest, ok := strings.Cut(state, "---\n")
	if !ok {
		t.Fatal(state)
	}
	w.Settled(testkit.Ask{}, rest)
	loaded, _ := source.Load(t.Context(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(state), WorkDir: w.Dir})
	if _, diags := language.Build(w.Catalog, loaded.Documents, language.Options{}); !diags.HasErrors() {
		t.Error("a state is taken for a configuration")
	}
}

const secretDomain = `
portals:
- name: dev
  custom_domain: {hostname: a.example.com, enabled: true, ssl: {domain_verification_method: custom_certificate, custom_certificate: %CERT%, custom_private_key: !secret {source: !env KEY}}}
`

// Secrets are not in a state. A variable that is set is used; else a text that
// is no secret stands in, and what Konnect does not return is the example.
func TestStateWithoutSecrets(t *testing.T) {
	w := testkit.New(t)
	example := w.Catalog.Kind("portal_custom_domain").Example["ssl"].(map[string]any)["custom_certificate"].(string)
	domain := w.Catalog.Kind("portal_custom_domain")
	key := func(text string) string { return domain.StandIn([]string{"ssl", "custom_private_key"}, text) }
	w.Env["KEY"] = key("hunter2")
	w.Sync(strings.ReplaceAll(secretDomain, "%CERT%", quote(strings.ReplaceAll(example, "\n", `\n`))))
	state, warnings := whole(t, w, export.WriteOptions{State: true})
	if got := codes(warnings); got != "EXP001 EXP002" || strings.Contains(state, "hunter2") {
		t.Errorf("warnings %s\n%s", got, state)
	}
	sent := func(env func(string) (string, bool)) string {
		fresh := testkit.New(t)
		fresh.Env["DEV_CUSTOM_DOMAIN_SSL_CUSTOM_PRIVATE_KEY"] = key("from-outside")
		seed(t, fresh, state, env)
		for _, x := range fresh.Recorder.Writes() {
			if strings.HasSuffix(x.Path, "/custom-domain") {
				return x.Body
			}
		}
		return ""
	}
	if got := sent(unset); !strings.Contains(got, "not-the-secret") || !strings.Contains(got, "BEGIN CERTIFICATE") {
		t.Errorf("sent %s", got)
	}
	if got := sent(func(string) (string, bool) { return "from-outside", true }); !strings.Contains(got, "from-outside") {
		t.Errorf("sent %s", got)
	}
}

func TestWrongStates(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"_state: {labels: {a: {colour: red}}}", "CFG009"},
		{"_state: {labels: {a: {KONGCTL-managed: true}}}", "CFG009"},
		{"_state: {labels: {a: {KONGCTL-managed: 'true'}}}", ""},
		{"_state: {}", ""},
	} {
		o := stdin(row.text)
		o.WorkDir = "/"
		loaded, _ := source.Load(t.Context(), o)
		docs, s, diags := export.TakeState(loaded.Documents, "")
		if got := codes(diags); got != row.want || len(docs) != 0 || s == nil {
			t.Errorf("%s: %q, %d documents", row.text, got, len(docs))
		}
	}
	o := stdin("apis: []")
	o.WorkDir = "/"
	loaded, _ := source.Load(t.Context(), o)
	if docs, s, _ := export.TakeState(loaded.Documents, ""); len(docs) != 1 || s != nil {
		t.Error("a configuration is taken for a state")
	}
}
