package drive_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// sent decodes the body of the one write to a path.
func sent(t *testing.T, w *testkit.World, request string) map[string]any {
	t.Helper()
	for _, x := range w.Recorder.Writes() {
		if x.String() == request {
			var out map[string]any
			if err := json.Unmarshal([]byte(x.Body), &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	t.Fatalf("no %s among %q", request, writes(w))
	return nil
}

func TestReferencesAreFilledIn(t *testing.T) {
	w := serial(t)
	w.Sync(`
application_auth_strategies: [{ref: key, name: key, display_name: K, strategy_type: key_auth, configs: {key-auth: {key_names: [a]}}}]
portals: [{ref: dev, name: Developers, default_application_auth_strategy_id: key}]
apis: [{ref: flights, name: Flights, publications: [{portal: dev, auth_strategy_ids: [key]}]}]
teams:
  - name: readers
    description: !ref dev#default_domain
    roles: [{role_name: Viewer, entity_type_name: Portals, entity_id: dev, entity_region: eu}]
`)
	id := func(kind, name string) string { s, _ := w.Named(kind, name)["id"].(string); return s }
	portal, api, key := id("portal", "Developers"), id("api", "Flights"), id("application_auth_strategy", "key")

	equal(t, "a reference", sent(t, w, "POST /v3/portals")["default_application_auth_strategy_id"], any(key))
	publication := sent(t, w, "PUT /v3/apis/"+api+"/publications/"+portal)
	equal(t, "parent and key in the path, a reference in a list", publication["auth_strategy_ids"], any([]any{key}))
	equal(t, "a field that only the answer has", sent(t, w, "POST /v3/teams")["description"], w.Send("GET", "/v3/portals/"+portal, "")["default_domain"])
	equal(t, "a reference of any kind", sent(t, w, "POST /v3/teams/"+id("organization_team", "readers")+"/assigned-roles")["entity_id"], any(portal))
	for _, x := range w.Recorder.Writes() {
		if strings.Contains(x.Body, "[unknown]") || strings.Contains(x.Body, plan.NowText) {
			t.Errorf("%s sends a placeholder: %s", x, x.Body)
		}
	}
}

func TestGrandchildrenAreMadeBelowTheirNewParents(t *testing.T) {
	w := serial(t)
	w.Sync("apis: [{name: a}]\nportals: [{name: dev, teams: [{name: partners, roles: [{role_name: API Viewer, entity_type_name: Services, entity_id: a, entity_region: eu}]}]}]")
	portal, _ := w.Named("portal", "dev")["id"].(string)
	team, _ := w.Named("portal_team", "partners")["id"].(string)
	sent(t, w, "POST /v3/portals/"+portal+"/teams/"+team+"/assigned-roles")
}

// A part that cannot be had stops the run before the first write, and all such
// parts are told at once.
func TestMissingPartsAreToldBeforeTheFirstWrite(t *testing.T) {
	const text = `
teams: [{name: fine}]
portals:
  - name: dev
    description: !env DESCRIPTION
    rbac_enabled: !env {var: SETTINGS, extract: rbac}
    identity_providers: [{type: oidc, config: {issuer_url: https://id.example.com, client_id: me, client_secret: !secret {source: !env CLIENT_SECRET}}}]
    custom_domain:
      hostname: a.example.com
      enabled: true
      ssl: {domain_verification_method: custom_certificate, custom_certificate: !file cert.pem, custom_private_key: !secret {source: !file key.pem}}
`
	w := serial(t)
	cert, key := testkit.Certificate(t, "dev", testkit.Epoch())
	w.File("cert.pem", cert)
	w.File("key.pem", key)
	w.Env["DESCRIPTION"], w.Env["SETTINGS"] = "text", `{"rbac": true}`
	p := w.Plan(whole, text)

	delete(w.Env, "DESCRIPTION")
	if err := os.Remove(filepath.Join(w.Dir, "key.pem")); err != nil {
		t.Fatal(err)
	}
	w.Recorder.Reset()
	out, err := w.TryRun(t.Context(), p, w.Target)
	if err == nil {
		t.Fatal("it ran")
	}
	for _, want := range []string{
		"portal dev (stdin:4): description: the environment variable DESCRIPTION is not set",
		"portal_identity_provider dev-oidc (stdin:7): config.client_secret: the environment variable CLIENT_SECRET is not set",
		"portal_custom_domain dev-custom-domain (stdin:9): ssl.custom_private_key: ", "key.pem",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not told: %s\n%v", want, err)
		}
	}
	if len(writes(w)) > 0 || len(out.Events) > 0 || out.Report != nil {
		t.Errorf("something happened: %v %v", writes(w), testkit.Story(out.Events))
	}
	if len(names(w, "portal")) > 0 {
		t.Error("a portal was made")
	}
}

func TestErrorsOfVariablesDoNotShowThem(t *testing.T) {
	for _, row := range []struct{ name, value, want string }{
		{"not JSON", "canary-value", "does not hold JSON"},
		{"without the part", `{"other":"canary-value"}`, "has no password"},
		{"not a text", `{"password":{"x":"canary-value"}}`, "not a text"},
		{"empty", `{"password":"","other":"canary-value"}`, "the secret is empty"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := serial(t)
			w.Env["SECRET"] = row.value
			p := w.Plan(whole, "portals: [{name: dev, identity_providers: [{type: oidc, config: {issuer_url: 'https://id.example.com', client_id: me, client_secret: !secret {source: !env {var: SECRET, extract: password}}}}]}]")
			_, err := w.TryRun(t.Context(), p, w.Target)
			if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "canary-value") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// secretive is a configuration with a secret made of parts.
const secretive = "portals: [{name: dev, identity_providers: [{type: oidc, config: {issuer_url: 'https://id.example.com', client_id: me, client_secret: !secret {parts: ['Bearer ', !env CLIENT_SECRET]}}}]}]"

func TestSecretsReachTheWireAndNothingElse(t *testing.T) {
	const canary = `canary "quoted" 4f1d`
	for _, row := range []struct {
		name  string
		fails bool
		quote string
	}{
		{"when all is well", false, ""},
		{"when the service quotes the whole", true, "the secret Bearer " + canary + " is too weak"},
		{"when the service quotes a part", true, canary + " is too weak"},
		{"when the service quotes it as JSON", true, fmt.Sprintf("%q is too weak", canary)},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := serial(t)
			w.Env["CLIENT_SECRET"] = canary
			if row.fails {
				refuse(w, "client_secret", row.quote)
			}
			out := w.Run(w.Plan(whole, secretive))
			found := false
			for _, x := range w.Recorder.Writes() {
				var body map[string]any
				if err := json.Unmarshal([]byte(x.Body), &body); err != nil {
					t.Fatal(err)
				}
				config, _ := body["config"].(map[string]any)
				found = found || config["client_secret"] == "Bearer "+canary
			}
			if !found {
				t.Error("the secret did not reach the wire")
			}
			equal(t, "failed", out.Report.Failed == 1, row.fails)
			said := everything(t, out)
			if strings.Contains(said, "4f1d") {
				t.Errorf("the secret was said:\n%s", said)
			}
			if row.fails && !strings.Contains(said, "is too weak") {
				t.Errorf("the reason was not said:\n%s", said)
			}
		})
	}
}

// everything is all that a run tells, in every form in which it can be shown.
func everything(t *testing.T, out testkit.Outcome) string {
	t.Helper()
	var b strings.Builder
	for _, e := range out.Events {
		fmt.Fprintf(&b, "%#v %+v\n", e, e)
		if f, ok := e.(event.ChangeFailed); ok {
			fmt.Fprintf(&b, "%v %+v %#v\n", f.Err, f.Err, f.Err)
		}
	}
	raw, err := json.Marshal(out.Report)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(raw)
	for _, r := range out.Report.Results {
		fmt.Fprintf(&b, "%+v %v\n", *r, r.Err)
	}
	return b.String()
}

// The clock of the run ticks with every look: its start, the change, the write.
func TestTimesAreThoseOfTheRun(t *testing.T) {
	w := serial(t)
	w.Sync("teams: [{name: a}]")
	labels, _ := w.Named("organization_team", "a")["labels"].(map[string]any)
	equal(t, "last updated", labels["KONGCTL-last-updated"], any(testkit.Epoch().Add(3e9).Format(label.TimeForm)))
}

// A plan may come from anywhere: what no program writes is refused before the
// first write.
func TestPlansThatCannotBeCarriedOut(t *testing.T) {
	const text = "portals: [{name: dev, pages: [{slug: a, content: x}]}]\nteams: [{name: t, description: !ref dev#id}]"
	for _, row := range []struct{ name, old, replacement, want string }{
		{"a type of another time", `"resource_type": "portal_page"`, `"resource_type": "portal_hologram"`, `unknown resource type "portal_hologram"`},
		{"decK on nothing", `"action": "CREATE"`, `"action": "EXTERNAL_TOOL"`, "EXTERNAL_TOOL of portal: only decK is an external tool"},
		{"a change that is not there", `"depends_on": []`, `"depends_on": ["9:c:portal:other"]`, "depends on 9:c:portal:other, which the plan does not have"},
		{"changes that wait for each other", `"depends_on": []`, `"depends_on": ["2:c:portal_page:dev-a"]`, "depends on 2:c:portal_page:dev-a, which is not in an earlier group"},
		{"a reference that nothing makes known", "\"description\": {\n          \"ref\": \"dev\",\n          \"type\": \"portal\",\n          \"id\": \"[unknown]\",\n          \"change\": \"1:c:portal:dev\"", "\"description\": {\n          \"ref\": \"dev\",\n          \"type\": \"portal\",\n          \"id\": \"[unknown]\"", "references.description: the id shown is not the one sent"},
		{"a secret without a source", `"protection": false`, `"protection": false, "secret_writes": [{"field": "x", "expression": {}}]`, "x does not say where the secret comes from"},
		{"an expression of another time", `"protection": false`, `"protection": false, "expressions": [{"field": "x", "expression": {"vault": "y"}}]`, "x: unknown expression"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := serial(t)
			p := edited(t, w.Plan(whole, text), row.old, row.replacement)
			w.Recorder.Reset()
			_, err := w.TryRun(t.Context(), p, w.Target)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want %s", err, row.want)
			}
			if len(writes(w)) > 0 {
				t.Errorf("wrote %q", writes(w))
			}
		})
	}
}

