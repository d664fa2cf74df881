package emulator_test

import (
	"net/http"
	"strings"
	"testing"
)

// Policies have an order: a new one comes last or where the call says, a move and a
// chain arrange them, and lists and chains show it.
func TestPolicyOrder(t *testing.T) {
	w := newWorld(t)
	gateway := "/v1/event-gateways/" + w.create("/v1/event-gateways", object{"name": "g"})
	backend := w.create(gateway+"/backend-clusters", object{
		"name": "b", "bootstrap_servers": []any{"kafka:9092"}, "authentication": object{"type": "anonymous"}, "tls": object{"enabled": false},
	})
	cluster := gateway + "/virtual-clusters/" + w.create(gateway+"/virtual-clusters", object{
		"name": "v", "destination": object{"id": backend}, "authentication": []any{object{"type": "anonymous"}}, "dns_label": "v", "acl_mode": "passthrough",
	})
	listener := gateway + "/listeners/" + w.create(gateway+"/listeners", object{"name": "l", "addresses": []any{"0.0.0.0"}, "ports": []any{"9092"}})
	headers := func(name string) object {
		return object{"type": "modify_headers", "name": name, "config": object{"actions": []any{object{"op": "remove", "key": "k"}}}}
	}
	forward := func(name string) object {
		return object{"type": "forward_to_virtual_cluster", "name": name, "config": object{"type": "sni"}}
	}
	acls := func(name string) object {
		rule := object{"resource_type": "topic", "action": "allow", "operations": []any{object{"name": "all"}}, "resource_names": []any{object{"match": "*"}}}
		return object{"type": "acls", "name": name, "config": object{"rules": []any{rule}}}
	}
	for name, row := range map[string]struct {
		policies, chain string
		body            func(string) object
	}{
		"listener": {listener + "/policies", listener + "/policy-chain", forward},
		"cluster":  {cluster + "/cluster-policies", cluster + "/cluster-policy-chain", acls},
		"produce":  {cluster + "/produce-policies", cluster + "/produce-policy-chain", headers},
		"consume":  {cluster + "/consume-policies", cluster + "/consume-policy-chain", headers},
	} {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			ids := map[string]string{}
			order := func(want string) {
				t.Helper()
				list, _ := w.must(http.StatusOK, http.MethodGet, row.policies, nil).body.([]any)
				var got, chain []string
				for _, e := range list {
					got = append(got, e.(object)["name"].(string))
				}
				shown, _ := w.must(http.StatusOK, http.MethodGet, row.chain, nil).field("policies").([]any)
				for _, id := range shown {
					for name, x := range ids {
						if x == id {
							chain = append(chain, name)
						}
					}
				}
				if strings.Join(got, "") != want || strings.Join(chain, "") != want {
					t.Errorf("the list is %v, the chain %v, want %s", got, chain, want)
				}
			}
			for _, name := range []string{"a", "b", "c"} {
				ids[name] = w.create(row.policies, row.body(name))
			}
			order("abc")
			ids["d"] = w.create(row.policies+"?before="+ids["b"], row.body("d"))
			order("adbc")
			ids["e"] = w.create(row.policies+"?after="+ids["b"], row.body("e"))
			order("adbec")
			w.must(http.StatusBadRequest, http.MethodPost, row.policies+"?after="+ids["b"]+"&before="+ids["a"], row.body("f"))
			w.must(http.StatusNoContent, http.MethodPost, row.policies+"/"+ids["c"]+"/move", object{"index": 1})
			order("acdbe")
			w.must(http.StatusOK, http.MethodPut, row.chain, object{"policies": []any{ids["e"], ids["a"]}})
			order("eacdb")
			w.must(http.StatusBadRequest, http.MethodPut, row.chain, object{"policies": []any{ids["e"], ids["e"]}})
			w.must(http.StatusNoContent, http.MethodDelete, row.policies+"/"+ids["a"], nil)
			delete(ids, "a")
			order("ecdb")
		})
	}
}

// A policy below another one moves among its siblings, and moves with its parent.
func TestOrderOfPoliciesBelowOthers(t *testing.T) {
	w := newWorld(t)
	gateway := "/v1/event-gateways/" + w.create("/v1/event-gateways", object{"name": "g"})
	backend := w.create(gateway+"/backend-clusters", object{
		"name": "b", "bootstrap_servers": []any{"kafka:9092"}, "authentication": object{"type": "anonymous"}, "tls": object{"enabled": false},
	})
	policies := gateway + "/virtual-clusters/" + w.create(gateway+"/virtual-clusters", object{
		"name": "v", "destination": object{"id": backend}, "authentication": []any{object{"type": "anonymous"}}, "dns_label": "v", "acl_mode": "passthrough",
	}) + "/consume-policies"
	ids := map[string]string{}
	for _, name := range []string{"a", "b", "c", "sv", "k1", "k2"} {
		body := object{"type": "skip_record", "name": name}
		switch name[0] {
		case 's':
			body = object{"type": "schema_validation", "name": name, "config": object{"type": "json"}}
		case 'k':
			body["parent_policy_id"] = ids["sv"]
		}
		ids[name] = w.create(policies, body)
	}
	for _, row := range []struct {
		moves string
		to    int
		want  string
	}{
		{"k1", 1, "a b c sv k2 k1"},
		{"k1", 0, "a b c sv k1 k2"},
		{"k2", 9, "a b c sv k1 k2"},
		{"sv", 1, "a sv k1 k2 b c"},
		{"c", 0, "c a sv k1 k2 b"},
		{"sv", 3, "c a b sv k1 k2"},
	} {
		w.must(http.StatusNoContent, http.MethodPost, policies+"/"+ids[row.moves]+"/move", object{"index": row.to})
		list, _ := w.must(http.StatusOK, http.MethodGet, policies, nil).body.([]any)
		var got []string
		for _, e := range list {
			got = append(got, e.(object)["name"].(string))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s to %d: %v, want %s", row.moves, row.to, got, row.want)
		}
	}
}

// A listener has ports that exist, and no address beside one that stands for all.
func TestListenersHavePortsAndAddresses(t *testing.T) {
	w := newWorld(t)
	listeners := "/v1/event-gateways/" + w.create("/v1/event-gateways", object{"name": "g"}) + "/listeners"
	for name, row := range map[string]struct {
		ports, addresses []any
		want             int
	}{
		"a range":                     {[]any{"9092-9095", 9100, "9101"}, []any{"0.0.0.0"}, http.StatusCreated},
		"one port as a range":         {[]any{"9092-9092"}, []any{"10.0.0.1", "10.0.0.2"}, http.StatusCreated},
		"a range the wrong way round": {[]any{"9095-9092"}, []any{"localhost"}, http.StatusBadRequest},
		"a port that is too high":     {[]any{9092, "70000"}, []any{"localhost"}, http.StatusBadRequest},
		"no port":                     {[]any{"0-10"}, []any{"localhost"}, http.StatusBadRequest},
		"all addresses, and one":      {[]any{9092}, []any{"10.0.0.1", "0.0.0.0"}, http.StatusBadRequest},
		"all addresses twice":         {[]any{9092}, []any{"0.0.0.0", "::"}, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			w.must(row.want, http.MethodPost, listeners, object{"name": name, "ports": row.ports, "addresses": row.addresses})
		})
	}
}
