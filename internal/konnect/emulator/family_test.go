package emulator_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestControlPlane(t *testing.T) {
	w := newWorld(t)
	r := w.must(http.StatusCreated, http.MethodPost, "/v2/control-planes", object{"name": "cp"})
	endpoint := regexp.MustCompile(`^https://[0-9a-f]{10}\.eu\.[ct]p0\.konghq\.com$`)
	config := r.field("config").(object)
	for _, f := range []string{"control_plane_endpoint", "telemetry_endpoint"} {
		if s, _ := config[f].(string); !endpoint.MatchString(s) {
			t.Errorf("%s %q", f, s)
		}
		delete(config, f)
	}
	want := object{"cluster_type": "CLUSTER_TYPE_CONTROL_PLANE", "auth_type": "pinned_client_certs", "cloud_gateway": false, "proxy_urls": []any{}}
	if diff := cmp.Diff(want, config); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	if r.field("description") != "" {
		t.Errorf("description %v", r.field("description"))
	}
	path := "/v2/control-planes/" + r.text("id")
	proxy := []any{object{"host": "h", "port": 1.0, "protocol": "http"}}
	r = w.must(http.StatusOK, http.MethodPatch, path, object{"auth_type": "pki_client_certs", "proxy_urls": proxy})
	if r.text("config", "auth_type") != "pki_client_certs" || !cmp.Equal(r.field("config", "proxy_urls"), any(proxy)) {
		t.Errorf("patched: %s", show(r.body))
	}
	w.must(http.StatusBadRequest, http.MethodPatch, path, object{"cluster_type": "CLUSTER_TYPE_SERVERLESS"})
}

func TestGatewayService(t *testing.T) {
	w := newWorld(t)
	base := "/v2/control-planes/" + w.create("/v2/control-planes", object{"name": "cp"}) + "/core-entities/services"
	r := w.must(http.StatusCreated, http.MethodPost, base, object{"name": "s", "url": "https://flights.example/v1"})
	expanded := object{
		"protocol": "https", "host": "flights.example", "port": 443.0, "path": "/v1",
		"connect_timeout": 60000.0, "retries": 5.0, "enabled": true, "tags": nil,
	}
	for f, want := range expanded {
		if got := r.field(f); got != want {
			t.Errorf("%s is %v, want %v", f, got, want)
		}
	}
	if _, ok := r.object()["url"]; ok {
		t.Error("url is write-only")
	}
	if _, ok := r.field("created_at").(float64); !ok {
		t.Errorf("created_at %v", r.field("created_at"))
	}
	if got := w.must(http.StatusOK, http.MethodGet, base+"/s", nil).text("id"); got != r.text("id") {
		t.Errorf("by name: %q", got)
	}
	id := "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
	if got := w.must(http.StatusOK, http.MethodPut, base+"/"+id, object{"name": "own", "host": "h"}).text("id"); got != id {
		t.Errorf("the client's id became %q", got)
	}
	named := w.must(http.StatusOK, http.MethodPut, base+"/third", object{"host": "h"})
	if named.text("name") != "third" || named.text("id") == "third" {
		t.Errorf("put by name: %s", show(named.body))
	}
	w.must(http.StatusConflict, http.MethodPost, base, object{"id": id, "host": "h"})
	w.must(http.StatusNoContent, http.MethodDelete, base+"/own", nil)
	w.must(http.StatusNotFound, http.MethodGet, base+"/"+id, nil)
}

func TestAuthStrategy(t *testing.T) {
	w := newWorld(t)
	provider := w.create("/v2/dcr-providers", object{
		"name": "p", "provider_type": "http", "issuer": "https://a.example",
		"dcr_config": object{"dcr_base_url": "https://dcr.example", "api_key": "canary_canary"},
	})
	if got := w.must(http.StatusOK, http.MethodGet, "/v2/dcr-providers/"+provider, nil); got.field("active") != true || strings.Contains(show(got.body), "canary") {
		t.Errorf("provider: %s", show(got.body))
	}
	r := w.must(http.StatusCreated, http.MethodPost, "/v2/application-auth-strategies", object{
		"name": "s", "display_name": "S", "strategy_type": "openid_connect", "dcr_provider_id": provider,
		"configs": object{"openid-connect": object{"issuer": "https://a.example", "auth_methods": []any{}, "credential_claim": []any{}, "scopes": []any{}}},
	})
	if r.field("active") != true || r.text("dcr_provider", "id") != provider || r.text("dcr_provider", "provider_type") != "http" || !cmp.Equal(r.field("labels"), any(object{})) {
		t.Errorf("created: %s", show(r.body))
	}
	r = w.must(http.StatusOK, http.MethodPatch, "/v2/application-auth-strategies/"+r.text("id"), object{"dcr_provider_id": nil})
	if v, ok := r.object()["dcr_provider"]; !ok || v != nil {
		t.Errorf("dcr_provider %v", v)
	}
}

