package emulator_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
)

// smallest is the configuration that a plugin cannot do without, by its schema.
func smallest(name string, fields []any) object {
	switch name { // more than a schema says
	case "acl", "ip-restriction":
		return object{"deny": []any{"10.0.0.1"}}
	case "openid-connect":
		return object{"issuer": "https://idp.example", "cache_tokens_salt": nil}
	case "mtls-auth", "header-cert-auth":
		out := needed(fields)
		out["ca_certificates"] = []any{idA}
		return out
	case "request-validator":
		return object{"body_schema": "[]"}
	case "rate-limiting":
		return object{"minute": 5.0}
	}
	return needed(fields)
}

func needed(fields []any) object {
	out := object{}
	for _, e := range fields {
		for name, x := range e.(object) {
			if field := x.(object); field["required"] == true && field["default"] == nil && field["type"] != "record" {
				out[name] = sample(field)
			} else if below, _ := field["fields"].([]any); field["required"] == true && len(needed(below)) > 0 {
				out[name] = needed(below)
			}
		}
	}
	return out
}

func sample(field object) any {
	if choices, _ := field["one_of"].([]any); len(choices) > 0 {
		return choices[0]
	}
	switch field["type"] {
	case "record":
		fields, _ := field["fields"].([]any)
		return needed(fields)
	case "array", "set":
		elements, _ := field["elements"].(object)
		return []any{sample(elements)}
	case "map":
		return object{}
	case "boolean":
		return true
	case "number", "integer":
		if between, _ := field["between"].([]any); len(between) > 0 {
			return between[0]
		}
		return 1.0
	case "json":
		return object{}
	}
	n, _ := field["len_min"].(float64)
	return strings.Repeat("x", max(1, int(n)))
}

// expected is a configuration filled in from a schema as decK does it: defaults,
// null where no default exists, and records that are always there.
func expected(fields []any, config object) object {
	out := object{}
	for k, v := range config {
		out[k] = v
	}
	for _, e := range fields {
		for name, x := range e.(object) {
			field := x.(object)
			below, given := out[name].(object)
			switch {
			case field["type"] == "record" && (given || field["required"] == true):
				out[name] = expected(field["fields"].([]any), below)
			case out[name] == nil:
				out[name] = field["default"]
			default:
				out[name] = expectedItems(field, out[name])
			}
		}
	}
	return out
}

// expectedItems are the records of a list that was given.
func expectedItems(field object, v any) any {
	elements, _ := field["elements"].(object)
	items, isList := v.([]any)
	fields, _ := elements["fields"].([]any)
	if !isList || elements["type"] != "record" {
		return v
	}
	out := make([]any, len(items))
	for i, e := range items {
		out[i] = expected(fields, e.(object))
	}
	return out
}

func configFields(t *testing.T, r reply) []any {
	t.Helper()
	fields, _ := r.field("fields").([]any)
	for _, e := range fields {
		if config, ok := e.(object)["config"].(object); ok {
			if config["type"] != "record" {
				t.Fatalf("the configuration is a %v", config["type"])
			}
			list, _ := config["fields"].([]any)
			return list
		}
	}
	t.Fatalf("no configuration in %s", show(r.body))
	return nil
}

// What a plugin's schema says is what is filled in, for every plugin.
func TestEveryPluginIsFilledInAsItsSchemaSays(t *testing.T) {
	g := newGateway(newWorld(t))
	cert, _ := certificate(t, time.Now().AddDate(1, 0, 0))
	g.put("/ca_certificates/"+idA, object{"cert": cert})
	for _, name := range plugin.Names() {
		t.Run(name, func(t *testing.T) {
			g := gateway{g.in(t), g.id}
			fields := configFields(t, g.get("/schemas/plugins/"+name))
			config := smallest(name, fields)
			r := g.must(http.StatusCreated, http.MethodPost, g.path("/plugins"), object{"name": name, "config": config})
			if diff := cmp.Diff(expected(fields, config), r.field("config")); diff != "" {
				t.Errorf("configuration (-schema +answer):\n%s", diff)
			}
			again := g.put("/plugins/"+r.text("id"), object{"name": name, "config": r.field("config")})
			if diff := cmp.Diff(r.field("config"), again.field("config")); diff != "" {
				t.Errorf("what was read and sent back (-first +second):\n%s", diff)
			}
		})
	}
}

