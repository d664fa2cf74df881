package emulator_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
)

// What a gateway refuses is refused, though the contract would let it pass.
func TestWhatGatewaysRefuse(t *testing.T) {
	w := newWorld(t)
	cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
	_, otherKey := certificate(t, time.Now().AddDate(1, 0, 0))
	service := func(more object) object { return with(object{"name": "s", "host": "h"}, more) }
	route := func(more object) object { return with(object{"name": "r"}, more) }
	paths := func(path string) object { return route(object{"paths": []any{path}}) }
	for _, row := range []struct {
		what, path string
		body       object
		says       string
		beside     bool // it is about another entity, which validation does not look at
	}{
		{"a service at a path without a slash", "/services", service(object{"path": "nox"}), "path: should start with: /", false},
		{"a service without a host", "/services", service(object{"host": ""}), "host: invalid value", false},
		{"a host with a space", "/services", service(object{"host": "bad host!"}), "host: invalid value", false},
		{"a name with a space", "/services", service(object{"name": "p q"}), "name: invalid value", false},
		{"a name with a slash", "/services", service(object{"name": "a/b"}), "name: invalid value", false},
		{"an empty name", "/services", service(object{"name": ""}), "name: invalid value", false},
		{"trust without TLS", "/services", service(object{"tls_verify": true}), "tls_verify: value must be null when protocol is http", false},
		{"a path over TCP", "/services", service(object{"protocol": "tcp", "path": "/"}), "path: value must be null when protocol is tcp", false},
		{"an id that is no UUID", "/services", service(object{"id": "not-a-uuid"}), "id: expected a valid UUID", false},
		{"an empty tag", "/services", service(object{"tags": []any{""}}), "tags: a tag must not", false},
		{"a tag with a comma", "/services", service(object{"tags": []any{"a,b"}}), "tags: a tag must not", false},
		{"a port with a fraction", "/services", service(object{"port": 80.5}), "port", false},
		{"a route of nothing", "/routes", route(nil), "must set one of methods, hosts, headers, paths", false},
		{"a route of no protocol", "/routes", route(object{"paths": []any{"/"}, "protocols": []any{}}), "protocols", false},
		{"protocols of two families", "/routes", route(object{"paths": []any{"/"}, "protocols": []any{"http", "tcp"}}), "protocols: must be a subset", false},
		{"a path over TCP", "/routes", route(object{"paths": []any{"/"}, "protocols": []any{"tcp"}}), "cannot set paths", false},
		{"SNIs without TLS", "/routes", route(object{"snis": []any{"a"}, "paths": []any{"/"}, "protocols": []any{"http"}}), "cannot set snis", false},
		{"a path without a slash", "/routes", paths("nox"), "paths: should start with: /", false},
		{"a pattern that does not end", "/routes", paths("~/(["), "paths: invalid regex", false},
		{"a method in small letters", "/routes", route(object{"methods": []any{"get"}}), "methods: invalid value", false},
		{"a host with a space", "/routes", route(object{"hosts": []any{"a b"}}), "hosts: invalid value", false},
		{"a host with asterisks at both ends", "/routes", route(object{"hosts": []any{"*.a.*"}}), "hosts: invalid value", false},
		{"a host as a header", "/routes", route(object{"headers": object{"Host": []any{"a"}}}), "'hosts' attribute", false},
		{"an expression that does not end", "/routes", route(object{"expression": `http.path == "/`}), "expression: is not an expression", false},
		{"an expression with a wrong operator", "/routes", route(object{"expression": `http.path = "/"`}), "expression: is not an expression (column 11: expected an operator", false},
		{"an expression with half a bracket", "/routes", route(object{"expression": `(http.path == "/"`}), "expression: is not an expression", false},
		{"an upstream that is an address", "/upstreams", object{"name": "1.2.3.4"}, "name: invalid name", false},
		{"a header that is not reported", "/upstreams", object{"name": "u", "hash_on": "header"}, "hash_on_header: required field missing", false},
		{"a cookie that is not reported", "/upstreams", object{"name": "u", "hash_on": "ip", "hash_fallback": "cookie"}, "hash_on_cookie: required field missing", false},
		{"a port that is too large", "/upstreams/known/targets", object{"target": "a:99999"}, "target: invalid target", false},
		{"a consumer without a name", "/consumers", object{}, "at least one of these fields must be non-empty: username, custom_id", false},
		{"a certificate that is none", "/certificates", object{"cert": "x", "key": key}, "cert: invalid certificate", false},
		{"the key of another certificate", "/certificates", object{"cert": cert, "key": otherKey}, "key: certificate does not match key", false},
		{"a JWT without its public key", "/consumers/known/jwt", object{"key": "k", "algorithm": "RS256"}, "rsa_public_key: required field missing", false},
		{"a key without content", "/keys", object{"kid": "1"}, "jwk, pem", false},
		{"a prefix that is no word", "/vaults", object{"name": "env", "prefix": "My Env"}, "prefix: must be a word", false},
		{"a prefix that vaults are called", "/vaults", object{"name": "env", "prefix": "env"}, "prefix: must be a word", false},
		{"an authority that is none", "/ca_certificates", object{"cert": "x"}, "cert: must be a certificate in PEM form", false},
		{"an authority that is not there", "/consumers/known/mtls-auth", object{"subject_name": "n", "ca_certificate": object{"id": idC}}, "does not exist", true},
		{"a service that trusts nobody known", "/services", service(object{"protocol": "https", "ca_certificates": []any{idC}}), "does not exist", true},
		{"a plugin that trusts nobody known", "/plugins", object{"name": "mtls-auth", "config": object{"ca_certificates": []any{idC}}}, "does not exist", true},
		{"a reference to nothing", "/routes", with(paths("/"), object{"service": object{}}), "service: needs id or name", true},
		{"a name that leads nowhere", "/keys", object{"kid": "1", "jwk": "{}", "set": object{"name": "nope"}}, "gateway key set nope does not exist", true},
		{"a reference by a name where there is none", "/snis", object{"name": "a.example", "certificate": object{}}, "certificate.id: is required", true},
	} {
		t.Run(row.what, func(t *testing.T) {
			g := newGateway(w.in(t))
			g.put("/upstreams/known", object{})
			g.put("/consumers/known", object{})
			g.refused(http.StatusBadRequest, http.MethodPost, row.path, row.body, row.says)
			if row.beside {
				return
			}
			for _, v := range validated(t) {
				if v.path == row.path {
					g.refused(http.StatusBadRequest, http.MethodPost, "/schemas/"+v.entity+"/validate", row.body, row.says)
				}
			}
		})
	}
}