func TestPortalDomains(t *testing.T) {
	w := newWorld(t)
	id := w.create("/v3/portals", object{"name": "p"})
	portal := func() reply { return w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+id, nil) }
	own := portal().text("default_domain")
	if !regexp.MustCompile(`^[0-9a-f]{12}\.eu\.kongportals\.com$`).MatchString(own) || portal().text("canonical_domain") != own {
		t.Errorf("domains %s", show(portal().body))
	}
	w.must(http.StatusBadRequest, http.MethodPost, "/v3/portals/"+id+"/custom-domain", domain("not_a host"))
	w.must(http.StatusCreated, http.MethodPost, "/v3/portals/"+id+"/custom-domain", domain("dev.example.com"))
	if got := portal().text("canonical_domain"); got != "dev.example.com" {
		t.Errorf("canonical domain %q", got)
	}
	w.must(http.StatusOK, http.MethodPatch, "/v3/portals/"+id+"/custom-domain", object{"enabled": false})
	if got := portal().text("canonical_domain"); got != own {
		t.Errorf("canonical domain %q of a domain that is off", got)
	}
}

func TestCustomDomain(t *testing.T) {
	w := newWorld(t)
	path := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"}) + "/custom-domain"
	r := w.must(http.StatusCreated, http.MethodPost, path, domain("dev.example.com"))
	want := object{"domain_verification_method": "http", "verification_status": "pending"}
	if diff := cmp.Diff(want, r.field("ssl")); diff != "" || r.text("cname_status") != "pending" {
		t.Errorf("by HTTP: %s %s", diff, show(r.body))
	}
	r = w.must(http.StatusOK, http.MethodPatch, path, object{"enabled": false})
	if r.field("enabled") != false || r.text("hostname") != "dev.example.com" {
		t.Errorf("toggled: %s", show(r.body))
	}
	w.must(http.StatusNoContent, http.MethodDelete, path, nil)
	w.must(http.StatusNotFound, http.MethodDelete, path, nil)

	end := time.Date(2031, time.May, 6, 7, 8, 9, 0, time.UTC)
	cert, key := certificate(t, end)
	own := func(cert, key string) object {
		return object{"hostname": "dev.example.com", "enabled": true, "ssl": object{"domain_verification_method": "custom_certificate", "custom_certificate": cert, "custom_private_key": key}}
	}
	for name, body := range map[string]object{
		"no PEM":             own("text", key),
		"PEM that is broken": own(cert[:len(cert)/2], key),
		"a key that is cut":  own(cert, key[:len(key)/2]),
		"no certificate":     own(key, key),
	} {
		if r := w.send(http.MethodPost, path, body); r.status != http.StatusBadRequest {
			t.Errorf("%s: status %d", name, r.status)
		}
	}
	r = w.must(http.StatusCreated, http.MethodPost, path, own(cert, key))
	ssl := r.field("ssl").(object)
	if ssl["expires_at"] != end.Format(time.RFC3339) || ssl["skip_ca_check"] != false || ssl["verification_status"] != "verified" || ssl["uploaded_at"] == nil {
		t.Errorf("own certificate: %s", show(ssl))
	}
	if ssl["custom_certificate"] != nil || ssl["custom_private_key"] != nil {
		t.Error("the certificate is returned")
	}
	uploaded := ssl["uploaded_at"]
	if r = w.must(http.StatusOK, http.MethodPatch, path, object{"enabled": false}); r.field("ssl", "uploaded_at") != uploaded {
		t.Errorf("uploaded_at moved: %s", show(r.body))
	}
	later := end.AddDate(1, 0, 0)
	cert, key = certificate(t, later)
	r = w.must(http.StatusOK, http.MethodPatch, path, object{"ssl": object{"custom_certificate": cert, "custom_private_key": key}})
	if r.text("ssl", "expires_at") != later.Format(time.RFC3339) || r.field("ssl", "uploaded_at") == uploaded {
		t.Errorf("renewed: %s", show(r.body))
	}
}