func TestPluginConfigurationsAreChecked(t *testing.T) {
	g := newGateway(newWorld(t))
	for _, row := range []struct {
		what, name string
		config     object
		says       string
	}{
		{"an unknown plugin", "nonesuch", nil, "plugin 'nonesuch' not enabled"},
		{"an unknown field", "cors", object{"orgins": []any{}}, "config.orgins: unknown field"},
		{"an unknown field below", "rate-limiting", object{"minute": 1, "redis": object{"hots": "h"}}, "config.redis.hots: unknown field"},
		{"a text for a number", "rate-limiting", object{"minute": "5"}, "config.minute: expected a number"},
		{"a number for a whole number", "request-termination", object{"status_code": 1.5}, "config.status_code: expected an integer"},
		{"a text for a list", "cors", object{"origins": "*"}, "config.origins: expected an array"},
		{"a wrong element", "cors", object{"methods": []any{"GET", "FETCH"}}, "config.methods[2]: expected one of: CONNECT, DELETE, GET"},
		{"a wrong choice", "rate-limiting", object{"minute": 1, "policy": "global"}, "config.policy: expected one of: cluster, local, redis"},
		{"nothing where something is required", "file-log", nil, "config.path: required field missing"},
		{"none of several", "rate-limiting", nil, "at least one of these fields must be non-empty: second, minute"},
		{"a text for a list in a list", "openid-connect", object{"issuer": "https://idp", "consumer_claims": []any{[]any{"a"}, "b"}}, "config.consumer_claims[2]: expected an array"},
		{"too many of several", "acl", object{"allow": []any{"a"}, "deny": []any{"b"}}, "only one of these fields"},
	} {
		t.Run(row.what, func(t *testing.T) {
			gateway{g.in(t), g.id}.refused(http.StatusBadRequest, http.MethodPost, "/plugins", object{"name": row.name, "config": row.config}, row.says)
		})
	}
	g.gone("/schemas/plugins/nonesuch")
	g.gone("/schemas/partials/nonesuch")
	g.gone("/v1/schemas/json/nonesuch")
}

// What clients of openid-connect set in practice is kept as it is: later ones
// than decK 1.55.0 write no such plugin without a salt.
func TestOpenIDConnectTakesWhatPeopleSet(t *testing.T) {
	g := newGateway(newWorld(t))
	config := object{
		"issuer": "https://idp.example", "cache_tokens_salt": "pepper", "consumer_claims": []any{[]any{"user", "id"}, []any{"sub"}},
		"session_storage": "redis", "redis": object{"host": "redis.example", "prefix": "oidc"}, "login_methods": []any{"session"},
		"token_endpoint_auth_method": "private_key_jwt", "client_jwk": []any{object{"kid": "k", "x5t#S256": "h"}},
		"upstream_headers_claims": []any{"sub"}, "upstream_headers_names": []any{"x-user"}, "authenticated_groups_claim": []any{"groups"},
	}
	r := g.must(http.StatusCreated, http.MethodPost, g.path("/plugins"), object{"name": "openid-connect", "config": config})
	for k, want := range config {
		if got := r.field("config", k); !within(want, got) {
			t.Errorf("%s is %s, want %s", k, show(got), show(want))
		}
	}
}

// Null that is given stays, where the field may have it; what is left out has
// the default, or is made up.
func TestNullsOfPluginsStay(t *testing.T) {
	g := newGateway(newWorld(t))
	put := func(name string, config object) object {
		r := g.put("/plugins/"+idA, object{"name": name, "config": config})
		out, _ := r.field("config").(object)
		return out
	}
	for _, row := range []struct {
		name   string
		config object
		field  string
	}{
		{"correlation-id", object{"header_name": nil}, "header_name"},
		{"cors", object{"methods": nil}, "methods"},
		{"rate-limiting", object{"minute": 1, "limit_by": nil}, "limit_by"},
		{"openid-connect", object{"issuer": "https://idp", "cache_tokens_salt": nil}, "cache_tokens_salt"},
	} {
		if v := put(row.name, row.config)[row.field]; v != nil {
			t.Errorf("%s: null of %s became %v", row.name, row.field, v)
		}
		without := object{}
		for k, v := range row.config {
			if k != row.field {
				without[k] = v
			}
		}
		if v := put(row.name, without)[row.field]; v == nil {
			t.Errorf("%s: %s that was left out is null", row.name, row.field)
		}
	}
	g.refused(http.StatusBadRequest, http.MethodPut, "/plugins/"+idA, object{"name": "key-auth", "config": object{"key_names": nil}}, "config.key_names: required field missing")
	g.refused(http.StatusBadRequest, http.MethodPut, "/plugins/"+idA, object{"name": "rate-limiting", "config": object{"minute": 1, "redis": nil}}, "config.redis: required field missing")
}

