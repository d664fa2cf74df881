package emulator_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// gateway is a control plane whose core entities a test is about.
type gateway struct {
	*world
	id string
}

func newGateway(w *world) gateway {
	w.t.Helper()
	return gateway{w, w.create("/v2/control-planes", object{"name": fmt.Sprintf("cp-%d", time.Now().UnixNano())})}
}

func (g gateway) path(rest string) string {
	return "/v2/control-planes/" + g.id + "/core-entities" + rest
}

func (g gateway) put(path string, body object) reply {
	g.t.Helper()
	return g.must(http.StatusOK, http.MethodPut, g.path(path), body)
}

func (g gateway) get(path string) reply {
	g.t.Helper()
	return g.must(http.StatusOK, http.MethodGet, g.path(path), nil)
}

func (g gateway) gone(path string) {
	g.t.Helper()
	g.must(http.StatusNotFound, http.MethodGet, g.path(path), nil)
}

func (g gateway) remove(path string) {
	g.t.Helper()
	g.must(http.StatusNoContent, http.MethodDelete, g.path(path), nil)
}

// refused expects a refusal in the form of core entities.
func (g gateway) refused(status int, method, path string, body any, says string) {
	g.t.Helper()
	r := g.must(status, method, g.path(path), body)
	_, code := r.field("code").(float64)
	_, details := r.field("details").([]any)
	if !code || !details || !strings.Contains(r.text("message"), says) {
		g.t.Errorf("%s %s is refused with %s, want %q", method, path, show(r.body), says)
	}
}

func (g gateway) names(path, field string) string {
	g.t.Helper()
	var out []string
	for _, e := range g.get(path).data() {
		out = append(out, fmt.Sprint(e[field]))
	}
	return strings.Join(out, " ")
}

const (
	idA = "0a0a0a0a-0000-4000-8000-00000000000a"
	idB = "0b0b0b0b-0000-4000-8000-00000000000b"
	idC = "0c0c0c0c-0000-4000-8000-00000000000c"
)

func TestUpsertsKeepIDsAndOrder(t *testing.T) {
	g := newGateway(newWorld(t))
	r := g.put("/services/"+idA, object{"name": "s", "host": "h", "tags": []any{"z", "a", "m"}})
	want := object{
		"id": idA, "name": "s", "host": "h", "tags": []any{"z", "a", "m"}, "protocol": "http", "port": 80.0, "retries": 5.0, "enabled": true,
		"connect_timeout": 60000.0, "read_timeout": 60000.0, "write_timeout": 60000.0, "path": nil, "client_certificate": nil,
		"ca_certificates": nil, "tls_verify": nil, "tls_verify_depth": nil, "tls_sans": nil,
	}
	got := r.object()
	for _, own := range []string{"created_at", "updated_at"} {
		if got[own] == nil {
			t.Errorf("%s is missing", own)
		}
		delete(got, own)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the whole entity (-want +got):\n%s", diff)
	}
	if r := g.put("/services/"+idA, object{"name": "s", "host": "h2", "port": nil}); r.field("port") != 80.0 || r.field("tags") != nil {
		t.Errorf("a replaced service: %s", show(r.body))
	}
	if names := g.names("/services", "name"); names != "s" {
		t.Errorf("services: %s", names)
	}
}

// The same ids may be used in several control planes.
func TestIDsBelongToTheirControlPlane(t *testing.T) {
	w := newWorld(t)
	one, two := newGateway(w), newGateway(w)
	for _, g := range []gateway{one, two} {
		g.put("/services/"+idA, object{"name": "s", "host": g.id})
		g.put("/routes/"+idB, object{"name": "r", "paths": []any{"/"}, "service": object{"id": idA}})
	}
	if host := one.get("/services/" + idA).text("host"); host != one.id {
		t.Errorf("the other control plane changed the service: host %s", host)
	}
	one.remove("/routes/" + idB)
	one.remove("/services/" + idA)
	two.get("/services/" + idA)
	if names := two.names("/services/s/routes", "name"); names != "r" {
		t.Errorf("routes: %q", names)
	}
	one.refused(http.StatusBadRequest, http.MethodPut, "/routes/"+idC, object{"paths": []any{"/"}, "service": object{"id": idA}}, "does not exist")
}

