package emulator

import (
	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// serviceCatalog is what the contract cannot express about the service catalog.
func serviceCatalog() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "integration_instance", Source: model.FromContract, Says: "the response has the integration as an object", View: integrationOf},
		},
	}
}

func integrationOf(_ model.Scene, r *store.Record, v map[string]any) {
	name, _ := r.Fields["integration_name"].(string)
	v["integration"] = map[string]any{"name": name, "display_name": headline(name)}
}
