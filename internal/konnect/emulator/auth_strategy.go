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
				Kind: "dcr_provider", Source: model.Assumed, Says: "a provider is active",
				View: func(_ model.Scene, _ *store.Record, v map[string]any) { v["active"] = true },
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