func certificate(t *testing.T, end time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "dev.example.com"}, NotBefore: end.AddDate(-5, 0, 0), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}))
}

func TestANewPortalHasItsSingletons(t *testing.T) {
	w := newWorld(t)
	base := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	look := w.must(http.StatusOK, http.MethodGet, base+"/customization", nil)
	if look.field("theme", "name") != nil || look.field("spec_renderer", "try_it_ui") != true || look.field("css") != nil {
		t.Errorf("customization: %s", show(look.body))
	}
	look = w.must(http.StatusOK, http.MethodPatch, base+"/customization", object{"theme": object{"mode": "dark"}, "spec_renderer": object{"try_it_ui": false}})
	if look.field("theme", "name") != nil || look.text("theme", "mode") != "dark" || look.field("spec_renderer", "try_it_ui") != false || look.field("spec_renderer", "show_schemas") != true {
		t.Errorf("customization after a change: %s", show(look.body))
	}
	auth := w.must(http.StatusOK, http.MethodGet, base+"/authentication-settings", nil)
	want := object{
		"basic_auth_enabled": true, "konnect_mapping_enabled": true, "oidc_auth_enabled": false,
		"oidc_team_mapping_enabled": false, "idp_mapping_enabled": false, "saml_auth_enabled": false,
	}
	if diff := cmp.Diff(want, auth.object()); diff != "" {
		t.Errorf("authentication settings (-want +got):\n%s", diff)
	}
	auth = w.must(http.StatusOK, http.MethodPatch, base+"/authentication-settings", object{
		"oidc_auth_enabled": true, "oidc_issuer": "https://id.example", "oidc_client_id": "me", "oidc_client_secret": "hush-hush", "oidc_scopes": []any{"openid"},
	})
	if diff := cmp.Diff(object{"issuer": "https://id.example", "client_id": "me", "scopes": []any{"openid"}}, auth.field("oidc_config")); diff != "" {
		t.Errorf("oidc_config (-want +got):\n%s", diff)
	}
	if auth.field("basic_auth_enabled") != true {
		t.Errorf("a change lost the rest: %s", show(auth.body))
	}
}

func TestPagesAndSnippetsTakeAfterTheirPortal(t *testing.T) {
	for _, visibility := range []string{"public", "private"} {
		w := newWorld(t)
		base := "/v3/portals/" + w.create("/v3/portals", object{"name": "p", "default_page_visibility": visibility})
		page := w.must(http.StatusCreated, http.MethodPost, base+"/pages", object{"slug": "getting-started", "content": "x"})
		snippet := w.must(http.StatusCreated, http.MethodPost, base+"/snippets", object{"name": "hello", "content": "x"})
		for _, r := range []reply{page, snippet} {
			if r.text("visibility") != visibility || r.text("status") != "unpublished" {
				t.Errorf("%s portal: %s", visibility, show(r.body))
			}
		}
		if page.text("title") != "Getting started" || snippet.text("title") != "hello" {
			t.Errorf("titles %q and %q", page.text("title"), snippet.text("title"))
		}
		w.must(http.StatusBadRequest, http.MethodPost, base+"/pages", object{"content": "x"})
	}
}

func TestFrontMatterStandsForFields(t *testing.T) {
	w := newWorld(t)
	content := "---\ntitle: Hello\nslug: hi\nstatus: published\n---\n# Text"
	pages := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"}) + "/pages"
	documents := "/v3/apis/" + w.create("/v3/apis", object{"name": "a"}) + "/documents"
	for _, base := range []string{pages, documents} {
		r := w.must(http.StatusCreated, http.MethodPost, base, object{"content": content, "title": "Own"})
		if r.text("title") != "Own" || r.text("slug") != "hi" || r.text("status") != "published" {
			t.Errorf("%s: %s", base, show(r.body))
		}
	}
}