// Other clients send what they read back, with null for what is not set, and a
// reference to a vault where a number stands.
func TestPluginsAreUpdated(t *testing.T) {
	g := newGateway(newWorld(t))
	config := object{"minute": 5, "redis": object{"cloud_authentication": nil, "host": nil, "password": nil, "port": "{vault://env/port}", "username": nil}}
	r := g.put("/plugins/"+idA, object{"name": "rate-limiting", "config": config})
	redis, _ := r.field("config", "redis").(object)
	if redis["port"] != "{vault://env/port}" || redis["timeout"] != 2000.0 {
		t.Errorf("redis: %s", show(redis))
	}
	for _, unset := range []string{"cloud_authentication", "host", "password", "username", "server_name"} {
		if v, there := redis[unset]; v != nil || !there {
			t.Errorf("%s is %v", unset, v)
		}
	}
	read, _ := r.field("config").(object)
	read["minute"] = 6
	if again := g.put("/plugins/"+idA, object{"name": "rate-limiting", "config": read}); again.field("config", "minute") != 6.0 {
		t.Errorf("updated: %s", show(again.body))
	}
	realms := g.put("/plugins/"+idB, object{"name": "key-auth"}).field("config", "identity_realms")
	if diff := cmp.Diff([]any{object{"scope": "cp"}}, realms); diff != "" {
		t.Errorf("realms: %s", diff)
	}
}

func TestUploadedPluginsTakeAnything(t *testing.T) {
	g := newGateway(newWorld(t))
	g.must(http.StatusCreated, http.MethodPost, g.path("/custom-plugins"), object{"name": "mine", "handler": "return {}", "schema": "return {}"})
	r := g.must(http.StatusCreated, http.MethodPost, g.path("/plugins"), object{"name": "mine", "config": object{"a": object{"b": 1}}})
	if r.field("config", "a", "b") != 1.0 {
		t.Errorf("the configuration is %s", show(r.body))
	}
	if fields := configFields(t, g.get("/schemas/plugins/mine")); len(fields) != 0 {
		t.Errorf("the schema has %s", show(fields))
	}
	other := newGateway(g.world)
	other.gone("/schemas/plugins/mine")
	other.refused(http.StatusBadRequest, http.MethodPost, "/plugins", object{"name": "mine"}, "not enabled")
}

func TestPartials(t *testing.T) {
	g := newGateway(newWorld(t))
	r := g.put("/partials/"+idA, object{"name": "p", "type": "redis-ee", "config": object{"host": "redis", "password": "s3cret"}})
	fields := configFields(t, g.get("/schemas/partials/redis-ee"))
	if diff := cmp.Diff(expected(fields, object{"host": "redis", "password": "s3cret"}), r.field("config")); diff != "" {
		t.Errorf("configuration (-schema +answer):\n%s", diff)
	}
	listed := g.get("/partials").data()
	if len(listed) != 1 || !cmp.Equal(listed[0]["config"], r.field("config")) {
		t.Errorf("listed: %s", show(listed))
	}
	config := object{"limit": []any{1}, "window_size": []any{60}}
	use := func(partials ...any) object {
		return object{"name": "rate-limiting-advanced", "config": config, "partials": partials}
	}
	p := g.put("/plugins/"+idB, use(object{"id": idA}))
	if p.field("config", "redis") != nil || !cmp.Equal(p.field("partials"), []any{object{"id": idA, "path": "config.redis"}}) {
		t.Errorf("the plugin: %s", show(p.body))
	}
	if links := g.get("/partials/" + idA + "/links").data(); len(links) != 1 || links[0]["id"] != idB {
		t.Errorf("the links: %s", show(links))
	}
	g.refused(http.StatusBadRequest, http.MethodDelete, "/partials/p", nil, "is used by plugin "+idB)
	g.put("/partials/other", object{"type": "redis-ce", "config": object{}})
	other := g.get("/partials/other").text("id")
	g.refused(http.StatusBadRequest, http.MethodPut, "/plugins/"+idB, use(object{"id": other}), "cannot use a partial of this type")
	g.refused(http.StatusBadRequest, http.MethodPut, "/plugins/"+idB, use(object{"id": idA, "path": "config.none"}), "must be one of config.redis")
	g.put("/plugins/"+idB, use())
	g.remove("/partials/p")
}

