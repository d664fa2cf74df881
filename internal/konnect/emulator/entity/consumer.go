package entity

import (
	"net/http"
	"slices"

	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// memberOf are the ids of the groups that a consumer is in.
const memberOf = "groups"

func members(sc model.Scene, group *store.Record) []*store.Record {
	return sc.Referring("gateway_consumer", group.Parent, memberOf, group.Public())
}

// withConsumers is what reading a group tells beside the group.
func withConsumers(sc model.Scene, c *model.Call, group *store.Record, body map[string]any) {
	if c.Raw.Get("list_consumers") != "false" {
		body["consumers"] = shownAs(sc, "Consumer", members(sc, group))
	}
	body["plugins"] = []any{}
}

// shownAs is records in the form of a schema of the contract.
func shownAs(sc model.Scene, schema string, records []*store.Record) []any {
	out := make([]any, len(records))
	for i, r := range records {
		out[i] = sc.Project(sc.Contract().Schema(schema), sc.View(r))
	}
	return out
}

func dissolve(sc model.Scene, group *store.Record) error {
	for _, consumer := range members(sc, group) {
		leave(sc, consumer, group.Public())
	}
	return nil
}

func join(sc model.Scene, consumer *store.Record, group string) {
	groups := model.Texts(consumer.Made[memberOf])
	if !slices.Contains(groups, group) {
		regroup(sc, consumer, append(groups, group))
	}
}

func leave(sc model.Scene, consumer *store.Record, group string) {
	regroup(sc, consumer, slices.DeleteFunc(model.Texts(consumer.Made[memberOf]), func(id string) bool { return id == group }))
}

func regroup(sc model.Scene, consumer *store.Record, groups []string) {
	rec := *consumer
	rec.Made = model.CloneMap(consumer.Made)
	list := make([]any, len(groups))
	for i, id := range groups {
		list[i] = id
	}
	rec.Made[memberOf] = list
	sc.Keep(&rec)
}

func consumerOf(sc model.Scene, c *model.Call) (*store.Record, error) {
	return entity(sc, c, "gateway_consumer", "ConsumerId", "consumer")
}

func groupOf(sc model.Scene, c *model.Call) (*store.Record, error) {
	return entity(sc, c, "gateway_consumer_group", "ConsumerGroupId", "group")
}

func membership(sc model.Scene, c *model.Call) (consumer, group *store.Record, err error) {
	if group, err = groupOf(sc, c); err != nil {
		return nil, nil, err
	}
	consumer, err = consumerOf(sc, c)
	return consumer, group, err
}

// joinGroup answers with what the path goes through and all that it now has.
func joinGroup(sc model.Scene, c *model.Call) (map[string]any, error) {
	consumer, group, err := membership(sc, c)
	if err != nil {
		return nil, err
	}
	if slices.Contains(model.Texts(consumer.Made[memberOf]), group.Public()) {
		return nil, model.Refuse(http.StatusConflict, "consumer %s is in group %s already", consumer.Public(), group.Public())
	}
	join(sc, consumer, group.Public())
	consumer = sc.Tx.Get(consumer.Kind, consumer.ID)
	if _, below := c.Params["ConsumerGroupId"]; below {
		return map[string]any{
			"consumer_group": sc.View(group), "consumers": viewsOf(sc, []*store.Record{consumer}),
		}, nil
	}
	return map[string]any{
		"consumer": sc.View(consumer), "consumer_groups": viewsOf(sc, groupsOf(sc, consumer)),
	}, nil
}

func viewsOf(sc model.Scene, records []*store.Record) []any {
	out := make([]any, len(records))
	for i, v := range sc.Views(records) {
		out[i] = v
	}
	return out
}

func groupsOf(sc model.Scene, consumer *store.Record) []*store.Record {
	var out []*store.Record
	for _, id := range model.Texts(consumer.Made[memberOf]) {
		if group := sc.Named("gateway_consumer_group", consumer.Parent, id); group != nil {
			out = append(out, group)
		}
	}
	return out
}

func leaveGroup(sc model.Scene, c *model.Call) (map[string]any, error) {
	consumer, group, err := membership(sc, c)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(model.Texts(consumer.Made[memberOf]), group.Public()) {
		return nil, model.Refuse(http.StatusNotFound, "consumer %s is not in group %s", consumer.Public(), group.Public())
	}
	leave(sc, consumer, group.Public())
	return nil, nil
}

func emptyGroup(sc model.Scene, c *model.Call) (map[string]any, error) {
	group, err := groupOf(sc, c)
	if err != nil {
		return nil, err
	}
	return nil, dissolve(sc, group)
}

func leaveAllGroups(sc model.Scene, c *model.Call) (map[string]any, error) {
	consumer, err := consumerOf(sc, c)
	if err != nil {
		return nil, err
	}
	regroup(sc, consumer, nil)
	return nil, nil
}

func groupConsumers(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	group, err := groupOf(sc, c)
	if err != nil {
		return nil, err
	}
	return sc.Views(members(sc, group)), nil
}

func consumerGroups(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	consumer, err := consumerOf(sc, c)
	if err != nil {
		return nil, err
	}
	return sc.Views(groupsOf(sc, consumer)), nil
}