func TestAPI(t *testing.T) {
	w := newWorld(t)
	r := w.must(http.StatusCreated, http.MethodPost, "/v3/apis", object{"name": "Flight Status", "version": "v1"})
	id := r.text("id")
	worked := object{"slug": "flight-status-v1", "description": nil, "current_version_summary": nil, "implementation_mode": nil}
	for f, want := range worked {
		if got, ok := r.object()[f]; !ok || got != want {
			t.Errorf("%s is %v, want %v", f, got, want)
		}
	}
	if !cmp.Equal(r.field("portals"), any([]any{})) || !cmp.Equal(r.field("api_spec_ids"), any([]any{})) || !cmp.Equal(r.field("attributes"), any(object{})) {
		t.Errorf("created: %s", show(r.body))
	}
	portal := w.create("/v3/portals", object{"name": "dev", "display_name": "Dev"})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+id+"/publications/"+portal, object{})
	first := w.create("/v3/apis/"+id+"/versions", object{"version": "1.0.0", "spec": object{"content": `{"openapi":"3.1.0"}`}})
	second := w.create("/v3/apis/"+id+"/versions", object{"version": "2.0.0", "spec": object{"content": `{"swagger":"2.0"}`}})
	r = w.must(http.StatusOK, http.MethodGet, "/v3/apis/"+id, nil)
	if diff := cmp.Diff([]any{object{"id": portal, "name": "dev", "display_name": "Dev"}}, r.field("portals")); diff != "" {
		t.Errorf("portals (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{first, second}, r.field("api_spec_ids")); diff != "" {
		t.Errorf("specifications (-want +got):\n%s", diff)
	}
	if r.text("current_version_summary", "id") != second || r.text("current_version_summary", "spec", "type") != "oas2" {
		t.Errorf("newest version: %s", show(r.field("current_version_summary")))
	}
	for _, listed := range w.must(http.StatusOK, http.MethodGet, "/v3/apis", nil).data() {
		if summary, shown := listed["current_version_summary"]; summary != nil || !shown {
			t.Errorf("listed: %s", show(listed))
		}
	}
	if got := w.must(http.StatusCreated, http.MethodPost, "/v3/apis", object{"name": "other"}); got.text("slug") != "other" || got.field("version") != nil {
		t.Errorf("without a version: %s", show(got.body))
	}
	if got := w.must(http.StatusCreated, http.MethodPost, "/v3/apis", object{"name": "other", "version": "3.2.0"}); got.text("slug") != "other-3" {
		t.Errorf("of a version the major one: %s", show(got.body))
	}
}

func TestSpecificationOfAVersion(t *testing.T) {
	w := newWorld(t)
	base := "/v3/apis/" + w.create("/v3/apis", object{"name": "a"}) + "/versions"
	for _, row := range []struct {
		name             string
		body             object
		version, kind    string
		messages, status int
	}{
		{"OpenAPI 3 in YAML", object{"spec": object{"content": "openapi: 3.0.3\ninfo:\n  version: 1.2.3\n"}}, "1.2.3", "oas3", 0, http.StatusCreated},
		{"OpenAPI 2 in JSON", object{"spec": object{"content": `{"swagger":"2.0","info":{"version":"2"}}`}}, "2", "oas2", 0, http.StatusCreated},
		{"AsyncAPI", object{"spec": object{"content": "asyncapi: 3.0.0\ninfo: {version: '3'}\n"}}, "3", "asyncapi", 0, http.StatusCreated},
		{"the written version wins", object{"version": "own", "spec": object{"content": "openapi: 3.0.3\ninfo: {version: '9'}\n"}}, "own", "oas3", 0, http.StatusCreated},
		{"something else", object{"version": "x", "spec": object{"content": "hello"}}, "x", "", 1, http.StatusCreated},
		{"nothing", object{"version": "y", "spec": object{}}, "y", "", 0, http.StatusCreated},
		{"no version anywhere", object{"spec": object{"content": "openapi: 3.0.3"}}, "", "", 0, http.StatusBadRequest},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			r := w.must(row.status, http.MethodPost, base, row.body)
			if row.status != http.StatusCreated {
				return
			}
			if r.text("version") != row.version || r.text("spec", "type") != row.kind || len(r.field("spec", "validation_messages").([]any)) != row.messages {
				t.Errorf("created: %s", show(r.body))
			}
			if got := w.must(http.StatusOK, http.MethodGet, base+"?filter[version]="+row.version, nil).data(); len(got) != 1 || got[0]["version"] != row.version {
				t.Errorf("filtered: %s", show(got))
			}
		})
	}
}

