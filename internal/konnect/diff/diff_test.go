package diff_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	m, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("not a mapping: %s", text)
	}
	return m
}

// lines says what a comparison found: path, old and new value, and "!" where
// a new resource is needed.
func lines(d diff.Delta) []string {
	var out []string
	for _, c := range d.Changes {
		mark := ""
		if c.Immutable {
			mark = "!"
		}
		out = append(out, fmt.Sprintf("%s%s: %s > %s", mark, c.Path, value.Canonical(c.Old), value.Canonical(c.New)))
	}
	return out
}

func kind(t *testing.T, name string) *catalog.Bound {
	t.Helper()
	b := testkit.Catalog(t).Kind(name)
	if b == nil {
		t.Fatalf("no kind %s", name)
	}
	return b
}

// row is one comparison; want lists the changes.
type row struct {
	name             string
	kind             string
	desired, current string
	want             []string
}

func run(t *testing.T, mode diff.Mode, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			d := diff.Compare(kind(t, r.kind), decode(t, r.desired), decode(t, r.current), mode)
			if diff := cmp.Diff(r.want, lines(d)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if d.Empty() != (len(r.want) == 0) {
				t.Errorf("Empty() = %v", d.Empty())
			}
		})
	}
}

func TestDeclaredFields(t *testing.T) {
	run(t, diff.Merge, []row{
		{"a text that differs", "portal", `{"description":"new"}`, `{"description":"old"}`, []string{`description: "old" > "new"`}},
		{"a field that is not there", "portal", `{"description":"new"}`, `{}`, []string{`description: null > "new"`}},
		{"a text to null", "portal", `{"description":null}`, `{"description":"old"}`, []string{`description: "old" > null`}},
		{"null is absent", "portal", `{"description":null}`, `{}`, nil},
		{"absent is null", "portal", `{"description":null}`, `{"description":null}`, nil},
		{"false is not absent", "portal", `{"rbac_enabled":false}`, `{}`, []string{`rbac_enabled: null > false`}},
		{"the identity is found by, not compared", "portal", `{"name":"dev"}`, `{"name":"DEV"}`, nil},
		{"labels are compared elsewhere", "portal", `{"labels":{"a":"1"}}`, `{"labels":{}}`, nil},
		{"1 is 1.0", "application_auth_strategy", `{"configs":{"key-auth":{"ttl":{"value":1,"unit":"days"}}}}`, `{"configs":{"key-auth":{"ttl":{"value":1.0,"unit":"days"}}}}`, nil},
		{"a nested field alone is told", "application_auth_strategy", `{"configs":{"key-auth":{"ttl":{"value":2,"unit":"days"}}}}`, `{"configs":{"key-auth":{"ttl":{"value":1,"unit":"days"},"key_names":["a"]}}}`, []string{`configs.key-auth.ttl.value: 1 > 2`}},
		{"a nested object that is not there", "portal_customization", `{"theme":{"colors":{"primary":"#000000"}}}`, `{"theme":{"mode":"dark"}}`, []string{`theme.colors: null > {"primary":"#000000"}`}},
		{"an empty object is an absent one", "portal_customization", `{"theme":{}}`, `{}`, nil},
		{"an object of nulls is an absent one", "portal_customization", `{"theme":{"mode":null}}`, `{}`, nil},
		{"what the service chooses inside of items is its own", "cloud_gateway_configuration", `{"dataplane_groups":[{"provider":"aws","region":"a","autoscale":{"kind":"autopilot","base_rps":1}},{"provider":"aws","region":"b"}]}`, `{"dataplane_groups":[{"provider":"aws","region":"b"},{"provider":"aws","region":"a","autoscale":{"kind":"autopilot","base_rps":1,"max_rps":10}}]}`, nil},
		{"what an update changes in one form", "cloud_gateway_transit_gateway", `{"cidr_blocks":["10.0.0.0/8"]}`, `{"cidr_blocks":["10.1.0.0/16"],"transit_gateway_attachment_config":{"kind":"aws-transit-gateway-attachment"}}`, []string{`cidr_blocks: ["10.1.0.0/16"] > ["10.0.0.0/8"]`}},
		{"and in no other", "cloud_gateway_transit_gateway", `{"cidr_blocks":["10.0.0.0/8"]}`, `{"cidr_blocks":["10.1.0.0/16"],"transit_gateway_attachment_config":{"kind":"aws-vpc-peering-attachment"}}`, []string{`!cidr_blocks: ["10.1.0.0/16"] > ["10.0.0.0/8"]`}},
		{"what is declared there is not", "cloud_gateway_configuration", `{"dataplane_groups":[{"provider":"aws","region":"a","autoscale":{"kind":"autopilot","base_rps":1,"max_rps":5}}]}`, `{"dataplane_groups":[{"provider":"aws","region":"a","autoscale":{"kind":"autopilot","base_rps":1,"max_rps":10}}]}`, []string{`dataplane_groups: [{"autoscale":{"base_rps":1,"kind":"autopilot","max_rps":10},"provider":"aws","region":"a"}] > [{"autoscale":{"base_rps":1,"kind":"autopilot","max_rps":5},"provider":"aws","region":"a"}]`}},
		{"an empty list is an absent one", "control_plane", `{"proxy_urls":[]}`, `{}`, nil},
		{"lists are compared whole", "application_auth_strategy", `{"configs":{"key-auth":{"key_names":["a","b"]}}}`, `{"configs":{"key-auth":{"key_names":["b","a"]}}}`, []string{`configs.key-auth.key_names: ["b","a"] > ["a","b"]`}},
		{"where order means nothing it is not compared", "portal_auth_settings", `{"oidc_scopes":["openid","email"]}`, `{"oidc_scopes":["email","openid"]}`, nil},
		{"but how often counts", "portal_auth_settings", `{"oidc_scopes":["a","a","b"]}`, `{"oidc_scopes":["a","b","b"]}`, []string{`oidc_scopes: ["a","b","b"] > ["a","a","b"]`}},
		{"objects without order", "control_plane", `{"proxy_urls":[{"host":"a","port":1,"protocol":"http"},{"host":"b","port":2,"protocol":"http"}]}`, `{"proxy_urls":[{"protocol":"http","host":"b","port":2.0},{"host":"a","port":1,"protocol":"http"}]}`, nil},
		{"null in an element is absent", "control_plane", `{"proxy_urls":[{"host":"a","port":1,"protocol":"http","x":null}]}`, `{"proxy_urls":[{"host":"a","port":1,"protocol":"http"}]}`, nil},
		{"what only answers say of an item is not compared", "control_plane", `{"proxy_urls":[{"host":"a","port":1,"protocol":"http"}]}`, `{"proxy_urls":[{"id":"7","created_at":"x","host":"a","port":1,"protocol":"http"}]}`, nil},
		{"but what a declaration can say is", "control_plane", `{"proxy_urls":[{"host":"a","port":1,"protocol":"http"}]}`, `{"proxy_urls":[{"id":"7","host":"b","port":1,"protocol":"http"}]}`, []string{`proxy_urls: [{"host":"b","id":"7","port":1,"protocol":"http"}] > [{"host":"a","port":1,"protocol":"http"}]`}},
		{"an immutable field", "control_plane", `{"cluster_type":"CLUSTER_TYPE_K8S_INGRESS_CONTROLLER"}`, `{"cluster_type":"CLUSTER_TYPE_CONTROL_PLANE"}`, []string{`!cluster_type: "CLUSTER_TYPE_CONTROL_PLANE" > "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER"`}},
		{"a field that the catalog calls immutable", "portal_custom_domain", `{"ssl":{"domain_verification_method":"custom_certificate","skip_ca_check":true}}`, `{"ssl":{"domain_verification_method":"custom_certificate","skip_ca_check":false}}`, []string{`!ssl.skip_ca_check: false > true`}},
		{"beside one that can be changed", "portal_custom_domain", `{"hostname":"b.example.com","enabled":true}`, `{"hostname":"a.example.com","enabled":false}`, []string{`enabled: false > true`, `!hostname: "a.example.com" > "b.example.com"`}},
		{"what Konnect never returns cannot differ", "api", `{"spec_content":"openapi: 3.0.0"}`, `{}`, nil},
		{"a mapping of free keys", "catalog_service", `{"custom_fields":{"a":"2","b":"1"}}`, `{"custom_fields":{"a":"1"}}`, []string{`custom_fields.a: "1" > "2"`, `custom_fields.b: null > "1"`}},
	})
}

