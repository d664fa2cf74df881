package witness

import (
	"strings"
	"testing"
)

// TestExemptionsAreNeeded feeds an exchange for each exemption, and for each form of
// one: without the exemption the document forbids it.
func TestExemptionsAreNeeded(t *testing.T) {
	const (
		id       = "7f0aa1a4-3b5c-4d5e-8f00-000000000001"
		plane    = "/v2/control-planes/" + id
		core     = plane + "/core-entities/"
		gateway  = "/v1/event-gateways/" + id
		role     = `{"role_name":"Viewer","entity_id":"*","entity_type_name":"Control Planes","entity_region":"us"}`
		cluster  = `{"id":"` + id + `","name":"kafka","labels":{},"authentication":{"type":"anonymous"},"bootstrap_servers":["a.example.com:9092"],"tls":{"enabled":true,"client_identity":{"certificate":"x"}},"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}`
		sign     = `{"basic_auth_enabled":true,"konnect_mapping_enabled":true,"oidc_auth_enabled":false,"oidc_team_mapping_enabled":false}`
		strategy = `{"id":"` + id + `","name":"a","display_name":"a","strategy_type":"key_auth","configs":{"key-auth":{}},"active":true,"dcr_provider":null,"labels":{},"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}`
		missing  = `{"status":404,"title":"x","instance":"konnect:trace:1","detail":"x"}`
	)
	for _, row := range []struct {
		method, path, body string
		status             int
		answer, strictly   string
	}{
		{"GET", core + "v1/schemas/json/service", "", 200, `{}`, "no matching operation"},
		{"GET", core + "filter-chains", "", 200, `{}`, "no matching operation"},
		{"GET", core + "ai-models", "", 200, `{}`, "no matching operation"},
		{"GET", "/v3/audit-log-destinations", "", 200, `{}`, "no matching operation"},
		{"GET", core + "oauth2", "", 200, `{}`, "no matching operation"},
		{"GET", core + "oauth2/" + id, "", 200, `{}`, "no matching operation"},
		{"GET", core + "consumers/" + id + "/oauth2", "", 200, `{}`, "no matching operation"},
		{"GET", core + "services", "", 404, missing, "status is not supported"},
		{"GET", core + "schemas/plugins/acl", "", 404, missing, "status is not supported"},
		{"GET", core + "schemas/partials/nosuch", "", 404, missing, "status is not supported"},
		{"GET", plane + "/config-stores", "", 404, missing, "status is not supported"},
		{"GET", plane + "/config-stores/" + id, "", 404, missing, "status is not supported"},
		{"GET", gateway + "/listeners/" + id + "/policies", "", 404, missing, "status is not supported"},
		{"GET", gateway + "/virtual-clusters/" + id + "/cluster-policies", "", 404, missing, "status is not supported"},
		{"GET", gateway + "/virtual-clusters/" + id + "/produce-policies", "", 404, missing, "status is not supported"},
		{"GET", gateway + "/virtual-clusters/" + id + "/consume-policies", "", 404, missing, "status is not supported"},
		{"GET", gateway + "/backend-clusters/" + id, "", 200, cluster, `property "key" is missing`},
		{"PATCH", "/v2/application-auth-strategies/" + id, `{"configs":{"key-auth":{"key_names":null}}}`, 200, strategy, "Value is not nullable"},
		{"PATCH", "/v3/portals/" + id + "/authentication-settings", `{"oidc_issuer":null}`, 200, sign, "Value is not nullable"},
		{"PATCH", "/v3/portals/" + id + "/authentication-settings", `{"oidc_client_id":null}`, 200, sign, "Value is not nullable"},
		{"POST", "/v3/teams/" + id + "/assigned-roles", role, 201, strings.Replace(role, "{", `{"id":"`+id+`",`, 1), "entity_id"},
	} {
		t.Run(row.method+" "+strings.ReplaceAll(row.path, id, "ID"), func(t *testing.T) {
			for _, strict := range []bool{false, true} {
				var said complaints
				w, err := New(&said, &Log{})
				if err != nil {
					t.Fatal(err)
				}
				w.strict = strict
				if _, _, err := throughHandler(w, newRequest(t, row.method, row.path, row.body), answer(row.status, row.answer)); err != nil {
					t.Fatal(err)
				}
				text := strings.Join(said, "\n")
				if !strict && text != "" {
					t.Errorf("said %q", text)
				}
				if strict && !strings.Contains(text, row.strictly) {
					t.Errorf("the document allows it: take the exemption away (said %q, want %q)", text, row.strictly)
				}
			}
		})
	}
}
