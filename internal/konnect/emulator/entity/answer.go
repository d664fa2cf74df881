package entity

import (
	"encoding/json"
	"strconv"

	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

const coreEntities = "/v2/control-planes/{controlPlaneId}/core-entities"

// gatewayAnswers is the part of the table of fixed answers about gateways.
func gatewayAnswers() []model.Fixed {
	return []model.Fixed{
		{
			Operation: "GET /konnect-api/api/runtime_groups", Source: model.FromFacts, Says: "decK finds control planes by their name in a list of old",
			Beside: true, One: runtimeGroups,
		},
		{
			Operation: "POST " + coreEntities + "/v1/consumer-groups", Source: model.FromFacts, Says: "older decKs write groups at an address of old",
			Beside: true, As: "POST " + coreEntities + "/consumer_groups",
		},
		{
			Operation: "GET " + coreEntities + "/v1/consumer-groups/{ConsumerGroupId}", Source: model.FromFacts, Says: "older decKs read groups at an address of old",
			Beside: true, As: "GET " + coreEntities + "/consumer_groups/{ConsumerGroupId}",
		},
		{
			Operation: "PUT " + coreEntities + "/v1/consumer-groups/{ConsumerGroupId}", Source: model.FromFacts, Says: "older decKs write groups at an address of old",
			Beside: true, As: "PUT " + coreEntities + "/consumer_groups/{ConsumerGroupId}",
		},
		{
			Operation: "DELETE " + coreEntities + "/v1/consumer-groups/{ConsumerGroupId}", Source: model.FromFacts, Says: "older decKs delete groups at an address of old",
			Beside: true, As: "DELETE " + coreEntities + "/consumer_groups/{ConsumerGroupId}",
		},
		{
			Operation: "POST " + coreEntities + "/v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members", Source: model.FromFacts, Says: "older decKs let consumers join groups at an address of old",
			Beside: true, Change: joinGroup,
		},
		{
			Operation: "DELETE " + coreEntities + "/v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members", Source: model.FromFacts, Says: "older decKs let consumers leave groups at an address of old",
			Beside: true, Change: leaveGroup,
		},
		{
			Operation: "GET " + coreEntities + "/v1/schemas/json/{entity}", Source: model.FromFacts, Says: "the JSON Schemas of core entities tell the defaults that the contract has",
			Beside: true, One: entitySchemaAnswer,
		},
		{
			Operation: "GET " + coreEntities + "/schemas/plugins/{pluginName}", Source: model.FromFacts, Says: "the schemas of plugins have the form that gateways give them",
			Plain: true, One: pluginSchemaAnswer,
		},
		{
			Operation: "POST " + coreEntities + "/schemas/{entityName}/validate", Source: model.FromContract, Says: "decK validates entities without writing them",
			Plain: true, One: validateAnswer,
		},
		{
			Operation: "POST " + coreEntities + "/schemas/plugins/validate", Source: model.FromFacts, Says: "decK validates plugins too, at an address that the contract takes for a plugin's schema",
			Beside: true, As: "POST " + coreEntities + "/schemas/{entityName}/validate",
		},
		{
			Operation: "GET " + coreEntities + "/schemas/partials/{partialType}", Source: model.FromFacts, Says: "the schemas of partials have the form of plugins",
			One: partialSchemaAnswer,
		},
		{
			Operation: "GET " + coreEntities + "/partials/{PartialId}/links", Source: model.FromContract, Says: "the plugins that use a partial",
			Many: partialLinks,
		},
		{
			Operation: "GET " + coreEntities + "/services/{ServiceId}/graphql-rate-limiting-advanced/costs", Source: model.Assumed, Says: "costs of GraphQL queries are not kept: there are none",
			Many: noCosts,
		},
		{
			Operation: "GET " + coreEntities + "/graphql-rate-limiting-advanced/costs", Source: model.Assumed, Says: "costs of GraphQL queries are not kept: there are none",
			Many: func(sc model.Scene, c *model.Call) ([]map[string]any, error) {
				_, err := controlPlaneOf(sc, c)
				return nil, err
			},
		},
		{
			Operation: "GET " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers", Source: model.FromContract, Says: "the consumers of a group",
			Many: groupConsumers,
		},
		{
			Operation: "POST " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers", Source: model.FromContract, Says: "a consumer joins a group",
			Change: joinGroup,
		},
		{
			Operation: "DELETE " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers", Source: model.FromContract, Says: "all consumers leave a group",
			Change: emptyGroup,
		},
		{
			Operation: "DELETE " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers/{ConsumerId}", Source: model.FromContract, Says: "a consumer leaves a group",
			Change: leaveGroup,
		},
		{
			Operation: "GET " + coreEntities + "/consumers/{ConsumerId}/consumer_groups", Source: model.FromContract, Says: "the groups that a consumer is in",
			Many: consumerGroups,
		},
		{
			Operation: "POST " + coreEntities + "/consumers/{ConsumerId}/consumer_groups", Source: model.FromContract, Says: "a consumer joins a group",
			Change: joinGroup,
		},
		{
			Operation: "DELETE " + coreEntities + "/consumers/{ConsumerId}/consumer_groups", Source: model.FromContract, Says: "a consumer leaves all groups",
			Change: leaveAllGroups,
		},
		{
			Operation: "DELETE " + coreEntities + "/consumers/{ConsumerId}/consumer_groups/{ConsumerGroupId}", Source: model.FromContract, Says: "a consumer leaves a group",
			Change: leaveGroup,
		},
	}
}

const runtimeGroupsSize = 100

// runtimeGroups pages by number, with a count of the pages.
func runtimeGroups(sc model.Scene, c *model.Call) (map[string]any, error) {
	page, size := 1, runtimeGroupsSize
	for name, to := range map[string]*int{"page": &page, "size": &size} {
		if text := c.Raw.Get(name); text != "" {
			if err := model.Positive(name, text, 1<<31-1, to); err != nil {
				return nil, err
			}
		}
	}
	size = min(size, runtimeGroupsSize)
	list := []any{}
	sc.Tx.Range("control_plane", "", func(r *store.Record) bool {
		list = append(list, map[string]any{"id": r.ID, "name": r.Fields["name"]})
		return true
	})
	pages := max(1, (len(list)+size-1)/size)
	from := min(len(list), (page-1)*size)
	return map[string]any{
		"data": list[from:min(len(list), from+size)], "page": json.Number(strconv.Itoa(page)), "pageCount": json.Number(strconv.Itoa(pages)),
	}, nil
}

func controlPlaneOf(sc model.Scene, c *model.Call) (*store.Record, error) {
	return sc.Find("control_plane", "", c.Params["controlPlaneId"])
}

// entity finds a core entity by the id or name in a parameter of the path or in
// a field of the body.
func entity(sc model.Scene, c *model.Call, kind, param, field string) (*store.Record, error) {
	controlPlane, err := controlPlaneOf(sc, c)
	if err != nil {
		return nil, err
	}
	if id, ok := c.Params[param]; ok {
		return sc.Find(kind, controlPlane.ID, id)
	}
	id, _ := c.Body[field].(string)
	if id == "" {
		return nil, model.Bad("body", field, "required", "is required")
	}
	rec := sc.Named(kind, controlPlane.ID, id)
	if rec == nil {
		return nil, model.Bad("body", field, "missing_reference", model.Spaced(kind)+" "+id+" does not exist")
	}
	return rec, nil
}

func noCosts(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	_, err := entity(sc, c, "gateway_service", "ServiceId", "")
	return nil, err
}