// TestFormerForm: a resource of another form that takes the place of one lacks what only
// the former form has.
func TestFormerForm(t *testing.T) {
	run(t, diff.New, []row{
		{"the configuration of another strategy", "application_auth_strategy", `{"strategy_type":"openid_connect","configs":{"openid-connect":{"issuer":"https://id.example.com"}}}`, `{"strategy_type":"key_auth","configs":{"key-auth":{"key_names":["a"]}}}`, []string{`configs.key-auth: {"key_names":["a"]} > null`, `configs.openid-connect: null > {"issuer":"https://id.example.com"}`, `!strategy_type: "key_auth" > "openid_connect"`}},
		{"the same form", "application_auth_strategy", `{"strategy_type":"key_auth","configs":{"key-auth":{"key_names":["a"]}}}`, `{"strategy_type":"key_auth","configs":{"key-auth":{"key_names":["a"]}}}`, nil},
	})
}

// What Konnect gives a new resource is no difference where what it takes the place of has
// the same, and is shown where it has something else.
func TestNewHasWhatKonnectGives(t *testing.T) {
	run(t, diff.New, []row{
		{"a copy of another field", "metering_llm_cost_override", `{"model_id":"gpt"}`, `{"model_id":"gpt","model_name":"gpt"}`, nil},
		{"no copy of it", "metering_llm_cost_override", `{"model_id":"gpt"}`, `{"model_id":"gpt","model_name":"GPT"}`, []string{`!model_name: "GPT" > "gpt"`}},
		{"words of another field", "portal_page", `{"slug":"/getting-started"}`, `{"slug":"/getting-started","title":"Getting started"}`, nil},
		{"what another resource has, which is not known", "portal_page", `{"slug":"/a"}`, `{"slug":"/a","visibility":"public"}`, nil},
		{"what Konnect chooses", "event_gateway", `{}`, `{"min_runtime_version":"1.1"}`, nil},
		{"a default", "portal", `{}`, `{"rbac_enabled":true}`, []string{`rbac_enabled: true > false`}},
		{"nothing", "organization_system_account", `{"description":"d"}`, `{"description":"d","konnect_managed":true}`, []string{`!konnect_managed: true > null`}},
	})
}