func TestPublication(t *testing.T) {
	w := newWorld(t)
	key := func(name string) string {
		return w.create("/v2/application-auth-strategies", object{"name": name, "display_name": name, "strategy_type": "key_auth", "configs": object{"key-auth": object{}}})
	}
	usual, special := key("usual"), key("special")
	api := w.create("/v3/apis", object{"name": "a"})
	portal := w.create("/v3/portals", object{"name": "p", "default_application_auth_strategy_id": usual})
	path := "/v3/apis/" + api + "/publications/" + portal
	for _, row := range []struct {
		name       string
		body       object
		visibility string
		strategies any
	}{
		{"the portal's strategy is the default", object{}, "private", []any{usual}},
		{"a put again changes it", object{"visibility": "public", "auth_strategy_ids": []any{special}}, "public", []any{special}},
		{"null stands for none", object{"auth_strategy_ids": nil}, "private", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			r := w.must(http.StatusOK, http.MethodPut, path, row.body)
			if r.text("visibility") != row.visibility || !cmp.Equal(r.field("auth_strategy_ids"), row.strategies) || r.field("auto_approve_registrations") != false {
				t.Errorf("put: %s", show(r.body))
			}
			list := w.must(http.StatusOK, http.MethodGet, "/v3/api-publications", nil).data()
			if len(list) != 1 || list[0]["api_id"] != api || list[0]["portal_id"] != portal || list[0]["entity_type"] != "api" {
				t.Errorf("listed: %s", show(list))
			}
		})
	}
	unknown := "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
	w.must(http.StatusNotFound, http.MethodPut, "/v3/apis/"+api+"/publications/"+unknown, object{})
	w.must(http.StatusNotFound, http.MethodPut, "/v3/apis/"+unknown+"/publications/"+portal, object{})
	w.must(http.StatusBadRequest, http.MethodPut, path, object{"auth_strategy_ids": []any{unknown}})

	w.must(http.StatusOK, http.MethodPut, path, object{"auth_strategy_ids": []any{special}})
	other := w.create("/v3/apis", object{"name": "b"})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+other+"/publications/"+portal, object{})
	for filter, want := range map[string]string{
		"filter[api_id]=" + api: api, "filter[api_id][eq]=" + other: other, "filter[api_name]=b": other,
		"filter[auth_strategy_id]=" + special: api, "filter[portal_name]=p&filter[api_name][neq]=a": other,
	} {
		if list := w.must(http.StatusOK, http.MethodGet, "/v3/api-publications?"+filter, nil).data(); len(list) != 1 || list[0]["api_id"] != want {
			t.Errorf("%s: %s", filter, show(list))
		}
	}
}

func TestImplementation(t *testing.T) {
	w := newWorld(t)
	api := w.create("/v3/apis", object{"name": "a"})
	plane := w.create("/v2/control-planes", object{"name": "cp"})
	base := "/v3/apis/" + api + "/implementations"
	none := object{"service": object{"id": "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7", "control_plane_id": plane}}
	if r := w.must(http.StatusBadRequest, http.MethodPost, base, none); !strings.Contains(show(r.body), "does not exist") {
		t.Errorf("a service that does not exist: %s", show(r.body))
	}
	service := w.create("/v2/control-planes/"+plane+"/core-entities/services", object{"name": "s", "host": "h"})
	r := w.must(http.StatusCreated, http.MethodPost, base, object{"service": object{"id": service, "control_plane_id": plane}})
	if diff := cmp.Diff(object{"id": service, "control_plane_id": plane}, r.field("service")); diff != "" {
		t.Errorf("service (-want +got):\n%s", diff)
	}
	w.must(http.StatusConflict, http.MethodPost, base, object{"service": object{"id": service, "control_plane_id": plane}})
	w.must(http.StatusBadRequest, http.MethodPost, base, object{"service": object{"id": service, "control_plane_id": service}})
	whole := w.must(http.StatusCreated, http.MethodPost, "/v3/apis/"+w.create("/v3/apis", object{"name": "b"})+"/implementations", object{"control_plane": object{"control_plane_id": plane}})
	for filter, want := range map[string]string{
		"filter[api_id]=" + api: r.text("id"), "filter[service_id]=" + service: r.text("id"),
		"filter[control_plane_id]=" + plane + "&filter[service_id][neq]=" + service: whole.text("id"),
	} {
		if list := w.must(http.StatusOK, http.MethodGet, "/v3/api-implementations?"+filter, nil).data(); len(list) != 1 || list[0]["id"] != want {
			t.Errorf("%s: %s", filter, show(list))
		}
	}
	// An API shows how it is implemented.
	modes := map[string]any{}
	for _, listed := range w.must(http.StatusOK, http.MethodGet, "/v3/apis", nil).data() {
		modes[listed["name"].(string)] = listed["implementation_mode"]
	}
	if diff := cmp.Diff(map[string]any{"a": "gateway_entity_binding", "b": "access_control_enforcement"}, modes); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
	if got := w.must(http.StatusOK, http.MethodGet, "/v3/apis/"+api, nil).text("implementation_mode"); got != "gateway_entity_binding" {
		t.Errorf("mode %q", got)
	}
}

