package emulator

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"kongctl/internal/konnect/emulator/store"
)

const coreEntities = "/v2/control-planes/{controlPlaneId}/core-entities"

// gatewayAnswers is the part of the table of fixed answers about gateways.
func gatewayAnswers() []fixedAnswer {
	return []fixedAnswer{
		{
			operation: "GET /konnect-api/api/runtime_groups", source: fromFacts, says: "decK finds control planes by their name in a list of old",
			beside: true, one: runtimeGroups,
		},
		{
			operation: "POST " + coreEntities + "/v1/consumer-groups", source: fromFacts, says: "older decKs write groups at an address of old",
			beside: true, as: "POST " + coreEntities + "/consumer_groups",
		},
		{
			operation: "GET " + coreEntities + "/v1/consumer-groups/{ConsumerGroupId}", source: fromFacts, says: "older decKs read groups at an address of old",
			beside: true, as: "GET " + coreEntities + "/consumer_groups/{ConsumerGroupId}",
		},
		{
			operation: "PUT " + coreEntities + "/v1/consumer-groups/{ConsumerGroupId}", source: fromFacts, says: "older decKs write groups at an address of old",
			beside: true, as: "PUT " + coreEntities + "/consumer_groups/{ConsumerGroupId}",
		},
		{
			operation: "DELETE " + coreEntities + "/v1/consumer-groups/{ConsumerGroupId}", source: fromFacts, says: "older decKs delete groups at an address of old",
			beside: true, as: "DELETE " + coreEntities + "/consumer_groups/{ConsumerGroupId}",
		},
		{
			operation: "POST " + coreEntities + "/v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members", source: fromFacts, says: "older decKs let consumers join groups at an address of old",
			beside: true, change: joinGroup,
		},
		{
			operation: "DELETE " + coreEntities + "/v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members", source: fromFacts, says: "older decKs let consumers leave groups at an address of old",
			beside: true, change: leaveGroup,
		},
		{
			operation: "GET " + coreEntities + "/v1/schemas/json/{entity}", source: fromFacts, says: "the JSON Schemas of core entities tell the defaults that the contract has",
			beside: true, one: entitySchemaAnswer,
		},
		{
			operation: "GET " + coreEntities + "/schemas/plugins/{pluginName}", source: fromFacts, says: "the schemas of plugins have the form that gateways give them",
			plain: true, one: pluginSchemaAnswer,
		},
		{
			operation: "POST " + coreEntities + "/schemas/{entityName}/validate", source: fromContract, says: "decK validates entities without writing them",
			plain: true, one: validateAnswer,
		},
		{
			operation: "POST " + coreEntities + "/schemas/plugins/validate", source: fromFacts, says: "decK validates plugins too, at an address that the contract takes for a plugin's schema",
			beside: true, as: "POST " + coreEntities + "/schemas/{entityName}/validate",
		},
		{
			operation: "GET " + coreEntities + "/schemas/partials/{partialType}", source: fromFacts, says: "the schemas of partials have the form of plugins",
			one: partialSchemaAnswer,
		},
		{
			operation: "GET " + coreEntities + "/partials/{PartialId}/links", source: fromContract, says: "the plugins that use a partial",
			many: partialLinks,
		},
		{
			operation: "GET " + coreEntities + "/services/{ServiceId}/graphql-rate-limiting-advanced/costs", source: assumed, says: "costs of GraphQL queries are not kept: there are none",
			many: noCosts,
		},
		{
			operation: "GET " + coreEntities + "/graphql-rate-limiting-advanced/costs", source: assumed, says: "costs of GraphQL queries are not kept: there are none",
			many: func(sc scene, c *call) ([]map[string]any, error) { _, err := sc.controlPlane(c); return nil, err },
		},
		{
			operation: "GET " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers", source: fromContract, says: "the consumers of a group",
			many: groupConsumers,
		},
		{
			operation: "POST " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers", source: fromContract, says: "a consumer joins a group",
			change: joinGroup,
		},
		{
			operation: "DELETE " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers", source: fromContract, says: "all consumers leave a group",
			change: emptyGroup,
		},
		{
			operation: "DELETE " + coreEntities + "/consumer_groups/{ConsumerGroupId}/consumers/{ConsumerId}", source: fromContract, says: "a consumer leaves a group",
			change: leaveGroup,
		},
		{
			operation: "GET " + coreEntities + "/consumers/{ConsumerId}/consumer_groups", source: fromContract, says: "the groups that a consumer is in",
			many: consumerGroups,
		},
		{
			operation: "POST " + coreEntities + "/consumers/{ConsumerId}/consumer_groups", source: fromContract, says: "a consumer joins a group",
			change: joinGroup,
		},
		{
			operation: "DELETE " + coreEntities + "/consumers/{ConsumerId}/consumer_groups", source: fromContract, says: "a consumer leaves all groups",
			change: leaveAllGroups,
		},
		{
			operation: "DELETE " + coreEntities + "/consumers/{ConsumerId}/consumer_groups/{ConsumerGroupId}", source: fromContract, says: "a consumer leaves a group",
			change: leaveGroup,
		},
	}
}

const runtimeGroupsSize = 100