func TestUndeclaredFieldsStayWhenMerging(t *testing.T) {
	run(t, diff.Merge, []row{
		{"a field with a default", "portal", `{}`, `{"rbac_enabled":true}`, nil},
		{"a field that may be null", "portal", `{}`, `{"description":"old"}`, nil},
		{"a key of a free mapping", "catalog_service", `{"custom_fields":{"a":"1"}}`, `{"custom_fields":{"a":"1","b":"2"}}`, nil},
		{"a neighbour of a nested field", "portal_customization", `{"spec_renderer":{"try_it_ui":true}}`, `{"spec_renderer":{"try_it_ui":true,"hide_deprecated":true}}`, nil},
	})
}

func TestUndeclaredFieldsGoBackWhenWhole(t *testing.T) {
	run(t, diff.Whole, []row{
		{"to the default", "portal", `{}`, `{"rbac_enabled":true,"authentication_enabled":false}`, []string{`authentication_enabled: false > true`, `rbac_enabled: true > false`}},
		{"what has its default stays", "portal", `{}`, `{"rbac_enabled":false,"authentication_enabled":true}`, nil},
		{"to null where it may be null and has no default", "portal", `{}`, `{"description":"old"}`, []string{`description: "old" > null`}},
		{"to null, where the declared form has nothing else", "scorecard", `{"entity_selector":{"selector":"all","selector_parameters":null}}`, `{"entity_selector":{"selector":"has_label_key","selector_parameters":{"label_key":"a"}}}`, []string{`entity_selector.selector: "has_label_key" > "all"`, `entity_selector.selector_parameters: {"label_key":"a"} > null`}},
		{"null, where the declared form has nothing else, stays", "scorecard", `{"entity_selector":{"selector":"all","selector_parameters":null}}`, `{"entity_selector":{"selector":"all","selector_parameters":null}}`, nil},
		{"what is null stays", "portal", `{}`, `{"description":null}`, nil},
		{"neither default nor null: it stays", "portal", `{}`, `{"display_name":"old"}`, nil},
		{"to a default that the document leaves out", "organization_team", `{}`, `{"description":"old"}`, []string{`description: "old" > ""`}},
		{"null is as good as an empty text", "organization_team", `{}`, `{"description":null}`, nil},
		{"what is only returned stays", "portal", `{}`, `{"id":"x","created_at":"y","default_domain":"z"}`, nil},
		{"what Konnect works out stays", "api", `{}`, `{"slug":"flights"}`, nil},
		{"unless null is what it has without", "api", `{}`, `{"version":"v1"}`, []string{`version: "v1" > null`}},
		{"what cannot be changed stays", "portal_custom_domain", `{"hostname":"a","enabled":true,"ssl":{"domain_verification_method":"custom_certificate"}}`, `{"hostname":"a","enabled":true,"ssl":{"domain_verification_method":"custom_certificate","skip_ca_check":true,"verification_status":"verified"}}`, nil},
		{"labels are not its business", "portal", `{}`, `{"labels":{"a":"1"}}`, nil},
		{"inside an object that is declared", "portal_customization", `{"spec_renderer":{"try_it_ui":true}}`, `{"spec_renderer":{"try_it_ui":true,"hide_deprecated":true}}`, []string{`spec_renderer.hide_deprecated: true > false`}},
		{"a key of a free mapping goes", "catalog_service", `{"custom_fields":{"a":"1"}}`, `{"custom_fields":{"a":"1","b":"2"}}`, []string{`custom_fields.b: "2" > null`}},
		{"a key of an open mapping goes", "integration_instance", `{"config":{"a":{"x":1}}}`, `{"config":{"a":{"x":1,"y":2},"b":"2"}}`, []string{`config.a.y: 2 > null`, `config.b: "2" > null`}},
		{"all keys of an open mapping that is not declared go", "integration_instance", `{}`, `{"config":{"b":"2"}}`, []string{`config.b: "2" > null`}},
		{"a key beside the fields of an open mapping goes", "application_auth_strategy", `{"configs":{"openid-connect":{"issuer":"https://a"}}}`, `{"configs":{"openid-connect":{"issuer":"https://a","leeway":5}}}`, []string{`configs.openid-connect.leeway: 5 > null`}},
		{"a union with a default goes back whole", "ai_gateway_mcp_server", `{}`, `{"access":{"acl_attribute_type":"oauth_access_token","access_token_claim_field":"sub"}}`, []string{`access: {"access_token_claim_field":"sub","acl_attribute_type":"oauth_access_token"} > {"acl_attribute_type":"consumer"}`}},
		{"inside an object that is not declared", "portal_customization", `{}`, `{"spec_renderer":{"hide_deprecated":true},"theme":{"mode":"dark","name":"mint_rocket"}}`, []string{`spec_renderer.hide_deprecated: true > false`, `theme.mode: "dark" > "system"`, `theme.name: "mint_rocket" > null`}},
		{"all keys of a free mapping go", "catalog_service", `{}`, `{"custom_fields":{"a":"1","b":"2"}}`, []string{`custom_fields.a: "1" > null`, `custom_fields.b: "2" > null`}},
		{"key by key, though the mapping has a default", "api", `{}`, `{"attributes":{"a":["1"]}}`, []string{`attributes.a: ["1"] > null`}},
		{"what only the update lets be null", "application_auth_strategy", `{"strategy_type":"key_auth","configs":{"key-auth":{}}}`, `{"strategy_type":"key_auth","configs":{"key-auth":{"ttl":{"value":1,"unit":"days"}}}}`, []string{`configs.key-auth.ttl: {"unit":"days","value":1} > null`}},
		{"what clients set to null, and the document does not let be null", "application_auth_strategy", `{"strategy_type":"key_auth","configs":{"key-auth":{}}}`, `{"strategy_type":"key_auth","configs":{"key-auth":{"key_names":["k"]}}}`, []string{`configs.key-auth.key_names: ["k"] > null`}},
		{"a list that may be empty", "cloud_gateway_transit_gateway", `{"transit_gateway_attachment_config":{"kind":"aws-resource-endpoint-attachment"}}`, `{"transit_gateway_attachment_config":{"kind":"aws-resource-endpoint-attachment","resource_config":[{"domain_name":"a"}]}}`, []string{`transit_gateway_attachment_config.resource_config: [{"domain_name":"a"}] > []`}},
		{"what a PUT leaves out", "control_plane_data_plane_certificate", `{"cert":"x"}`, `{"cert":"x","title":"t"}`, []string{`title: "t" > null`}},
		{"a list with a default, without order", "portal_auth_settings", `{}`, `{"oidc_scopes":["profile","openid","email"]}`, nil},
		{"a declared null stays declared", "portal", `{"description":null,"default_application_auth_strategy_id":null}`, `{}`, nil},
	})
}