func with(body, more object) object {
	maps.Copy(body, more)
	return body
}

// What looks odd and is right is taken.
func TestWhatGatewaysTake(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/upstreams/known", object{})
	for _, row := range []struct {
		what, path string
		body       object
	}{
		{"a name in another script", "/services", object{"name": "größe-日本", "host": "h"}},
		{"a host with an underscore", "/services", object{"host": "my_service.default.svc"}},
		{"an address of version 6", "/services", object{"host": "::1"}},
		{"a host from a vault", "/services", object{"host": "{vault://env/host}"}},
		{"a pattern that only PCRE knows", "/routes", object{"paths": []any{`~/(?!x)(?<id>\d+)$`}}},
		{"a route of SNIs", "/routes", object{"snis": []any{"a.example"}}},
		{"a route over TCP", "/routes", object{"protocols": []any{"tcp"}, "destinations": []any{object{"port": 9000}}}},
		{"TLS passed through", "/routes", object{"protocols": []any{"tls_passthrough"}, "snis": []any{"a.example"}}},
		{"a host with an asterisk", "/routes", object{"hosts": []any{"*.a.example", "a.*", "a.example:8443"}}},
		{"an expression with brackets in a text", "/routes", object{"expression": `(http.path == "/(a") || net.dst.port == 80`, "priority": 1}},
		{"a target of version 6", "/upstreams/known/targets", object{"target": "[::1]:80"}},
		{"a target without a port", "/upstreams/known/targets", object{"target": "a.example"}},
		{"a certificate from a vault", "/certificates", object{"cert": "{vault://env/cert}", "key": "{vault://env/key}"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			gateway{g.in(t), g.id}.must(http.StatusCreated, http.MethodPost, g.path(row.path), row.body)
		})
	}
}

// A reference may be made by name; what is kept and shown is the id.
func TestReferencesByName(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/services/"+idA, object{"name": "s", "host": "h"})
	g.put("/key-sets/"+idB, object{"name": "ks"})
	for path, body := range map[string]object{
		"/routes":  {"name": "r", "paths": []any{"/"}, "service": object{"name": "s"}},
		"/plugins": {"name": "cors", "service": object{"name": "s"}},
	} {
		if r := g.must(http.StatusCreated, http.MethodPost, g.path(path), body); show(r.field("service")) != `{"id":"`+idA+`"}` {
			t.Errorf("%s refers to %s", path, show(r.field("service")))
		}
	}
	g.refused(http.StatusConflict, http.MethodPost, "/plugins", object{"name": "cors", "service": object{"id": idA}}, "exists already")
	g.put("/keys/k", object{"kid": "1", "jwk": "{}", "set": object{"name": "ks"}})
	g.refused(http.StatusConflict, http.MethodPut, "/keys/other", object{"kid": "1", "jwk": "{}", "set": object{"id": idB}}, "kid and set.id")
	g.put("/keys/other", object{"kid": "1", "jwk": "{}"})
}

