package emulator

import (
	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// authStrategy is what the contract cannot express about application auth strategies.
func authStrategy() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{
				Kind: "application_auth_strategy", Source: model.Assumed, Says: "a strategy is active",
				View: func(_ model.Scene, _ *store.Record, v map[string]any) { v["active"] = true },
			},
			{Kind: "application_auth_strategy", Source: model.Assumed, Says: "any DCR provider is taken to exist until providers are served", View: dcrProvider},
		},
	}
}

func dcrProvider(_ model.Scene, r *store.Record, v map[string]any) {
	if id, ok := r.Fields["dcr_provider_id"].(string); ok {
		v["dcr_provider"] = map[string]any{"id": id, "name": "dcr-" + model.Hex(8, id), "provider_type": "http"}
	}
}
