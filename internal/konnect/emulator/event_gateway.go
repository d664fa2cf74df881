package emulator

import (
	"encoding/json"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// eventGateway is what the contract cannot express about event gateways and what
// lies below them.
func eventGateway() model.Family {
	f := model.Family{
		Rules: []model.Rule{
			{Kind: "event_gateway", Source: model.FromContract, Says: "the minimum runtime version is the newest release by default", Fill: newestRuntime},
			{Kind: "event_gateway", Source: model.FromContract, Says: "a gateway counts its virtual clusters; it has no nodes", View: eventGatewayCounts},
			{Kind: "event_gateway_virtual_cluster", Source: model.FromFacts, Says: "the destination is kept by id and answered with id and name", View: model.WithNames},
			{Kind: "event_gateway_listener", Source: model.FromContract, Says: "the virtual clusters that policies forward to can be filtered by", View: forwardsTo},
			{
				Kind: "event_gateway_virtual_cluster", Source: model.FromContract, Says: "the destination can be filtered by",
				Filters: map[string]string{"backend_cluster_id": "destination.id"},
			},
		},
	}
	for _, kind := range []string{listenerPolicy, clusterPolicy, producePolicy, consumePolicy} {
		f.Rules = append(f.Rules,
			model.Rule{Kind: kind, Source: model.Assumed, Says: "what a policy refers to is kept by id and answered with id and name", View: model.WithNames},
			model.Rule{Kind: kind + "_chain", Source: model.FromContract, Says: "a chain has the ids of all policies in their order", View: model.ShowOrder},
			model.Rule{Kind: kind + "_chain", Source: model.Assumed, Says: "policies that a chain does not name come last", Fill: model.TakeOrder},
		)
	}
	const gateway = "POST /v1/event-gateways/{gatewayId}"
	for operation, kind := range map[string]string{
		gateway + "/listeners/{eventGatewayListenerId}/policies/{policyId}/move":          listenerPolicy,
		gateway + "/virtual-clusters/{virtualClusterId}/cluster-policies/{policyId}/move": clusterPolicy,
		gateway + "/virtual-clusters/{virtualClusterId}/produce-policies/{policyId}/move": producePolicy,
		gateway + "/virtual-clusters/{virtualClusterId}/consume-policies/{policyId}/move": consumePolicy,
	} {
		f.Fixed = append(f.Fixed, model.Fixed{
			Operation: operation, Source: model.FromContract, Says: "a policy is moved to a place in its chain, or among those of its parent", Change: model.MoveTo(kind, "policyId"),
		})
	}
	return f
}

// The kinds of policies, each with a chain.
const (
	listenerPolicy = "event_gateway_listener_policy"
	clusterPolicy  = "event_gateway_virtual_cluster_cluster_policy"
	producePolicy  = "event_gateway_virtual_cluster_produce_policy"
	consumePolicy  = "event_gateway_virtual_cluster_consume_policy"
)

// runtimeRelease is the newest release of the data plane, which the contract
// mentions.
const runtimeRelease = "1.2"

func newestRuntime(_ model.Scene, r *store.Record) error {
	if r.Fields["min_runtime_version"] == nil {
		r.Fields["min_runtime_version"] = runtimeRelease
	}
	return nil
}

func forwardsTo(sc model.Scene, r *store.Record, v map[string]any) {
	clusters := []any{}
	sc.Tx.Range(listenerPolicy, r.ID, func(p *store.Record) bool {
		if id := model.At(p.Fields, "config.destination.id"); id != nil {
			clusters = append(clusters, id)
		}
		return true
	})
	v["virtual_cluster_id"] = clusters
}

func eventGatewayCounts(sc model.Scene, r *store.Record, v map[string]any) {
	clusters := 0
	sc.Tx.Range("event_gateway_virtual_cluster", r.ID, func(*store.Record) bool { clusters++; return true })
	v["virtual_clusters_total"] = json.Number(strconv.Itoa(clusters))
	v["version"] = r.Updated
}
