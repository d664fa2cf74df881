package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// cloudGateway is what the contract cannot express about cloud gateways.
func cloudGateway() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "cloud_gateway_network", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_custom_domain", Source: model.Assumed, Says: "the control plane is of a region, and not looked up", Loose: []string{"control_plane_id"}},
			{Kind: "cloud_gateway_add_on", Source: model.Assumed, Says: "the control plane is of a region, and not looked up", Loose: []string{"owner.control_plane_id", "owner.control_plane_group_id"}},
			{Kind: "cloud_gateway_private_dns", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_private_dns", Source: model.Assumed, Says: "what it is attached to stays of its kind", Check: stays("private_dns_attachment_config.kind")},
			{Kind: "cloud_gateway_transit_gateway", Source: model.Assumed, Says: "what it is attached to stays of its kind", Check: stays("transit_gateway_attachment_config.kind")},
			{Kind: "cloud_gateway_transit_gateway", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_custom_domain", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_add_on", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_configuration", Source: model.Assumed, Says: "the control plane is of a region, and not looked up", Loose: []string{"control_plane_id"}},
			{Kind: "cloud_gateway_configuration", Source: model.FromContract, Says: "without a maximum it is ten times the base", Fill: maxRequests},
			{Kind: "cloud_gateway_configuration", Source: model.FromContract, Says: "every change has a higher version", Check: higherVersion},
			{Kind: "cloud_gateway_configuration", Source: model.FromContract, Says: "the groups that were asked for run, at once here", View: runningGroups},
		},
		Fixed: []model.Fixed{
			{
				Operation: "GET /v2/cloud-gateways/provider-accounts", Source: model.Assumed, Says: "an organization has an account at each provider",
				Many: func(model.Scene, *model.Call) ([]map[string]any, error) { return providerAccounts(), nil },
			},
		},
	}
}

func providerAccounts() []map[string]any {
	var out []map[string]any
	for i, name := range []string{"aws", "azure", "gcp"} {
		n := strconv.Itoa(i + 1)
		out = append(out, map[string]any{
			"id": "a1f5ce1c-0000-4000-8000-00000000010" + n, "provider": name, "provider_account_id": "12345678901" + n,
			"created_at": founded(), "updated_at": founded(),
		})
	}
	return out
}

func ready(_ model.Scene, _ *store.Record, v map[string]any) { v["state"] = "ready" }

// maxRequests fills in how many requests groups take at most.
func maxRequests(_ model.Scene, r *store.Record) error {
	groups, _ := r.Fields["dataplane_groups"].([]any)
	for _, x := range groups {
		group, _ := x.(map[string]any)
		scale, _ := group["autoscale"].(map[string]any)
		if most := catalog.MostRequests(scale); most != nil && scale["max_rps"] == nil {
			scale["max_rps"] = most
		}
	}
	return nil
}

func higherVersion(_ model.Scene, r *store.Record) error {
	before, _ := r.Made["entity_version"].(json.Number)
	n, _ := before.Int64()
	r.Made["entity_version"] = json.Number(strconv.FormatInt(n+1, 10))
	return nil
}

// runningGroups shows what was asked for, and that it runs.
func runningGroups(_ model.Scene, r *store.Record, v map[string]any) {
	asked, _ := r.Fields["dataplane_groups"].([]any)
	running := make([]any, len(asked))
	for i, x := range asked {
		fields, _ := x.(map[string]any)
		group := maps.Clone(fields)
		id := uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "%s/%v/%v/%v", r.ID, group["provider"], group["region"], group["cloud_gateway_network_id"]))
		group["id"], group["state"] = id.String(), "ready"
		group["created_at"], group["updated_at"] = r.Created, r.Updated
		group["hostnames"] = []any{id.String()[:8] + ".gateways.konggateway.com"}
		running[i] = group
	}
	v["dataplane_group_config"], v["dataplane_groups"] = asked, running
}
