package contract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

func load(t *testing.T) *contract.Contract {
	t.Helper()
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func plain(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// scorecard is a body that selects all services, with parameters for that.
func scorecard(parameters string) string {
	return `{"name":"s","description":null,"scorecard_template":null,"criteria":[{"enabled":true,"template_name":"time_to_merge","section_name":null,"template_parameters":{"measure":"median"}}],
		"entity_selector":{"selector":"all","selector_parameters":` + parameters + `}}`
}

func TestValidateBody(t *testing.T) {
	c := load(t)
	for _, row := range []struct{ name, method, path, body, want string }{
		{"a portal with a name is enough", "POST", "/v3/portals", `{"name":"dev"}`, ""},
		{"a portal needs a name", "POST", "/v3/portals", `{}`, "required name: is required"},
		{"a read-only field has no place in a request", "POST", "/v3/portals", `{"name":"dev","id":"x"}`, "unknown id: is not a field here"},
		{"enum", "POST", "/v3/portals", `{"name":"dev","default_api_visibility":"hidden"}`, "enum default_api_visibility: must be one of public, private"},
		{"type", "POST", "/v3/portals", `{"name":"dev","rbac_enabled":"yes"}`, "type rbac_enabled: must be true or false, not a string"},
		{"null where it is not allowed", "POST", "/v3/portals", `{"name":"dev","display_name":null}`, "null display_name: must be a string and cannot be null"},
		{"null where it is allowed", "POST", "/v3/portals", `{"name":"dev","description":null}`, ""},
		{"length", "POST", "/v3/portals", `{"name":""}`, "length name: must have at least 1 character, has 0"},
		{"label value pattern", "POST", "/v3/portals", `{"name":"dev","labels":{"a":"-"}}`, "pattern labels.a: must match ^[a-z0-9A-Z]{1}([a-z0-9A-Z-._]*[a-z0-9A-Z]+)?$"},
		{"the discriminator picks the branch", "POST", "/v2/application-auth-strategies", `{"name":"k","display_name":"K","strategy_type":"key_auth","configs":{"key-auth":{"key_names":[]}}}`, "items configs.key-auth.key_names: must have at least 1 item, has 0"},
		{"an unknown discriminator value", "POST", "/v2/application-auth-strategies", `{"name":"k","display_name":"K","strategy_type":"basic","configs":{}}`, "enum strategy_type: must be one of key_auth, openid_connect"},
		{"branches told apart by a const", "POST", "/v3/portals/{portalId}/custom-domain", `{"hostname":"a.b","enabled":true,"ssl":{"domain_verification_method":"http","skip_ca_check":true}}`, "unknown ssl.skip_ca_check: is not a field here"},
		{"a union that nothing tells apart", "POST", "/v3/apis/{apiId}/implementations", `{"service":{"id":"7f0aa1a4-3b5c-4d5e-8f00-000000000001"}}`, "required service.control_plane_id: is required"},
		{"fields of one of two variants", "POST", "/v2/control-planes/{controlPlaneId}/core-entities/certificates", `{}`, "union needs vault, or cert and key"},
		{"one of two fields", "POST", "/v2/control-planes/{controlPlaneId}/core-entities/certificates", `{"cert":"x"}`, "union needs vault or key"},
		{"null alone, not a mapping", "POST", "/v1/scorecards", scorecard(`{"a":1}`), "type entity_selector.selector_parameters: must be null, not a mapping"},
		{"null alone, not a text", "POST", "/v1/scorecards", scorecard(`"a"`), "type entity_selector.selector_parameters: must be null, not a string"},
		{"null alone", "POST", "/v1/scorecards", scorecard(`null`), ""},
		{"format", "POST", "/v3/apis/{apiId}/implementations", `{"service":{"id":"x","control_plane_id":"7f0aa1a4-3b5c-4d5e-8f00-000000000001"}}`, "format service.id: must be a valid uuid"},
		{"a place in a list", "POST", "/v2/control-planes", `{"name":"cp","proxy_urls":[{"host":"h","port":0,"protocol":"http"}]}`, "range proxy_urls[0].port: must be at least 1"},
		{"a label removed by null", "PATCH", "/v3/apis/{apiId}", `{"labels":{"a":null}}`, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, v := range c.Operation(row.method, row.path).ValidateBody(plain(t, row.body), nil) {
				got = append(got, string(v.Rule)+" "+v.Error())
			}
			if diff := cmp.Diff(row.want, strings.Join(got, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnknownPlacesAreSkipped(t *testing.T) {
	op := load(t).Operation("POST", "/v3/apis/{apiId}/implementations")
	body := plain(t, `{"service":{"id":"?","control_plane_id":"?"}}`)
	if vs := op.ValidateBody(body, nil); len(vs) == 0 {
		t.Fatal("placeholders must not be valid by themselves")
	}
	vs := op.ValidateBody(body, func(p []string) bool { return p[len(p)-1] == "id" || p[len(p)-1] == "control_plane_id" })
	if len(vs) != 0 {
		t.Errorf("unexpected: %v", vs)
	}
}

func TestResponseMayLackWriteOnly(t *testing.T) {
	op := load(t).Operation("POST", "/v3/teams")
	body := plain(t, `{"id":"7f0aa1a4-3b5c-4d5e-8f00-000000000001","created_at":"2026-01-01T00:00:00Z"}`)
	if vs := op.ValidateResponse("201", body); len(vs) != 0 {
		t.Errorf("unexpected: %v", vs)
	}
}

func TestFacts(t *testing.T) {
	c := load(t)
	body := func(method, path string) *contract.Schema { return c.Operation(method, path).Body() }
	portal := body("POST", "/v3/portals").Object(nil)
	domain := body("POST", "/v3/portals/{portalId}/custom-domain")
	if f := portal.Field("authentication_enabled").Schema; !f.HasDefault() || f.Default != true {
		t.Errorf("default of authentication_enabled: %v", f.Default)
	}
	if f := portal.Field("rbac_enabled").Schema; !f.HasDefault() || f.Default != false {
		t.Errorf("a default of false is a default: %v", f.Default)
	}
	for _, row := range []struct {
		what string
		got  bool
		want bool
	}{
		{"name is required", portal.Field("name").Required, true},
		{"description may be null", portal.Field("description").Schema.Nullable, true},
		{"id is read-only", portal.Field("id").Schema.ReadOnly, true},
		{"labels are write-only in the document and not secret", portal.Field("labels").Schema.Secret, false},
		{"a private key is secret though the document does not say so", domain.At([]string{"ssl", "custom_private_key"}, nil).Secret, true},
		{"a certificate is not", domain.At([]string{"ssl", "custom_certificate"}, nil).Secret, false},
		{"a sensitive field is secret", body("POST", "/v1/event-gateways/{gatewayId}/static-keys").At([]string{"value"}, nil).Secret, true},
		{"the slug of an API is computed", body("POST", "/v3/apis").At([]string{"slug"}, nil).Computed, true},
	} {
		if row.got != row.want {
			t.Errorf("%s: got %v", row.what, row.got)
		}
	}
}

func TestPagingAndEnvelopes(t *testing.T) {
	c := load(t)
	for _, row := range []struct {
		path     string
		paging   contract.Paging
		size     int
		envelope string
	}{
		{"/v3/portals", contract.PagingNumber, 100, "data"},
		{"/v3/portals/{portalId}/ip-allow-list", contract.PagingCursor, 100, "data"},
		{"/v2/control-planes/{controlPlaneId}/core-entities/services", contract.PagingOffset, 1000, "data"},
		{"/v3/portals/{portalId}/pages", contract.PagingNone, 0, "data"},
		{"/v2/control-planes/{controlPlaneId}/dp-client-certificates", contract.PagingNone, 0, "items"},
	} {
		op := c.Operation("GET", row.path)
		name, item, ok := op.Envelope()
		if op.Paging() != row.paging || op.MaxPageSize() != row.size || name != row.envelope || !ok || item == nil {
			t.Errorf("%s: %s %d %s %v", row.path, op.Paging(), op.MaxPageSize(), name, ok)
		}
	}
	if got := c.Operation("POST", "/v2/control-planes/{controlPlaneId}/dp-client-certificates").Wrapper(); got != "item" {
		t.Errorf("wrapper: %q", got)
	}
}

func TestMatch(t *testing.T) {
	c := load(t)
	op, params, _ := c.Match("GET", "/v3/portals/p1/pages/a%2Fb")
	if op == nil || op.ID != "get-portal-page" || params["portalId"] != "p1" || params["pageId"] != "a/b" {
		t.Errorf("got %v %v", op, params)
	}
	if op, _, _ := c.Match("GET", "/v3/portals/email-domains"); op == nil || op.ID != "list-email-domains" {
		t.Errorf("fixed segments win: %v", op)
	}
	if op, _, allowed := c.Match("PUT", "/v3/portals"); op != nil || !cmp.Equal(allowed, []string{"GET", "POST"}) {
		t.Errorf("allowed: %v", allowed)
	}
	if op, _, allowed := c.Match("GET", "/nowhere"); op != nil || allowed != nil {
		t.Error("unknown path matched")
	}
}

// Every schema of every operation must compile, so that no request can meet a
// schema that the validator refuses.
func TestNext(t *testing.T) {
	c := load(t)
	for _, row := range []struct{ name, method, begun, want string }{
		{"a path that was begun", "POST", "/v3/portal", "/v3/portals /v3/portals/"},
		{"behind a parameter", "GET", "/v3/portals/ID/customi", "/v3/portals/ID/customization"},
		{"only operations with the method", "POST", "/v3/portals/ID/customi", ""},
		{"a parameter is not known", "PATCH", "/v3/portals/", ""},
		{"a parameter is not empty", "GET", "/v3/portals//cust", ""},
		{"beyond the end", "GET", "/v3/portals/ID/customization/x/y/z", ""},
		{"not from the root", "GET", "v3/portals", ""},
	} {
		if got := strings.Join(c.Next(row.method, row.begun), " "); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

func TestEverySchemaCompiles(t *testing.T) {
	c := load(t)
	n := 0
	for _, op := range c.Operations() {
		if op.Body() != nil {
			op.ValidateBody(map[string]any{}, nil)
			n++
		}
		if status, s := op.Success(); s != nil {
			op.ValidateResponse(status, map[string]any{})
			n++
		}
	}
	if n < 900 {
		t.Errorf("only %d schemas seen", n)
	}
}

// Null fits a union of which several variants take null, though by its letter it
// fits more than one.
func TestNullInAUnion(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	op := c.Operation("PATCH", "/v1/catalog-services/{id}")
	for text, ok := range map[any]bool{nil: true, "text": true, true: true} {
		if vs := op.ValidateBody(map[string]any{"custom_fields": map[string]any{"a": text}}, nil); (len(vs) == 0) != ok {
			t.Errorf("%v: %v", text, vs)
		}
	}
	if vs := op.ValidateBody(map[string]any{"custom_fields": map[string]any{"a": []any{}}}, nil); len(vs) == 0 {
		t.Error("a list is taken")
	}
}
