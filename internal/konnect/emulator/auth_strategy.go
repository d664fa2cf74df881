package emulator

import (
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// authStrategy is what the contract cannot express about application auth strategies.
func authStrategy() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{
				Kind: "application_auth_strategy", Source: model.Assumed, Says: "a strategy is active",
				View: func(_ model.Scene, _ *store.Record, v map[string]any) { v["active"] = true },
			},
			{Kind: "application_auth_strategy", Source: model.FromContract, Says: "the answer shows the DCR provider in place of its id", View: dcrProvider},
			{
				Kind: "application_auth_strategy", Source: model.FromContract, Says: "the type of the DCR provider can be filtered by",
				Filters: map[string]string{"dcr_provider_type": "dcr_provider.provider_type"},
			},
			{
				Kind: "dcr_provider", Source: model.Assumed, Says: "a provider is active",
				View: func(_ model.Scene, _ *store.Record, v map[string]any) { v["active"] = true },
			},
			{
				Kind: "dcr_provider", Source: model.FromContract, Says: "parts of the configuration can be filtered by",
				Filters: map[string]string{
					"initial_client_id": "dcr_config.initial_client_id", "initial_client_audience": "dcr_config.initial_client_audience",
				},
			},
		},
	}
}

func dcrProvider(sc model.Scene, r *store.Record, v map[string]any) {
	id, _ := r.Fields["dcr_provider_id"].(string)
	provider := sc.Tx.Get("dcr_provider", id)
	if provider == nil {
		return
	}
	short := map[string]any{"id": id}
	for _, name := range []string{"name", "display_name", "provider_type"} {
		if x, ok := provider.Fields[name]; ok {
			short[name] = x
		}
	}
	v["dcr_provider"] = short
}
