package emulator

import (
	"encoding/json"
	"strconv"

	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// eventGateway is what the contract cannot express about event gateways and what
// lies below them.
func eventGateway() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "event_gateway", Source: model.FromContract, Says: "the minimum runtime version is the newest release by default", Fill: newestRuntime},
			{Kind: "event_gateway", Source: model.FromContract, Says: "a gateway counts its virtual clusters; it has no nodes", View: eventGatewayCounts},
			{Kind: "event_gateway_virtual_cluster", Source: model.FromFacts, Says: "the destination is kept by id and answered with id and name", View: model.WithNames},
		},
	}
}

// runtimeRelease is the newest release of the data plane, which the contract
// mentions.
const runtimeRelease = "1.2"

func newestRuntime(_ model.Scene, r *store.Record) error {
	if r.Fields["min_runtime_version"] == nil {
		r.Fields["min_runtime_version"] = runtimeRelease
	}
	return nil
}

func eventGatewayCounts(sc model.Scene, r *store.Record, v map[string]any) {
	clusters := 0
	sc.Tx.Range("event_gateway_virtual_cluster", r.ID, func(*store.Record) bool { clusters++; return true })
	v["virtual_clusters_total"] = json.Number(strconv.Itoa(clusters))
	v["version"] = r.Updated
}