func TestNamesStandForIDs(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/services/s", object{"host": "h"})
	g.put("/services/s/routes/r", object{"paths": []any{"/"}})
	g.put("/upstreams/u", object{})
	g.put("/upstreams/u/targets/"+idA, object{"target": "10.0.0.1:80"})
	g.put("/consumers/c", object{})
	g.put("/consumers/c/key-auth/"+idB, object{"key": "k"})
	g.put("/consumers/c/acls/"+idC, object{"group": "admins"})
	g.put("/consumer_groups/g", object{})
	g.put("/key-sets/ks", object{})
	g.put("/key-sets/ks/keys/k", object{"kid": "1", "jwk": "{}"})
	g.put("/vaults/my-env", object{"name": "env"})
	for path, want := range map[string]string{
		"/services/s": "s", "/routes/r": "r", "/services/s/routes/r": "r", "/upstreams/u": "u", "/key-sets/ks": "ks", "/key-sets/ks/keys/k": "k", "/vaults/my-env": "env",
	} {
		if name := g.get(path).text("name"); name != want {
			t.Errorf("%s is %q", path, name)
		}
	}
	if id := g.get("/upstreams/u/targets/10.0.0.1:80").text("id"); id != idA {
		t.Errorf("the target is %s", id)
	}
	if id := g.get("/consumers/c/key-auth/k").text("id"); id != idB {
		t.Errorf("the key is %s", id)
	}
	if id := g.get("/consumers/c/acls/admins").text("id"); id != idC {
		t.Errorf("the ACL is %s", id)
	}
	if name := g.get("/consumer_groups/g").text("consumer_group", "name"); name != "g" {
		t.Errorf("the group is %q", name)
	}
}

func TestNestedPaths(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/services/"+idA, object{"name": "a", "host": "h"})
	g.put("/services/"+idB, object{"name": "b", "host": "h"})
	if id := g.must(http.StatusCreated, http.MethodPost, g.path("/services/a/routes"), object{"name": "r", "paths": []any{"/"}}).text("service", "id"); id != idA {
		t.Errorf("the route is of %s", id)
	}
	g.get("/services/a/routes/r")
	g.gone("/services/b/routes/r")
	if names := g.names("/services/b/routes", "name"); names != "" {
		t.Errorf("routes of the other service: %s", names)
	}
	if names := g.names("/services/a/routes", "name"); names != "r" {
		t.Errorf("routes of the service: %s", names)
	}
	g.refused(http.StatusNotFound, http.MethodDelete, "/services/b/routes/r", nil, "not found")
	g.refused(http.StatusNotFound, http.MethodGet, "/services/none/routes", nil, "not found")
	g.refused(http.StatusNotFound, http.MethodPut, "/services/none/routes/r", object{}, "not found")
	g.must(http.StatusCreated, http.MethodPost, g.path("/routes/r/plugins"), object{"name": "cors"})
	g.must(http.StatusCreated, http.MethodPost, g.path("/plugins"), object{"name": "cors"})
	if n := len(g.get("/routes/r/plugins").data()); n != 1 {
		t.Errorf("%d plugins of the route", n)
	}
	g.remove("/services/a/routes/r")
	if names := g.names("/plugins", "name"); names != "cors" {
		t.Errorf("plugins that are left: %s", names)
	}
}

// A PATCH changes what it names; what it makes of the entity is checked.
func TestPatchesOfCoreEntities(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/upstreams/u", object{})
	g.put("/upstreams/u/targets/"+idA, object{"target": "10.0.0.1:80", "weight": 10, "tags": []any{"a"}})
	r := g.must(http.StatusOK, http.MethodPatch, g.path("/upstreams/u/targets/"+idA), object{"weight": 20})
	if r.field("weight") != 20.0 || r.text("target") != "10.0.0.1:80" || r.field("tags") == nil || r.text("id") != idA {
		t.Errorf("the target: %s", show(r.body))
	}
	if r := g.must(http.StatusOK, http.MethodPatch, g.path("/upstreams/u/targets/"+idA), object{"tags": nil}); r.field("tags") != nil || r.field("weight") != 20.0 {
		t.Errorf("the target without tags: %s", show(r.body))
	}
	g.put("/services/s", object{"host": "h"})
	g.put("/services/s/routes/r", object{"paths": []any{"/"}})
	if r := g.must(http.StatusOK, http.MethodPatch, g.path("/routes/r"), object{"methods": []any{"GET"}}); r.field("paths") == nil || r.text("service", "id") == "" {
		t.Errorf("the route: %s", show(r.body))
	}
	g.refused(http.StatusBadRequest, http.MethodPatch, "/services/s", object{"host": nil}, "host")
	g.refused(http.StatusBadRequest, http.MethodPatch, "/services/s", object{"hots": "h"}, "hots")
	g.refused(http.StatusNotFound, http.MethodPatch, "/services/none", object{"host": "h"}, "not found")
	g.refused(http.StatusMethodNotAllowed, http.MethodPatch, "/services", object{}, "not allowed")
}