// runtimeGroups pages by number, with a count of the pages.
func runtimeGroups(sc scene, c *call) (map[string]any, error) {
	page, size := 1, runtimeGroupsSize
	for name, to := range map[string]*int{"page": &page, "size": &size} {
		if text := c.raw.Get(name); text != "" {
			if err := positive(name, text, 1<<31-1, to); err != nil {
				return nil, err
			}
		}
	}
	size = min(size, runtimeGroupsSize)
	list := []any{}
	sc.tx.Range("control_plane", "", func(r *store.Record) bool {
		list = append(list, map[string]any{"id": r.ID, "name": r.Fields["name"]})
		return true
	})
	pages := max(1, (len(list)+size-1)/size)
	from := min(len(list), (page-1)*size)
	return map[string]any{
		"data": list[from:min(len(list), from+size)], "page": json.Number(strconv.Itoa(page)), "pageCount": json.Number(strconv.Itoa(pages)),
	}, nil
}

func (sc scene) controlPlane(c *call) (*store.Record, error) {
	return sc.find(sc.s.cat.Kind("control_plane"), "", c.params["controlPlaneId"])
}

// entity finds a core entity by the id or name in a parameter of the path or in
// a field of the body.
func (sc scene) entity(c *call, kind, param, field string) (*store.Record, error) {
	controlPlane, err := sc.controlPlane(c)
	if err != nil {
		return nil, err
	}
	b := sc.s.cat.Kind(kind)
	if id, ok := c.params[param]; ok {
		return sc.find(b, controlPlane.ID, id)
	}
	id, _ := c.body[field].(string)
	if id == "" {
		return nil, bad("body", field, "required", "is required")
	}
	rec := sc.named(b, controlPlane.ID, id, nil)
	if rec == nil {
		return nil, bad("body", field, "missing_reference", spaced(kind)+" "+id+" does not exist")
	}
	return rec, nil
}

func (sc scene) consumerOf(c *call) (*store.Record, error) {
	return sc.entity(c, "gateway_consumer", "ConsumerId", "consumer")
}

func (sc scene) groupOf(c *call) (*store.Record, error) {
	return sc.entity(c, "gateway_consumer_group", "ConsumerGroupId", "group")
}

func (sc scene) membership(c *call) (consumer, group *store.Record, err error) {
	if group, err = sc.groupOf(c); err != nil {
		return nil, nil, err
	}
	consumer, err = sc.consumerOf(c)
	return consumer, group, err
}

// joinGroup answers with what the path goes through and all that it now has.
func joinGroup(sc scene, c *call) (map[string]any, error) {
	consumer, group, err := sc.membership(c)
	if err != nil {
		return nil, err
	}
	if slices.Contains(texts(consumer.Made[memberOf]), group.Public()) {
		return nil, refuse(http.StatusConflict, "consumer %s is in group %s already", consumer.Public(), group.Public())
	}
	sc.join(consumer, group.Public())
	consumer = sc.tx.Get(consumer.Kind, consumer.ID)
	if _, below := c.params["ConsumerGroupId"]; below {
		return map[string]any{
			"consumer_group": sc.view(sc.s.cat.Kind(group.Kind), group), "consumers": sc.viewsOf(consumer.Kind, []*store.Record{consumer}),
		}, nil
	}
	return map[string]any{
		"consumer": sc.view(sc.s.cat.Kind(consumer.Kind), consumer), "consumer_groups": sc.viewsOf(group.Kind, sc.groupsOf(consumer)),
	}, nil
}

func (sc scene) viewsOf(kind string, records []*store.Record) []any {
	out := make([]any, len(records))
	for i, v := range sc.views(sc.s.cat.Kind(kind), records) {
		out[i] = v
	}
	return out
}

func (sc scene) groupsOf(consumer *store.Record) []*store.Record {
	var out []*store.Record
	b := sc.s.cat.Kind("gateway_consumer_group")
	for _, id := range texts(consumer.Made[memberOf]) {
		if group := sc.named(b, consumer.Parent, id, nil); group != nil {
			out = append(out, group)
		}
	}
	return out
}

func leaveGroup(sc scene, c *call) (map[string]any, error) {
	consumer, group, err := sc.membership(c)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(texts(consumer.Made[memberOf]), group.Public()) {
		return nil, refuse(http.StatusNotFound, "consumer %s is not in group %s", consumer.Public(), group.Public())
	}
	sc.leave(consumer, group.Public())
	return nil, nil
}

func emptyGroup(sc scene, c *call) (map[string]any, error) {
	group, err := sc.groupOf(c)
	if err != nil {
		return nil, err
	}
	dissolve(sc, group)
	return nil, nil
}

func leaveAllGroups(sc scene, c *call) (map[string]any, error) {
	consumer, err := sc.consumerOf(c)
	if err != nil {
		return nil, err
	}
	sc.regroup(consumer, nil)
	return nil, nil
}

func groupConsumers(sc scene, c *call) ([]map[string]any, error) {
	group, err := sc.groupOf(c)
	if err != nil {
		return nil, err
	}
	return sc.views(sc.s.cat.Kind("gateway_consumer"), sc.members(group)), nil
}

func consumerGroups(sc scene, c *call) ([]map[string]any, error) {
	consumer, err := sc.consumerOf(c)
	if err != nil {
		return nil, err
	}
	return sc.views(sc.s.cat.Kind("gateway_consumer_group"), sc.groupsOf(consumer)), nil
}

func partialLinks(sc scene, c *call) ([]map[string]any, error) {
	partial, err := sc.entity(c, "gateway_partial", "PartialId", "")
	if err != nil {
		return nil, err
	}
	var out []map[string]any
	for _, r := range sc.partialUsers(partial) {
		link := map[string]any{"id": r.Public(), "name": r.Fields["name"]}
		if name := r.Fields["instance_name"]; name != nil {
			link["instance_name"] = name
		}
		out = append(out, link)
	}
	return out, nil
}

func noCosts(sc scene, c *call) ([]map[string]any, error) {
	_, err := sc.entity(c, "gateway_service", "ServiceId", "")
	return nil, err
}
