package emulator

import (
	"strconv"

	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// cloudGateway is what the contract cannot express about cloud gateways.
func cloudGateway() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "cloud_gateway_network", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_custom_domain", Source: model.Assumed, Says: "the control plane is of a region, and not looked up", Loose: []string{"control_plane_id"}},
			{Kind: "cloud_gateway_add_on", Source: model.Assumed, Says: "the control plane is of a region, and not looked up", Loose: []string{"owner.control_plane_id"}},
			{Kind: "cloud_gateway_private_dns", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_transit_gateway", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_custom_domain", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
			{Kind: "cloud_gateway_add_on", Source: model.FromContract, Says: "what is made becomes ready, at once here", View: ready},
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