func TestDocumentsNameThemselves(t *testing.T) {
	w := newWorld(t)
	base := "/v3/apis/" + w.create("/v3/apis", object{"name": "a"}) + "/documents"
	for _, row := range []struct {
		name        string
		body        object
		title, slug string
	}{
		{"from the title", object{"title": "How To Fly", "content": ""}, "How To Fly", "how-to-fly"},
		{"from the slug", object{"slug": "getting-started", "content": ""}, "Getting started", "getting-started"},
		{"from the content", object{"content": "intro\n# First Steps\n"}, "First Steps", "first-steps"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := w.in(t).must(http.StatusCreated, http.MethodPost, base, row.body)
			if r.text("title") != row.title || r.text("slug") != row.slug || r.text("status") != "unpublished" {
				t.Errorf("created: %s", show(r.body))
			}
		})
	}
}

func TestTeams(t *testing.T) {
	w := newWorld(t)
	r := w.must(http.StatusCreated, http.MethodPost, "/v3/teams", object{"name": "crew"})
	if r.field("system_team") != false {
		t.Errorf("created: %s", show(r.body))
	}
	list := w.must(http.StatusOK, http.MethodGet, "/v3/teams?filter[name][eq]=organization-admin", nil).data()
	if len(list) != 1 || list[0]["system_team"] != true {
		t.Fatalf("system team: %s", show(list))
	}
	system := "/v3/teams/" + list[0]["id"].(string)
	w.problem(w.must(http.StatusForbidden, http.MethodDelete, system, nil), "ForbiddenError")
	w.must(http.StatusForbidden, http.MethodPatch, system, object{"description": "x"})

	roles := "/v3/teams/" + r.text("id") + "/assigned-roles"
	id := w.create(roles, role("Admin"))
	if got := w.must(http.StatusOK, http.MethodGet, roles+"?filter[role_name][eq]=Admin", nil).data(); len(got) != 1 || got[0]["id"] != id {
		t.Errorf("roles: %s", show(got))
	}
	w.must(http.StatusNoContent, http.MethodDelete, roles+"/"+id, nil)
	w.create(roles, role("Admin"))
}

func TestWhoAmI(t *testing.T) {
	w := newWorld(t)
	me := w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil)
	org := w.must(http.StatusOK, http.MethodGet, "/v3/organizations/me", nil)
	if me.text("id") == "" || me.text("inferred_region") != "eu" || org.text("owner_id") != me.text("id") {
		t.Errorf("user %s, organization %s", show(me.body), show(org.body))
	}
}

func TestANewAPIMayBringItsSpecification(t *testing.T) {
	for _, row := range []struct {
		name    string
		body    object
		version string
	}{
		{"the specification's version", object{"spec_content": "openapi: 3.0.3\ninfo: {version: 1.2.3}\n", "version": "v9"}, "1.2.3"},
		{"the API's version", object{"spec_content": "openapi: 3.0.3\n", "version": "v9"}, "v9"},
		{"no version anywhere", object{"spec_content": "hello"}, "1.0.0"},
		{"no specification", object{}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t)
			row.body["name"] = "a"
			api := w.must(http.StatusCreated, http.MethodPost, "/v3/apis", row.body)
			if got := api.text("current_version_summary", "version"); got != row.version {
				t.Errorf("created: %s", show(api.body))
			}
			list := w.must(http.StatusOK, http.MethodGet, "/v3/apis/"+api.text("id")+"/versions", nil).data()
			if row.version == "" {
				if len(list) != 0 {
					t.Errorf("versions: %s", show(list))
				}
				return
			}
			one := w.must(http.StatusOK, http.MethodGet, "/v3/apis/"+api.text("id")+"/versions/"+list[0]["id"].(string), nil)
			if len(list) != 1 || one.text("version") != row.version || one.text("spec", "content") != row.body["spec_content"] {
				t.Errorf("version: %s", show(one.body))
			}
		})
	}
}
