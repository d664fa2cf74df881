package emulator_test

import (
	"net/http"
	"testing"
)

// A reference to what lies below another resource than the one that refers is refused,
// and one to what lies below the same is not.
func TestReferencesStayBelowOneResource(t *testing.T) {
	w := newWorld(t)
	anonymous := object{"type": "anonymous"}
	type side struct{ event, backend, cluster, policy, ai, store, consumer, group string }
	var sides []side
	for _, name := range []string{"one", "two"} {
		var x side
		x.event = "/v1/event-gateways/" + w.create("/v1/event-gateways", object{"name": name})
		x.backend = w.create(x.event+"/backend-clusters", object{"name": "b", "authentication": anonymous, "bootstrap_servers": []any{"h:1"}, "tls": object{"enabled": false}})
		x.cluster = x.event + "/virtual-clusters/" + w.create(x.event+"/virtual-clusters", object{
			"name": "v", "acl_mode": "passthrough", "dns_label": "v", "authentication": []any{anonymous}, "destination": object{"id": x.backend},
		})
		x.policy = w.create(x.cluster+"/produce-policies", object{"name": "p", "type": "schema_validation", "config": object{"type": "json"}})
		x.ai = "/v1/ai-gateways/" + w.create("/v1/ai-gateways", object{"name": name, "display_name": name})
		x.store = w.create(x.ai+"/config-stores", object{"name": "s"})
		x.consumer = w.create(x.ai+"/consumers", object{"name": "c", "display_name": "C", "type": "oauth"})
		x.group = x.ai + "/consumer-groups/" + w.create(x.ai+"/consumer-groups", object{"name": "g", "display_name": "G"})
		sides = append(sides, x)
	}
	for _, row := range []struct {
		name    string
		path    func(own side) string
		body    func(to side) object
		refused int
	}{
		{"the backend cluster of a virtual cluster", func(own side) string { return own.event + "/virtual-clusters" }, func(to side) object {
			return object{"name": "w", "acl_mode": "passthrough", "dns_label": "w", "authentication": []any{anonymous}, "destination": object{"id": to.backend}}
		}, http.StatusBadRequest},
		{"the policy that another one lies below", func(own side) string { return own.cluster + "/produce-policies" }, func(to side) object {
			return object{"name": "q", "type": "modify_headers", "config": object{}, "parent_policy_id": to.policy}
		}, http.StatusBadRequest},
		{"the config store of a vault", func(own side) string { return own.ai + "/vaults" }, func(to side) object {
			return object{"name": "v", "type": "konnect", "config": object{"config_store_id": to.store}}
		}, http.StatusBadRequest},
		{"the consumer of a group", func(own side) string { return own.group + "/consumers" }, func(to side) object {
			return object{"consumer": to.consumer}
		}, http.StatusNotFound},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			w.must(row.refused, http.MethodPost, row.path(sides[0]), row.body(sides[1]))
			w.must(http.StatusCreated, http.MethodPost, row.path(sides[0]), row.body(sides[0]))
		})
	}
}
