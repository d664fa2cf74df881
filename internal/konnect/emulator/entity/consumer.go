package entity

import (
	"crypto/sha1"
	"encoding/hex"
	"net/http"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// consumer is about consumers, their groups and their credentials.
func consumer() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "gateway_consumer", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_consumer", Source: model.Assumed, Says: "no two consumers share the id that others know them by", Also: []string{"custom_id"}},
			{
				Kind: "gateway_consumer", Source: model.FromContract, Says: "the name that consumers are filtered by is the username",
				View: func(_ model.Scene, r *store.Record, v map[string]any) { v["name"] = r.Fields["username"] },
			},
			{Kind: "gateway_consumer", Source: model.FromContract, Says: "the groups that a consumer is in are kept with it", Marks: []string{memberOf}},
			{Kind: "gateway_consumer_group", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{
				Kind: "gateway_consumer_group", Source: model.FromFacts, Says: "a group is read with its consumers, unless list_consumers is false, and with its overrides, which are always empty",
				Around: withConsumers,
			},
			{Kind: "gateway_consumer_group", Source: model.Assumed, Says: "consumers leave a group that is deleted", Part: dissolve},
			{Kind: "gateway_acl", Source: model.Assumed, Says: "a consumer is in a group once", Unique: []string{"consumer.id", "group"}},
			{Kind: "gateway_acl", Source: model.Assumed, Says: "the group may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_basic_auth", Source: model.Assumed, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_basic_auth", Source: model.Assumed, Says: "a password is kept as a hash with the id of its consumer, and is shown so", Fill: hashPassword},
			{Kind: "gateway_hmac_auth", Source: model.Assumed, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_hmac_auth", Source: model.Assumed, Says: "a secret is made up where none is given", Fill: madeUp("secret")},
			{Kind: "gateway_jwt", Source: model.Assumed, Says: "the key may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_jwt", Source: model.Assumed, Says: "key and secret are made up where none is given", Fill: madeUp("key", "secret")},
			{Kind: "gateway_oauth2_credential", Source: model.Assumed, Says: "no two applications share a client id", Unique: []string{"client_id"}},
			{Kind: "gateway_oauth2_credential", Source: model.Assumed, Says: "the client id may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_oauth2_credential", Source: model.Assumed, Says: "client id and secret are made up where none is given", Fill: madeUp("client_id", "client_secret")},
			{Kind: "gateway_key_auth", Source: model.Assumed, Says: "no two consumers share a key", Unique: []string{"key"}},
			{Kind: "gateway_key_auth", Source: model.Assumed, Says: "the key may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_key_auth", Source: model.Assumed, Says: "a key is made up where none is given", Fill: madeUp("key")},
			{Kind: "gateway_key_auth", Source: model.Assumed, Says: "a key is not shown to people", Hide: func(v map[string]any) { delete(v, "key") }},
			{
				Kind: "gateway_mtls_auth", Source: model.Assumed, Says: "the authority that a name is trusted for must be there, and stays as long",
				Points: []catalog.Reference{{Field: "ca_certificate.id", Kind: "gateway_ca_certificate"}},
			},
			{Kind: "gateway_mtls_auth", Source: model.Assumed, Says: "a name may be trusted once for each authority", Unique: []string{"subject_name", "ca_certificate.id"}},
		},
		Fixed: []model.Fixed{
			{
				Operation: core("POST", "/v1/consumer-groups"), Source: model.FromFacts, Says: "older decKs write groups at an older address",
				Beside: true, As: core("POST", "/consumer_groups"),
			},
			{
				Operation: core("GET", "/v1/consumer-groups/{ConsumerGroupId}"), Source: model.FromFacts, Says: "older decKs read groups at an older address",
				Beside: true, As: core("GET", "/consumer_groups/{ConsumerGroupId}"),
			},
			{
				Operation: core("PUT", "/v1/consumer-groups/{ConsumerGroupId}"), Source: model.FromFacts, Says: "older decKs write groups at an older address",
				Beside: true, As: core("PUT", "/consumer_groups/{ConsumerGroupId}"),
			},
			{
				Operation: core("DELETE", "/v1/consumer-groups/{ConsumerGroupId}"), Source: model.FromFacts, Says: "older decKs delete groups at an older address",
				Beside: true, As: core("DELETE", "/consumer_groups/{ConsumerGroupId}"),
			},
			{
				Operation: core("POST", "/v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members"), Source: model.FromFacts, Says: "older decKs let consumers join groups at an older address",
				Beside: true, Change: joinGroup,
			},
			{
				Operation: core("DELETE", "/v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members"), Source: model.FromFacts, Says: "older decKs let consumers leave groups at an older address",
				Beside: true, Change: leaveGroup,
			},
			{Operation: core("GET", "/consumer_groups/{ConsumerGroupId}/consumers"), Source: model.FromContract, Says: "the consumers of a group", Many: groupConsumers},
			{Operation: core("POST", "/consumer_groups/{ConsumerGroupId}/consumers"), Source: model.FromContract, Says: "a consumer joins a group", Change: joinGroup},
			{Operation: core("DELETE", "/consumer_groups/{ConsumerGroupId}/consumers"), Source: model.FromContract, Says: "all consumers leave a group", Change: emptyGroup},
			{Operation: core("DELETE", "/consumer_groups/{ConsumerGroupId}/consumers/{ConsumerId}"), Source: model.FromContract, Says: "a consumer leaves a group", Change: leaveGroup},
			{Operation: core("GET", "/consumers/{ConsumerId}/consumer_groups"), Source: model.FromContract, Says: "the groups that a consumer is in", Many: consumerGroups},
			{Operation: core("POST", "/consumers/{ConsumerId}/consumer_groups"), Source: model.FromContract, Says: "a consumer joins a group", Change: joinGroup},
			{Operation: core("DELETE", "/consumers/{ConsumerId}/consumer_groups"), Source: model.FromContract, Says: "a consumer leaves all groups", Change: leaveAllGroups},
			{Operation: core("DELETE", "/consumers/{ConsumerId}/consumer_groups/{ConsumerGroupId}"), Source: model.FromContract, Says: "a consumer leaves a group", Change: leaveGroup},
		},
	}
}

// hashPassword leaves alone what is a hash of its own making: a client may send
// back what it read.
func hashPassword(sc model.Scene, r *store.Record) error {
	password, _ := r.Fields["password"].(string)
	consumer, _ := model.At(r.Fields, "consumer.id").(string)
	if old := sc.Tx.Get(r.Kind, r.ID); old != nil && old.Fields["password"] == password {
		return nil
	}
	sum := sha1.Sum([]byte(password + consumer)) //nolint:gosec // it is what gateways hash passwords with
	r.Fields["password"] = hex.EncodeToString(sum[:])
	return nil
}

// madeUp gives fields a new secret where they have none.
func madeUp(fields ...string) func(model.Scene, *store.Record) error {
	return func(sc model.Scene, r *store.Record) error {
		old := sc.Tx.Get(r.Kind, r.ID)
		for _, f := range fields {
			if r.Fields[f] != nil {
				continue
			}
			if old != nil && old.Fields[f] != nil {
				r.Fields[f] = old.Fields[f]
				continue
			}
			r.Fields[f] = model.Hex(32, sc.NewID(), f)
		}
		return nil
	}
}

// memberOf are the ids of the groups that a consumer is in.
const memberOf = "groups"

func members(sc model.Scene, group *store.Record) []*store.Record {
	return sc.Referring("gateway_consumer", group.Parent, memberOf, group.Public())
}

// withConsumers is what is read with a group.
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

func leave(sc model.Scene, consumer *store.Record, group string) {
	regroup(sc, consumer, slices.DeleteFunc(model.Texts(consumer.Made[memberOf]), func(id string) bool { return id == group }))
}

// regroup puts a consumer into groups and no others.
func regroup(sc model.Scene, consumer *store.Record, groups []string) *store.Record {
	rec := *consumer
	rec.Made = model.CloneMap(consumer.Made)
	list := make([]any, len(groups))
	for i, id := range groups {
		list[i] = id
	}
	rec.Made[memberOf] = list
	sc.Keep(&rec)
	return &rec
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
	groups := model.Texts(consumer.Made[memberOf])
	if slices.Contains(groups, group.Public()) {
		return nil, model.Refuse(http.StatusConflict, "consumer %s is in group %s already", consumer.Public(), group.Public())
	}
	consumer = regroup(sc, consumer, append(groups, group.Public()))
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
