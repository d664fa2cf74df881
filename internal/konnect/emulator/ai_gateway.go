package emulator

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// aiGateway is what the contract cannot express about AI gateways and what lies below them.
func aiGateway() model.Family {
	rules := []model.Rule{
		{Kind: "ai_gateway", Source: model.FromContract, Says: "the name is immutable after creation", Check: stays("name")},
		{Kind: "ai_gateway", Source: model.Assumed, Says: "data planes reach a gateway at addresses made from its id", View: aiGatewayEndpoints},
	}
	rules = append(rules, model.Rule{
		Kind: consumerGroupLink, Source: model.FromContract, Says: "the answer to a new member has the consumer and the group",
		View: model.LinkEnds("consumer_group", "consumer"),
	})
	rules = append(rules, model.Rule{
		Kind: "ai_gateway_consumer_credential", Source: model.FromContract, Says: "a key that is left out is made up, and shown in the answer to the create alone",
		Issues: "api_key",
	})
	for _, kind := range []string{
		"ai_gateway_agent", "ai_gateway_config_store", "ai_gateway_consumer", "ai_gateway_consumer_group", "ai_gateway_identity_provider",
		"ai_gateway_mcp_server", "ai_gateway_model", "ai_gateway_model_provider", "ai_gateway_policy", "ai_gateway_vault",
	} {
		rules = append(rules,
			model.Rule{Kind: kind, Source: model.FromContract, Says: "a path takes the name in place of the id", ByName: true},
			model.Rule{Kind: kind, Source: model.FromContract, Says: "the name is immutable after creation", Check: stays("name")},
		)
	}
	return model.Family{Rules: rules, Fixed: []model.Fixed{
		{
			Operation: "GET /v1/ai-gateways/{gatewayId}/consumers/{consumerIdOrName}/consumer-groups", Source: model.FromContract, Says: "a consumer's groups are those that have it as a member",
			Many: groupsOfConsumer,
		},
		{
			Operation: "PUT /v1/ai-gateways/{gatewayId}/consumers/{consumerIdOrName}/consumer-groups", Source: model.FromContract, Says: "a consumer is a member of the groups that a request names, and of no others",
			Change: setGroupsOfConsumer,
		},
	}}
}

// consumerGroupLink is the kind of the memberships of consumers.
const consumerGroupLink = "ai_gateway_consumer_group_consumer"

// consumerIn is the consumer that a path names.
func consumerIn(sc model.Scene, c *model.Call) (*store.Record, error) {
	gateway, err := sc.Find("ai_gateway", "", c.Params["gatewayId"])
	if err != nil {
		return nil, err
	}
	return sc.Find("ai_gateway_consumer", gateway.ID, c.Params["consumerIdOrName"])
}

func groupsOfConsumer(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	consumer, err := consumerIn(sc, c)
	if err != nil {
		return nil, err
	}
	return sc.Views(sc.Linking(consumerGroupLink, consumer.ID)), nil
}

func setGroupsOfConsumer(sc model.Scene, c *model.Call) (map[string]any, error) {
	consumer, err := consumerIn(sc, c)
	if err != nil {
		return nil, err
	}
	groups, names := []*store.Record{}, []any{}
	for _, name := range model.Texts(c.Body["consumer_groups"]) {
		group := sc.Named("ai_gateway_consumer_group", consumer.Parent, name)
		if group == nil {
			return nil, model.Bad("body", "consumer_groups", "missing_reference", "consumer group "+name+" does not exist")
		}
		if !slices.Contains(groups, group) {
			groups, names = append(groups, group), append(names, group.Fields["name"])
		}
	}
	return map[string]any{"consumer_groups": names}, sc.Relink(consumerGroupLink, consumer.ID, groups)
}

func aiGatewayEndpoints(sc model.Scene, r *store.Record, v map[string]any) {
	host := model.Hex(12, r.ID) + "." + sc.Region
	v["endpoints"] = map[string]any{
		"configuration": "https://" + host + ".cp0.konghq.com", "telemetry": "https://" + host + ".tp0.konghq.com",
	}
	v["config_version"] = model.Hex(16, r.ID)
}