// The schemas of core entities tell the defaults that a create fills in.
func TestEntitySchemasTellTheDefaults(t *testing.T) {
	cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
	for entity, row := range map[string]struct {
		path string
		body object
	}{
		"service": {"/services/" + idA, object{"name": "s", "host": "h"}}, "route": {"/routes/" + idA, object{"name": "r", "paths": []any{"/"}}},
		"upstream": {"/upstreams/" + idA, object{"name": "u"}}, "target": {"/upstreams/up/targets/" + idA, object{"target": "10.0.0.1:80"}},
		"consumer": {"/consumers/" + idA, object{"username": "c"}}, "consumer_group": {"/consumer_groups/" + idA, object{"name": "g"}},
		"certificate": {"/certificates/" + idA, object{"cert": cert, "key": key}}, "vault": {"/vaults/" + idA, object{"name": "env", "prefix": "my-env"}},
		"key-set": {"/key-sets/" + idA, object{"name": "k"}}, "jwt": {"/consumers/con/jwt/" + idA, object{"key": "k"}}, "sni": {"", nil},
	} {
		t.Run(entity, func(t *testing.T) {
			g := newGateway(newWorld(t))
			g.put("/upstreams/up", object{})
			g.put("/consumers/con", object{})
			schema := g.get("/v1/schemas/json/" + entity)
			properties, _ := schema.field("properties").(object)
			if len(properties) == 0 {
				t.Fatalf("the schema is %s", show(schema.body))
			}
			if row.path == "" {
				return
			}
			r := g.put(row.path, row.body)
			for name, p := range properties {
				if d, ok := p.(object)["default"]; ok && !within(d, r.field(name)) {
					t.Errorf("%s: the default is %v, the answer has %v", name, d, r.field(name))
				}
			}
			for name := range r.object() {
				if properties[name] == nil {
					t.Errorf("the schema lacks %s", name)
				}
			}
		})
	}
}

// within tells that an answer has all of a value; its mappings may have more.
func within(want, got any) bool {
	switch x := want.(type) {
	case object:
		have, _ := got.(object)
		for k, v := range x {
			if !within(v, have[k]) {
				return false
			}
		}
		return true
	case []any:
		have, _ := got.([]any)
		return slices.EqualFunc(x, have, within)
	default:
		return cmp.Equal(want, got)
	}
}

// decK takes an object without additionalProperties for one to fill in: a
// reference must not look like that.
func TestReferencesAreClosedInSchemas(t *testing.T) {
	g := newGateway(newWorld(t))
	service := g.get("/v1/schemas/json/service")
	if service.field("properties", "client_certificate", "additionalProperties") != false {
		t.Errorf("the certificate is %s", show(service.field("properties", "client_certificate")))
	}
	if open := g.get("/v1/schemas/json/upstream").field("properties", "healthchecks", "additionalProperties"); open != nil {
		t.Errorf("health checks are closed: %v", open)
	}
}

func TestExpressions(t *testing.T) {
	g := newGateway(newWorld(t))
	r := g.put("/routes/"+idA, object{"name": "r", "expression": `http.path == "/"`, "priority": 7})
	if r.text("expression") == "" || r.field("priority") != 7.0 || r.object()["paths"] != nil || r.field("path_handling") != nil {
		t.Errorf("the route is %s", show(r.body))
	}
	kept := g.put("/routes/"+idA, object{"name": "r", "expression": `http.path == "/"`, "path_handling": "v0"})
	if again := g.get("/routes/r"); kept.text("path_handling") != "v0" || again.text("path_handling") != "v0" {
		t.Errorf("the handling of paths is not kept: %s", show(again.body))
	}
	if _, has := g.put("/routes/"+idB, object{"paths": []any{"/"}}).object()["expression"]; has {
		t.Error("a route of paths has an expression")
	}
}