func TestTagsAndPages(t *testing.T) {
	g := newGateway(newWorld(t))
	for i, tags := range [][]any{{"a"}, {"a", "b"}, {"b", "a"}, {"b"}, nil} {
		g.put(fmt.Sprintf("/services/s%d", i), object{"host": "h", "tags": tags})
	}
	for query, want := range map[string]string{
		"": "s0 s1 s2 s3 s4", "?tags=a": "s0 s1 s2", "?tags=a,b": "s1 s2", "?tags=a/b": "s0 s1 s2 s3", "?tags=c": "", "?tags=b&size=1000": "s1 s2 s3",
	} {
		if names := g.names("/services"+query, "name"); names != want {
			t.Errorf("%q lists %q, want %q", query, names, want)
		}
	}
	g.refused(http.StatusBadRequest, http.MethodGet, "/services?tags=a,b/c", nil, "tags")
	var pages []string
	for next := ""; ; {
		r := g.get("/services?size=2&tags=a" + next)
		for _, e := range r.data() {
			pages = append(pages, e["name"].(string))
		}
		if r.text("offset") == "" {
			break
		}
		pages = append(pages, "|")
		next = "&offset=" + r.text("offset")
	}
	if got := strings.Join(pages, " "); got != "s0 s1 | s2" {
		t.Errorf("pages: %s", got)
	}
	g.refused(http.StatusBadRequest, http.MethodGet, "/services?size=1001", nil, "size")
}

// What refers to something that is not there is refused, and so is a second one
// of what there may be one of.
func TestCoreEntitiesAreChecked(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/services/s", object{"host": "h"})
	g.put("/consumers/c", object{"custom_id": "1"})
	g.put("/consumers/d", object{})
	g.put("/consumers/c/key-auth/"+idA, object{"key": "k"})
	g.put("/upstreams/u", object{})
	g.put("/upstreams/u/targets/"+idA, object{"target": "10.0.0.1:80"})
	g.must(http.StatusCreated, http.MethodPost, g.path("/plugins"), object{"name": "cors", "instance_name": "one"})
	for _, row := range []struct {
		what, method, path string
		body               object
		status             int
		says               string
	}{
		{"a route of no service", "POST", "/routes", object{"paths": []any{"/"}, "service": object{"id": idC}}, 400, "gateway service " + idC + " does not exist"},
		{"a plugin of no consumer", "POST", "/plugins", object{"name": "cors", "consumer": object{"id": idC}}, 400, "does not exist"},
		{"a name of no certificate", "POST", "/snis", object{"name": "a.example", "certificate": object{"id": idC}}, 400, "does not exist"},
		{"a key of no set", "POST", "/keys", object{"kid": "1", "jwk": "{}", "set": object{"id": idC}}, 400, "does not exist"},
		{"a plugin with a partial that is not there", "POST", "/plugins", object{"name": "rate-limiting", "config": object{"minute": 1}, "partials": []any{object{"id": idC}}}, 400, "does not exist"},
		{"a service without a host", "POST", "/services", object{"name": "t"}, 400, "host: is required"},
		{"an unknown field", "POST", "/services", object{"name": "t", "host": "h", "hots": 1}, 400, "hots"},
		{"a service of a taken name", "POST", "/services", object{"name": "s", "host": "h"}, 409, "exists already"},
		{"a service of a taken name with an id", "PUT", "/services/" + idB, object{"name": "s", "host": "h"}, 409, "exists already"},
		{"a consumer of a taken custom id", "PUT", "/consumers/" + idB, object{"username": "e", "custom_id": "1"}, 409, "exists already"},
		{"a key that another consumer has", "PUT", "/consumers/d/key-auth/" + idB, object{"key": "k"}, 409, "exists already"},
		{"a target twice", "POST", "/upstreams/u/targets", object{"target": "10.0.0.1:80"}, 409, "exists already"},
		{"a plugin twice", "POST", "/plugins", object{"name": "cors"}, 409, "exists already"},
		{"a plugin's instance twice", "POST", "/plugins", object{"name": "key-auth", "instance_name": "one"}, 409, "exists already"},
		{"an authority that is none", "POST", "/ca_certificates", object{"cert": "x"}, 400, "PEM"},
		{"a partial with an unknown field", "POST", "/partials", object{"name": "p", "type": "redis-ce", "config": object{"hots": "h"}}, 400, "config.hots: unknown field"},
		{"a partial with an unknown field below another", "POST", "/partials", object{"name": "p", "type": "redis-ee", "config": object{"cluster_nodes": []any{object{"ipp": "h"}}}}, 400, "unknown field"},
		{"half a route", "POST", "/routes", object{"expression": "true", "paths": []any{"/"}}, 400, "paths"},
	} {
		t.Run(row.what, func(t *testing.T) {
			gateway{g.in(t), g.id}.refused(row.status, row.method, row.path, row.body, row.says)
		})
	}
	g.put("/consumers/d/key-auth/"+idB, object{"key": "other"})
	g.put("/services/s/plugins/"+idC, object{"name": "cors"})
}