func TestPlanWithOneIdTwice(t *testing.T) {
	w := serial(t)
	p := w.Plan(whole, "teams: [{name: a}]")
	p.Changes = append(p.Changes, p.Changes[0])
	_, err := execute.Run(t.Context(), w.Execution(p), nil)
	if err == nil || len(writes(w)) > 0 {
		t.Errorf("got %v, wrote %q", err, writes(w))
	}
}

// A dependency that is left out of the plan's order is found before the first
// write.
func TestReferenceWithoutAnOrder(t *testing.T) {
	w := serial(t)
	p := w.Plan(whole, "teams: [{name: t, description: !ref dev#id}]\nportals: [{name: dev}]")
	p = edited(t, p, "\"depends_on\": [\n        \"1:c:portal:dev\"\n      ]", `"depends_on": []`)
	_, err := w.TryRun(t.Context(), p, w.Target)
	if err == nil || !strings.Contains(err.Error(), "references.description: does not depend on 1:c:portal:dev, which makes it") {
		t.Error(err)
	}
	if len(writes(w)) > 0 {
		t.Errorf("wrote %q", writes(w))
	}
}

// What kongctl writes into labels about itself is not a value that others get. What
// the labels hold of a replaced resource reaches those who take them in the same run.
func TestMarksAreNotHandedOut(t *testing.T) {
	w := serial(t)
	const text = `
control_planes: [{ref: cp, name: cp, cluster_type: CLUSTER_TYPE_CONTROL_PLANE}]
portals: [{ref: p, name: p, labels: {a: b, cp: !ref cp}}]
event_gateways:
  - ref: e
    name: e
    min_runtime_version: "1.1"
    backend_clusters:
      - {ref: k, name: k, labels: !ref p#labels, authentication: {type: anonymous}, bootstrap_servers: ["a:1"], insecure_allow_anonymous_virtual_cluster_auth: true, tls: {enabled: false}}
`
	labels := func() any {
		id, _ := w.Named("control_plane", "cp")["id"].(string)
		return map[string]any{"a": "b", "cp": id}
	}
	w.Sync(text)
	equal(t, "labels of another resource", w.Named("event_gateway_backend_cluster", "k")["labels"], labels())
	if p := w.Sync(text); len(p.Changes) > 0 {
		t.Errorf("the second plan has %d changes", len(p.Changes))
	}
	other := strings.Replace(text, "CLUSTER_TYPE_CONTROL_PLANE", "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER", 1)
	w.Succeed(w.Run(w.Plan(testkit.Ask{Mode: plan.ModeSync, AllowReplace: []string{"cp"}}, other)))
	equal(t, "labels with the id of what was made again", w.Named("event_gateway_backend_cluster", "k")["labels"], labels())
}