// People see no secret of a core entity; clients see what they wrote.
func TestSecretsOfCoreEntitiesAreNotShown(t *testing.T) {
	cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
	w := newWorld(t)
	g := newGateway(w)
	const secret = "s3cret-value"
	g.put("/certificates/"+idA, object{"cert": cert, "key": key})
	g.put("/consumers/c", object{})
	g.put("/consumers/c/key-auth/"+idA, object{"key": secret})
	g.put("/consumers/c/jwt/"+idA, object{"key": "issuer", "secret": secret})
	g.put("/consumers/c/hmac-auth/"+idA, object{"username": "u", "secret": secret})
	hash := g.put("/consumers/c/basic-auth/"+idA, object{"username": "u", "password": secret}).text("password")
	g.put("/keys/"+idA, object{"kid": "1", "jwk": `{"k":"` + secret + `"}`})
	g.put("/vaults/"+idA, object{"name": "hcv", "prefix": "my-hcv", "config": object{"token": secret}})
	g.put("/partials/"+idA, object{"type": "redis-ce", "config": object{"password": secret}})
	g.put("/plugins/"+idA, object{"name": "rate-limiting", "config": object{"minute": 1, "redis": object{"password": secret}}})
	g.put("/plugins/"+idB, object{"name": "openid-connect", "config": object{
		"issuer": "https://idp", "client_secret": []any{secret}, "client_jwk": []any{object{"kid": "named", "k": secret}}, "cluster_cache_redis": object{"password": secret},
	}})
	g.put("/plugins/"+idC, object{"name": "request-transformer", "config": object{"add": object{"headers": []any{"Authorization: Bearer " + secret}}}})
	if got := g.get("/consumers/c/key-auth/" + idA).text("key"); got != secret {
		t.Errorf("the client reads %q", got)
	}
	state := show(w.local(http.MethodGet, "/__local/state").body)
	for _, s := range []string{secret, hash, "PRIVATE KEY"} {
		if strings.Contains(state, s) {
			t.Errorf("the state shows %q", s)
		}
	}
	for _, s := range []string{"idp", "named"} {
		if !strings.Contains(state, s) {
			t.Errorf("the state does not show %q of a configuration", s)
		}
	}
}

// Core entities are on the disk as everything else, and can be found again by
// what they refer to.
func TestCoreEntitiesSurvive(t *testing.T) {
	dir := t.TempDir()
	kept, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	g := newGateway(newWorldOn(t, kept))
	g.put("/services/"+idA, object{"name": "s", "host": "h"})
	g.put("/services/s/routes/r", object{"paths": []any{"/"}})
	g.put("/consumers/c", object{})
	g.put("/consumer_groups/g", object{})
	g.must(http.StatusCreated, http.MethodPost, g.path("/consumer_groups/g/consumers"), object{"consumer": "c"})
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	g = gateway{newWorldOn(t, again), g.id}
	if id := g.get("/services/s").text("id"); id != idA {
		t.Errorf("the service is %s", id)
	}
	if names := g.names("/services/s/routes", "name"); names != "r" {
		t.Errorf("routes: %q", names)
	}
	if names := g.names("/consumer_groups/g/consumers", "username"); names != "c" {
		t.Errorf("members: %q", names)
	}
	g.refused(http.StatusBadRequest, http.MethodDelete, "/services/s", nil, "references")
}

// A store of before, where core entities had ids of their own and no index, is
// put in order.
func TestOldCoreEntitiesAreFound(t *testing.T) {
	kept := store.NewMemory()
	now := time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	if err := kept.Update(func(tx store.Tx) error {
		tx.Put(&store.Record{Kind: "control_plane", ID: idC, Region: "eu", Created: now, Updated: now, Fields: object{"name": "cp"}})
		tx.Put(&store.Record{Kind: "gateway_service", ID: idA, Region: "eu", Parent: idC, Unique: idC + "\x00s", Created: now, Updated: now, Fields: object{"name": "s", "host": "h"}})
		tx.Put(&store.Record{Kind: "portal", ID: idB, Region: "eu", Unique: "\x00p", Created: now, Updated: now, Fields: object{"name": "p", "default_application_auth_strategy_id": idA}})
		tx.Put(&store.Record{Kind: "application_auth_strategy", ID: idA, Region: "eu", Created: now, Updated: now, Fields: object{"name": "a"}})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	g := gateway{newWorldOn(t, kept), idC}
	for _, name := range []string{idA, "s"} {
		if id := g.get("/services/" + name).text("id"); id != idA {
			t.Errorf("%s is %q", name, id)
		}
	}
	if n := len(g.get("/services").data()); n != 1 {
		t.Errorf("there are %d services", n)
	}
	g.must(http.StatusConflict, http.MethodDelete, "/v2/application-auth-strategies/"+idA, nil)
}