func TestDeletionsOfCoreEntities(t *testing.T) {
	cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
	g := newGateway(newWorld(t))
	g.put("/certificates/"+idA, object{"cert": cert, "key": key, "snis": []any{"a.example"}})
	g.put("/services/s", object{"host": "h", "protocol": "https", "client_certificate": object{"id": idA}})
	g.put("/services/s/routes/r", object{"paths": []any{"/"}})
	g.put("/services/s/plugins/"+idA, object{"name": "cors"})
	g.put("/routes/r/plugins/"+idB, object{"name": "cors"})
	g.put("/consumers/c", object{})
	g.put("/consumers/c/plugins/"+idC, object{"name": "request-size-limiting"})
	credentials := map[string]object{
		"key-auth": {"key": "k"}, "basic-auth": {"username": "u", "password": "p"}, "hmac-auth": {"username": "u"}, "jwt": {},
		"acls": {"group": "g"}, "mtls-auth": {"subject_name": "n"}, "oauth2": {"name": "app"},
	}
	lists := []string{"/key-auths", "/basic-auths", "/hmac-auths", "/jwts", "/acls", "/mtls-auths", "/oauth2"}
	for kind, body := range credentials {
		g.put("/consumers/c/"+kind+"/"+idA, body)
	}
	for _, list := range lists {
		if n := len(g.get(list).data()); n != 1 {
			t.Errorf("%s has %d", list, n)
		}
	}
	g.put("/upstreams/u", object{})
	g.put("/upstreams/u/targets/"+idA, object{"target": "10.0.0.1"})
	if target := g.get("/upstreams/u/targets/" + idA).text("target"); target != "10.0.0.1:8000" {
		t.Errorf("the target is %s", target)
	}
	if names := g.names("/certificates/"+idA+"/snis", "name"); names != "a.example" {
		t.Errorf("the certificate serves %q", names)
	}
	if snis := g.get("/certificates/" + idA).field("snis"); !cmp.Equal(snis, []any{"a.example"}) {
		t.Errorf("the certificate tells %v", snis)
	}

	g.refused(http.StatusBadRequest, http.MethodDelete, "/services/s", nil, "references this gateway service entity")
	g.refused(http.StatusBadRequest, http.MethodDelete, "/certificates/"+idA, nil, "references this gateway certificate entity")
	g.remove("/routes/r")
	g.remove("/services/s")
	g.remove("/certificates/" + idA)
	g.remove("/upstreams/u")
	g.remove("/consumers/c")
	for _, list := range append(lists, "/plugins", "/snis", "/targets", "/routes") {
		if n := len(g.get(list).data()); n != 0 {
			t.Errorf("%s still has %d", list, n)
		}
	}
}