// What cannot be reset is told, with the reason, unless it has what it has
// without a declaration.
func TestKeptFields(t *testing.T) {
	for _, r := range []struct {
		name, kind, desired, current string
		want                         []string
	}{
		{"a field without a reset", "portal", `{"name":"dev"}`, `{"name":"dev","display_name":"Acme"}`, []string{`display_name "Acme": Konnect documents no way to unset it`}},
		{"a copy of the name", "portal", `{"name":"dev"}`, `{"name":"dev","display_name":"dev"}`, nil},
		{"a title of the slug's words", "portal_page", `{"slug":"/getting-started"}`, `{"slug":"/getting-started","title":"Getting started"}`, nil},
		{"the title of the home page", "portal_page", `{"slug":"/"}`, `{"slug":"/","title":"Home"}`, nil},
		{"another title of the home page", "portal_page", `{"slug":"/"}`, `{"slug":"/","title":"Welcome"}`, []string{`title "Welcome": Konnect documents no way to unset it`}},
		{"another title", "portal_page", `{"slug":"/getting-started"}`, `{"slug":"/getting-started","title":"Start"}`, []string{`title "Start": Konnect documents no way to unset it`}},
		{"a slug of name and major version", "api", `{"name":"Flights","version":"3.2.0"}`, `{"name":"Flights","version":"3.2.0","slug":"flights-3"}`, nil},
		{"a slug of a version that is gone", "api", `{"name":"Flights"}`, `{"name":"Flights","slug":"flights-3"}`, []string{`slug "flights-3": Konnect makes it when the API is created`}},
		{"a slug of a version that changed", "api", `{"name":"Flights","version":"4"}`, `{"name":"Flights","version":"4","slug":"flights-3"}`, nil},
		{"a slug of a former name", "api", `{"name":"Trips","version":"1"}`, `{"name":"Flights","version":"1","slug":"flights-1"}`, nil},
		{"a slug that somebody chose", "api", `{"name":"Flights"}`, `{"name":"Flights","slug":"flights-in-europe"}`, []string{`slug "flights-in-europe": Konnect makes it when the API is created`}},
		{"a part of a form", "organization_identity_provider", `{"type":"oidc"}`, `{"type":"oidc","config":{"issuer_url":"https://a.example"}}`, []string{`config.issuer_url "https://a.example": Konnect documents no way to unset it`}},
		{"what only a new resource can have", "control_plane", `{}`, `{"cluster_type":"CLUSTER_TYPE_SERVERLESS"}`, []string{`cluster_type "CLUSTER_TYPE_SERVERLESS": only a new resource can have another value`}},
		{"the default of what only a new resource can have", "control_plane", `{}`, `{"cluster_type":"CLUSTER_TYPE_CONTROL_PLANE","cloud_gateway":false}`, nil},
		{"a secret is not reported", "portal_custom_domain", `{"ssl":{}}`, `{"ssl":{"custom_private_key":"k"}}`, nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			var got []string
			for _, k := range diff.Compare(kind(t, r.kind), decode(t, r.desired), decode(t, r.current), diff.Whole).Kept {
				got = append(got, k.Path.String()+" "+string(value.Canonical(k.Value))+": "+k.Why)
			}
			if d := cmp.Diff(r.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if d := diff.Compare(kind(t, r.kind), decode(t, r.desired), decode(t, r.current), diff.Merge); d.Kept != nil {
				t.Errorf("apply tells, too: %v", d.Kept)
			}
		})
	}
}

