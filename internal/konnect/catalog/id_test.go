package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/testkit"
)

// otherIDs are fields that are named as ids and refer to no resource of Konnect,
// with the reason.
var otherIDs = []struct{ why, fields string }{
	{"an account, project, network or deployment at a cloud provider", `
		cloud_gateway_private_dns private_dns_attachment_config.hosted_zone_id
		cloud_gateway_private_dns private_dns_attachment_config.peer_project_id
		cloud_gateway_private_dns private_dns_attachment_config.peer_resource_group_id
		cloud_gateway_private_dns private_dns_attachment_config.peer_subscription_id
		cloud_gateway_private_dns private_dns_attachment_config.peer_tenant_id
		cloud_gateway_transit_gateway transit_gateway_attachment_config.peer_account_id
		cloud_gateway_transit_gateway transit_gateway_attachment_config.peer_project_id
		cloud_gateway_transit_gateway transit_gateway_attachment_config.peer_vpc_id
		cloud_gateway_transit_gateway transit_gateway_attachment_config.resource_config.resource_config_id
		cloud_gateway_transit_gateway transit_gateway_attachment_config.subscription_id
		cloud_gateway_transit_gateway transit_gateway_attachment_config.tenant_id
		cloud_gateway_transit_gateway transit_gateway_attachment_config.transit_gateway_id
		ai_gateway_vault config.project_id
		ai_gateway_model config.balancer.embeddings.config.deployment_id
		ai_gateway_model config.balancer.embeddings.config.gcp_environment.location_id
		ai_gateway_model config.balancer.embeddings.config.gcp_environment.project_id
		ai_gateway_model targets.config.deployment_id
		ai_gateway_model targets.config.gcp_environment.endpoint_id
		ai_gateway_model targets.config.gcp_environment.location_id
		ai_gateway_model targets.config.gcp_environment.project_id
		ai_gateway_model targets.config.workspace_instance_id`},
	{"half of a credential at another system", `
		organization_identity_provider config.client_id
		dcr_provider dcr_config.initial_client_id
		portal_auth_settings oidc_client_id
		portal_identity_provider config.client_id
		ai_gateway_vault config.access_key_id
		ai_gateway_vault config.client_id
		ai_gateway_vault config.role_id
		ai_gateway_vault config.secret_id
		ai_gateway_vault config.tenant_id
		ai_gateway_identity_provider config.client_id
		ai_gateway_model_provider config.auth.access_key_id
		ai_gateway_model_provider config.auth.client_id
		ai_gateway_model_provider config.auth.tenant_id
		ai_gateway_model config.balancer.vectordb.cloud_authentication.access_key_id
		ai_gateway_model config.balancer.vectordb.cloud_authentication.client_id
		ai_gateway_model config.balancer.vectordb.cloud_authentication.tenant_id
		ai_gateway_mcp_server config.server.session.redis.cloud_authentication.access_key_id
		ai_gateway_mcp_server config.server.session.redis.cloud_authentication.client_id
		ai_gateway_mcp_server config.server.session.redis.cloud_authentication.tenant_id
		ai_gateway_mcp_server config.server.tools_list_auth.client_id`},
	{"a name or number that people choose, or that another system gives", `
		portal_integration google_analytics_4.config_data.id
		portal_integration google_tag_manager.config_data.id
		event_gateway_listener_policy config.min_broker_id
		ai_gateway_consumer custom_id
		metering_profile supplier.tax_id
		metering_llm_cost_override model_id`},
	{"an account or application that is set up outside of the API, which only lists it: no type", `
		cloud_gateway_network cloud_gateway_provider_account_id
		metering_profile apps.invoicing.id
		metering_profile apps.payment.id
		metering_profile apps.tax.id`},
}

// idFields are the texts of a schema whose name says that they are ids, as paths
// without places in lists.
func idFields(s *contract.Schema, under []string, depth int) []string {
	if s = s.Deref(); s == nil || depth > 8 {
		return nil
	}
	if s.Items != nil {
		return idFields(s.Items, under, depth+1)
	}
	var out []string
	o := s.Object(nil)
	for _, name := range o.Names() {
		f, path := o.Field(name).Schema.Deref(), append(slices.Clone(under), name)
		if f == nil || f.ReadOnly || f.Tabled() { // what plugins refer to is no resource of Konnect
			continue
		}
		if name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_ids") {
			out = append(out, strings.Join(path, "."))
			continue
		}
		out = append(out, idFields(f, path, depth+1)...)
	}
	return out
}

// Every field that is named as an id is a reference, so that exports name what it
// refers to and nothing that is used is deleted, or has a reason not to be one.
func TestIDsAreReferences(t *testing.T) {
	open := map[string]bool{} // reviewed, and not met yet
	for _, group := range otherIDs {
		for line := range strings.Lines(group.fields) {
			if line = strings.TrimSpace(line); line != "" {
				open[line] = true
			}
		}
	}
	found := 0
	for _, b := range testkit.Catalog(t).All() {
		if b.ReadOnly {
			continue
		}
		for _, field := range idFields(b.Write(), nil, 0) {
			_, refers := b.Reference(strings.Split(field, "."))
			if name := b.Kind + " " + field; open[name] {
				delete(open, name)
				if refers {
					t.Errorf("%s is a reference, and in the list of those that are not", name)
				}
			} else if !refers && (b.Tree == nil || b.Tree.Parent != field) {
				t.Errorf("%s is named as an id and refers to no type: make it a reference, or say in the list why not", name)
			}
			found++
		}
	}
	for name := range open {
		t.Errorf("%s is in the list, and the contract does not have it", name)
	}
	if found < 80 {
		t.Errorf("%d fields found: the law was not tried", found)
	}
}