func TestControlPlanesTakeTheirEntitiesAlong(t *testing.T) {
	w := newWorld(t)
	g := newGateway(w)
	g.put("/services/s", object{"host": "h"})
	g.put("/services/s/routes/r", object{"paths": []any{"/"}})
	g.put("/consumers/c", object{})
	g.put("/consumers/c/acls/"+idA, object{"group": "g"})
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/control-planes/"+g.id, nil)
	for _, kind := range []string{"gateway_service", "gateway_route", "gateway_consumer", "gateway_acl"} {
		if n := w.held(w.cat.Kind(kind)); n != 0 {
			t.Errorf("%d %s are left", n, kind)
		}
	}
	g.gone("/services")
	g.gone("/v1/schemas/json/service")
	g.gone("/schemas/plugins/cors")
}

func TestCredentials(t *testing.T) {
	g := newGateway(newWorld(t))
	consumer := g.put("/consumers/c", object{}).text("id")
	if k := g.put("/consumers/c/key-auth/"+idA, object{}).text("key"); len(k) != 32 {
		t.Errorf("the key that was made up is %q", k)
	}
	jwt := g.put("/consumers/c/jwt/"+idA, object{})
	if jwt.text("algorithm") != "HS256" || jwt.text("secret") == "" || jwt.text("consumer", "id") != consumer {
		t.Errorf("the credential is %s", show(jwt.body))
	}
	first := g.put("/consumers/c/basic-auth/"+idA, object{"username": "u", "password": "p"}).text("password")
	if first == "p" || len(first) != 40 {
		t.Errorf("the password is told as %q", first)
	}
	if again := g.put("/consumers/c/basic-auth/"+idA, object{"username": "u", "password": first}).text("password"); again != first {
		t.Errorf("what was read and sent back is now %q", again)
	}
}

