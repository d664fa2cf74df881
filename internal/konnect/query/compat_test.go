package query_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
)

// The words that people know from Kong's own tool, one and many, mean the types that
// they mean there.
func TestWordsOfOthers(t *testing.T) {
	for words, want := range map[string]string{
		"portal": "portal", "api": "api", "auth-strategy|auth-strategies": "application_auth_strategy", "dcr-provider": "dcr_provider",
		"catalog service": "catalog_service", "analytics dashboard": "dashboard",
		"gateway control-plane": "control_plane", "gw cp": "control_plane",
		"org team": "organization_team", "organization user": "organization_user", "org system-account": "organization_system_account",
		"event-gateway": "event_gateway", "ai-gateway": "ai_gateway", "aigw|aigw": "ai_gateway",
		"api version": "api_version", "api document": "api_document", "api implementation": "api_implementation", "api publication": "api_publication",
		"portal page": "portal_page", "portal snippet": "portal_snippet", "portal team": "portal_team", "portal team role": "portal_team_role",
		"portal auth-settings|portal auth-setting": "portal_auth_settings", "portal identity-provider": "portal_identity_provider",
		"portal assets logo|portal asset logo": "portal_asset_logo", "portal assets favicon|portal asset favicon": "portal_asset_favicon",
		"portal application": "portal_application", "portal developer": "portal_developer", "portal developers team": "portal_developer_team",
		"portal application-registration": "portal_application_registration", "portal email-domain": "portal_email_domain",
		"gateway control-plane service": "gateway_service", "gateway control-plane route": "gateway_route", "gateway control-plane consumer": "gateway_consumer",
		"gateway control-plane data-plane-certificate": "control_plane_data_plane_certificate", "gateway control-plane data-plane-cert": "control_plane_data_plane_certificate",
		"org team role": "organization_team_role", "org user role": "organization_user_role",
		"org system-account role": "organization_system_account_role", "org system-account team": "organization_system_account_team_membership",
		"event-gateway backend-cluster": "event_gateway_backend_cluster", "event-gateway virtual-cluster": "event_gateway_virtual_cluster",
		"event-gateway listener": "event_gateway_listener", "event-gateway listener-policy|event-gateway listener-policies": "event_gateway_listener_policy",
		"event-gateway schema-registry|event-gateway schema-registries": "event_gateway_schema_registry", "event-gateway static-key": "event_gateway_static_key",
		"event-gateway tls-trust-bundle": "event_gateway_tls_trust_bundle", "event-gateway data-plane-certificate": "event_gateway_data_plane_certificate",
		"event-gateway virtual-cluster cluster-policy|event-gateway virtual-cluster cluster-policies": "event_gateway_virtual_cluster_cluster_policy",
		"event-gateway virtual-cluster produce-policy|event-gateway virtual-cluster produce-policies": "event_gateway_virtual_cluster_produce_policy",
		"event-gateway virtual-cluster consume-policy|event-gateway virtual-cluster consume-policies": "event_gateway_virtual_cluster_consume_policy",
		"ai-gateway agent": "ai_gateway_agent", "ai-gateway config-store": "ai_gateway_config_store", "ai-gateway consumer": "ai_gateway_consumer",
		"ai-gateway credential": "ai_gateway_consumer_credential", "ai-gateway consumer-group": "ai_gateway_consumer_group",
		"ai-gateway data-plane-certificate": "ai_gateway_data_plane_certificate", "ai-gateway identity-provider": "ai_gateway_identity_provider",
		"ai-gateway mcp-server": "ai_gateway_mcp_server", "ai-gateway model-provider": "ai_gateway_model_provider", "ai-gateway model": "ai_gateway_model",
		"ai-gateway policy|ai-gateway policies": "ai_gateway_policy", "ai-gateway vault": "ai_gateway_vault",
	} {
		one, many, odd := strings.Cut(words, "|")
		if !odd {
			many = one + "s"
		}
		for _, words := range []string{one, many, "konnect " + one, "konnect " + many, strings.Replace(many, "org ", "organization ", 1), strings.Replace(many, "gateway control-plane", "gw cp", 1)} {
			asked, err := query.Parse(strings.Fields(words))
			if err != nil || asked.Type == nil || asked.Type.Kind != want || asked.Name != "" {
				t.Errorf("%s: %+v, %v, want %s", words, asked, err, want)
			}
			singleton := asked != nil && asked.Type != nil && asked.Type.Shape == catalog.Singleton
			if named, err := query.Parse(append(strings.Fields(words), "x")); !singleton && (err != nil || named.Name != "x" || named.Type.Kind != want) {
				t.Errorf("%s x: %+v, %v", words, named, err)
			}
		}
	}
}

// Flags name every resource of every type, by its own word and by those of its
// parents.
func TestFlagsNameEveryType(t *testing.T) {
	named := map[string]bool{}
	for _, word := range query.Named() {
		named[word] = true
	}
	for _, word := range query.Parents() {
		if !named[word] {
			t.Errorf("--%s-name names a parent and nothing else", word)
		}
	}
	for _, typ := range catalog.Types() {
		if word := catalog.FlagWord(typ); !named[word] && typ.Shape != catalog.Singleton {
			t.Errorf("%s: no flag --%s-name", typ.Kind, word)
		}
	}
	for flag, fields := range map[string][]string{"user": {"email"}, "developer": {"email"}, "data-plane-certificate": {"title"}, "portal": nil, "gateway": nil} {
		if got := query.NameFields(flag); strings.Join(got, " ") != strings.Join(fields, " ") {
			t.Errorf("--%s-… takes %v, want %v", flag, got, fields)
		}
	}
}
