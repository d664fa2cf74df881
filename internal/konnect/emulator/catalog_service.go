package emulator

import (
	"fmt"
	"maps"

	"github.com/google/uuid"

	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// serviceCatalog is what the contract cannot express about the service catalog.
func serviceCatalog() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "integration_instance", Source: model.FromContract, Says: "the response has the integration as an object", View: integrationOf},
			{Kind: "scorecard", Source: model.FromContract, Says: "each criterion has an id; nothing is judged here", View: criteriaIDs},
		},
	}
}

func criteriaIDs(_ model.Scene, r *store.Record, v map[string]any) {
	written, _ := r.Fields["criteria"].([]any)
	shown := make([]any, len(written))
	for i, x := range written {
		fields, _ := x.(map[string]any)
		criterion := maps.Clone(fields)
		if criterion["id"] == nil {
			criterion["id"] = uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "%s/%d", r.ID, i)).String()
		}
		criterion["scorecard_id"] = r.ID
		shown[i] = criterion
	}
	v["criteria"] = shown
}

func integrationOf(_ model.Scene, r *store.Record, v map[string]any) {
	name, _ := r.Fields["integration_name"].(string)
	v["integration"] = map[string]any{"name": name, "display_name": headline(name)}
}