func TestAuthoritiesInUseStay(t *testing.T) {
	cert, _ := certificate(t, time.Now().AddDate(1, 0, 0))
	for path, body := range map[string]object{
		"/services/" + idB:              {"host": "h", "protocol": "https", "ca_certificates": []any{idA}},
		"/consumers/c/mtls-auth/" + idB: {"subject_name": "n", "ca_certificate": object{"id": idA}},
		"/plugins/" + idB:               {"name": "mtls-auth", "config": object{"ca_certificates": []any{idA}}},
	} {
		g := newGateway(newWorld(t))
		g.put("/consumers/c", object{})
		g.put("/ca_certificates/"+idA, object{"cert": cert})
		g.put(path, body)
		g.refused(http.StatusBadRequest, http.MethodDelete, "/ca_certificates/"+idA, nil, "references")
		g.remove(path)
		g.remove("/ca_certificates/" + idA)
	}
}

// 80.0 is 80: clients read it into an integer.
func TestWholeNumbersAreToldAsSuch(t *testing.T) {
	g := newGateway(newWorld(t))
	for _, port := range []string{"80.0", "8e1", "8.0E+1"} {
		g.must(http.StatusOK, http.MethodPut, g.path("/services/s"), `{"host":"h","port":`+port+`}`)
		if r := g.get("/services/s"); !strings.Contains(r.raw, `"port":80,`) {
			t.Errorf("a port of %s is told as %s", port, r.raw)
		}
	}
	// What is none to the last digit is another number.
	g.must(http.StatusBadRequest, http.MethodPut, g.path("/services/s"), `{"host":"h","port":80.00000000000000000001}`)
}

// A credential belongs to its consumer, and can be found by what others call it.
func TestCredentialsStayWithTheirConsumer(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/consumers/a", object{"custom_id": "1"})
	g.put("/consumers/b", object{"custom_id": "2"})
	g.put("/consumers/a/key-auth/"+idA, object{"key": "k"})
	g.refused(http.StatusNotFound, http.MethodPut, "/consumers/b/key-auth/"+idA, object{"key": "other"}, "not found")
	if key := g.get("/consumers/a/key-auth/" + idA).text("key"); key != "k" {
		t.Errorf("the key is %q", key)
	}
	if names := g.names("/consumers?custom_id=2", "username"); names != "b" {
		t.Errorf("consumers of that id: %q", names)
	}
	g.refused(http.StatusConflict, http.MethodPost, "/consumers", object{"username": "c", "custom_id": "1"}, "with this custom_id exists already")
}

// What is deleted between two pages takes nothing out of the second.
func TestPagesGoOnAfterADeletion(t *testing.T) {
	for _, query := range []string{"?size=2", "?size=2&tags=t"} {
		g := newGateway(newWorld(t))
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			g.put("/services/"+name, object{"host": "h", "tags": []any{"t"}})
		}
		offset := g.get("/services" + query).text("offset")
		g.remove("/services/a")
		g.remove("/services/c")
		if names := g.names("/services"+query+"&offset="+offset, "name"); names != "d e" {
			t.Errorf("%s goes on with %q", query, names)
		}
	}
}

// Validation says what a write would refuse, without one, and does not look at
// what is there.
func TestEntitiesAreValidated(t *testing.T) {
	g := newGateway(newWorld(t))
	g.put("/services/s", object{"host": "h"})
	for _, row := range []struct {
		what, entity string
		body         object
		says         string
	}{
		{"a service of a taken name", "services", object{"name": "s", "host": "h"}, ""},
		{"a route of a service that is to come", "routes", object{"paths": []any{"/"}, "service": object{"id": idC}}, ""},
		{"an expression", "routes", object{"expression": `http.path == "/"`}, ""},
		{"a plugin", "plugins", object{"name": "cors", "config": object{"origins": []any{"*"}}}, ""},
		{"a key", "keyauth_credentials", object{"key": "k", "consumer": object{"id": idC}}, ""},
		{"a field that there is not", "services", object{"hots": "h"}, "hots"},
		{"a path without a slash", "routes", object{"paths": []any{"nox"}}, "paths: should start"},
		{"a field that a plugin lacks", "plugins", object{"name": "cors", "config": object{"orgins": []any{"*"}}}, "config.orgins: unknown field"},
		{"a plugin that is not known", "plugins", object{"name": "nonesuch"}, "not enabled"},
	} {
		t.Run(row.what, func(t *testing.T) {
			g := gateway{g.in(t), g.id}
			path := "/schemas/" + row.entity + "/validate"
			if row.says == "" {
				g.must(http.StatusOK, http.MethodPost, g.path(path), row.body)
				return
			}
			g.refused(http.StatusBadRequest, http.MethodPost, path, row.body, row.says)
		})
	}
	g.refused(http.StatusNotFound, http.MethodPost, "/schemas/nothing/validate", object{}, "not found")
	if names := g.names("/services", "name"); names != "s" {
		t.Errorf("services: %s", names)
	}
}