// Every write of the table of fixed answers, in an order that works.
func TestMemberships(t *testing.T) {
	w := newWorld(t)
	g := newGateway(w)
	g.put("/consumers/c", object{})
	g.put("/consumers/d", object{})
	group := g.put("/consumer_groups/g", object{}).text("id")
	const base = "/v2/control-planes/{controlPlaneId}/core-entities"
	members := func(want string) {
		t.Helper()
		list, _ := g.get("/consumer_groups/g").field("consumers").([]any)
		var names []string
		for _, e := range list {
			names = append(names, e.(object)["username"].(string))
		}
		if got := strings.Join(names, " "); got != want || g.names("/consumer_groups/g/consumers", "username") != want {
			t.Errorf("members are %q and %q, want %q", got, g.names("/consumer_groups/g/consumers", "username"), want)
		}
	}
	tried := map[string]bool{}
	fill := strings.NewReplacer("{controlPlaneId}", g.id, "{ConsumerId}", "c", "{ConsumerGroupId}", "g", "{entityName}", "consumers")
	try := func(status int, op string, body any, then string) reply {
		t.Helper()
		method, path, _ := strings.Cut(op, " ")
		path = base + path
		tried[method+" "+path] = true
		r := w.must(status, method, fill.Replace(path), body)
		members(then)
		return r
	}
	try(201, "POST /consumer_groups/{ConsumerGroupId}/consumers", object{"consumer": "c"}, "c")
	try(409, "POST /consumer_groups/{ConsumerGroupId}/consumers", object{"consumer": "c"}, "c")
	try(400, "POST /consumer_groups/{ConsumerGroupId}/consumers", object{"consumer": "nobody"}, "c")
	w.must(201, "POST", g.path("/consumer_groups/g/consumers"), object{"consumer": "d"})
	if names := g.names("/consumers/c/consumer_groups", "name"); names != "g" {
		t.Errorf("the groups of the consumer: %q", names)
	}
	g.put("/consumers/c", object{"tags": []any{"changed"}})
	members("c d")
	try(204, "DELETE /consumer_groups/{ConsumerGroupId}/consumers/{ConsumerId}", nil, "d")
	try(404, "DELETE /consumer_groups/{ConsumerGroupId}/consumers/{ConsumerId}", nil, "d")
	try(204, "DELETE /consumer_groups/{ConsumerGroupId}/consumers", nil, "")
	joined := try(201, "POST /consumers/{ConsumerId}/consumer_groups", object{"group": "g"}, "c")
	if joined.text("consumer", "username") != "c" {
		t.Errorf("joining answers %s", show(joined.body))
	}
	try(204, "DELETE /consumers/{ConsumerId}/consumer_groups/{ConsumerGroupId}", nil, "")
	try(201, "POST /v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members", nil, "c")
	try(204, "DELETE /v1/consumers/{ConsumerId}/groups/{ConsumerGroupId}/members", nil, "")
	try(201, "POST /consumers/{ConsumerId}/consumer_groups", object{"group": group}, "c")
	try(204, "DELETE /consumers/{ConsumerId}/consumer_groups", nil, "")
	w.must(201, "POST", g.path("/consumers/c/consumer_groups"), object{"group": "g"})
	if r := try(200, "PUT /v1/consumer-groups/{ConsumerGroupId}", object{"name": "g", "tags": []any{"t"}}, "c"); r.text("item", "id") != group {
		t.Errorf("the old address answers %s", show(r.body))
	}
	if r := g.get("/v1/consumer-groups/g"); r.text("item", "name") != "g" {
		t.Errorf("the old address answers %s", show(r.body))
	}
	if plain := g.get("/consumer_groups/g?list_consumers=false").object(); plain["consumers"] != nil {
		t.Errorf("consumers are told: %s", show(plain))
	}
	tried["DELETE "+base+"/v1/consumer-groups/{ConsumerGroupId}"] = true
	g.remove("/v1/consumer-groups/g")
	if names := g.names("/consumers/c/consumer_groups", "name"); names != "" {
		t.Errorf("the consumer is still in %q", names)
	}
	tried["POST "+base+"/v1/consumer-groups"] = true
	w.must(201, "POST", g.path("/v1/consumer-groups"), object{"id": group, "name": "g"})
	members("")
	try(200, "POST /schemas/{entityName}/validate", object{"username": "c"}, "")
	try(200, "POST /schemas/plugins/validate", object{"name": "cors"}, "")
	try(200, "POST /schemas/partials/validate", object{"name": "p", "type": "redis-ee", "config": object{"host": "h"}}, "")
	for _, op := range emulator.FixedOperations() {
		if !strings.HasPrefix(op, "GET ") && !tried[op] && !triedElsewhere.MatchString(op) {
			t.Errorf("%s was not tried", op)
		}
	}
}

// triedElsewhere are operations that other tests try: TestAccessTokens, the scripts of
// metering, TestMembersJoinAndLeave, TestPolicyOrder, TestOldGroupMappings,
// TestAuditLogDestinations, TestGroupsOfAConsumerAreSet.
var triedElsewhere = regexp.MustCompile(`/access-tokens|/publish$|/archive$|/group-memberships/|policies/{policyId}/move$|/team-group-mappings$|/audit-log-destinations|/{consumerIdOrName}/consumer-groups$`)

func TestOldListOfControlPlanes(t *testing.T) {
	w := newWorld(t)
	var want []string
	for i := range 5 {
		name := fmt.Sprintf("cp%d", i)
		w.create("/v2/control-planes", object{"name": name})
		want = append(want, name)
	}
	var got []string
	for page := 1; ; page++ {
		r := w.must(http.StatusOK, http.MethodGet, fmt.Sprintf("/konnect-api/api/runtime_groups?page=%d&size=2", page), nil)
		for _, e := range r.data() {
			got = append(got, e["name"].(string))
		}
		if r.field("page") == r.field("pageCount") {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	all := w.must(http.StatusOK, http.MethodGet, "/konnect-api/api/runtime_groups", nil)
	if len(all.data()) != len(want) || all.field("pageCount") != 1.0 {
		t.Errorf("without a query: %s", show(all.body))
	}
	if r := w.sendWith(http.MethodGet, "/konnect-api/api/runtime_groups", nil, nil); r.status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", r.status)
	}
	if r := w.must(http.StatusOK, http.MethodGet, "/v2/organizations/me", nil); r.text("name") == "" || r.text("id") == "" {
		t.Errorf("the organization: %s", show(r.body))
	}
}