// Comparing a resource with itself finds nothing, however it is compared.
func TestCompareWithItself(t *testing.T) {
	for _, r := range []struct{ kind, text string }{
		{"portal", `{"name":"dev","description":"d","rbac_enabled":true,"labels":{"a":"1"},"default_domain":"x","updated_at":"y"}`},
		{"control_plane", `{"name":"cp","cluster_type":"CLUSTER_TYPE_HYBRID","proxy_urls":[{"host":"a","port":1,"protocol":"http"}]}`},
		{"portal_customization", `{"theme":{"mode":"dark"},"menu":{"main":[{"path":"/","title":"t","visibility":"public","external":false}]},"css":null}`},
		{"portal_custom_domain", `{"hostname":"a","enabled":true,"ssl":{"domain_verification_method":"custom_certificate","skip_ca_check":true}}`},
		{"catalog_service", `{"name":"s","display_name":"S","custom_fields":{"a":1.50,"b":true}}`},
		{"api_publication", `{"portal_id":"p","visibility":"public","auth_strategy_ids":["x"]}`},
	} {
		for _, mode := range []diff.Mode{diff.Merge, diff.Whole} {
			d := diff.Compare(kind(t, r.kind), decode(t, r.text), decode(t, r.text), mode)
			if got := lines(d); got != nil {
				t.Errorf("%s: %q", r.kind, got)
			}
		}
	}
}

// A text that Konnect made of a field which is dropped stays, and is named by the
// comparison that drops it and by every later one.
func TestKeptOfWhatIsDropped(t *testing.T) {
	api := testkit.Catalog(t).Kind("api")
	declared := map[string]any{"name": "My API"}
	for name, row := range map[string]struct {
		desired, current map[string]any
		kept             int
	}{
		"dropped now":    {declared, map[string]any{"name": "My API", "version": "v1", "slug": "my-api-v1"}, 1},
		"dropped before": {declared, map[string]any{"name": "My API", "slug": "my-api-v1"}, 1},
		"still there":    {map[string]any{"name": "My API", "version": "v2"}, map[string]any{"name": "My API", "version": "v1", "slug": "my-api-v1"}, 0},
		"never in it":    {declared, map[string]any{"name": "My API", "version": "v1", "slug": "my-api"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := diff.Compare(api, row.desired, row.current, diff.Whole).Kept; len(got) != row.kept {
				t.Errorf("kept: %v", got)
			}
		})
	}
}
