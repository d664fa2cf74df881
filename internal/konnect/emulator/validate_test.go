package emulator_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/testkit/wrong"
)

// validated are the core entities that can be validated: where they are written,
// and a body that is accepted.
func validated(t *testing.T) map[string]struct {
	entity, path string
	body         object
} {
	t.Helper()
	cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
	type row = struct {
		entity, path string
		body         object
	}
	return map[string]row{
		"gateway_service":           {"services", "/services", object{"name": "s", "host": "h", "protocol": "https"}},
		"gateway_route":             {"routes", "/routes", object{"name": "r", "paths": []any{"/"}}},
		"gateway_consumer":          {"consumers", "/consumers", object{"username": "c"}},
		"gateway_consumer_group":    {"consumer_groups", "/consumer_groups", object{"name": "g"}},
		"gateway_plugin":            {"plugins", "/plugins", object{"name": "cors"}},
		"gateway_upstream":          {"upstreams", "/upstreams", object{"name": "u"}},
		"gateway_target":            {"targets", "/upstreams/known/targets", object{"target": "h:80"}},
		"gateway_certificate":       {"certificates", "/certificates", object{"cert": cert, "key": key}},
		"gateway_ca_certificate":    {"ca_certificates", "/ca_certificates", object{"cert": cert}},
		"gateway_sni":               {"snis", "/snis", object{"name": "a.example.com", "certificate": object{"id": idA}}},
		"gateway_vault":             {"vaults", "/vaults", object{"name": "env", "prefix": "my-env"}},
		"gateway_partial":           {"partials", "/partials", object{"name": "p", "type": "redis-ee", "config": object{"host": "h"}}},
		"gateway_key_set":           {"key-sets", "/key-sets", object{"name": "ks"}},
		"gateway_key":               {"keys", "/keys", object{"kid": "1", "jwk": "{}"}},
		"gateway_acl":               {"acls", "/consumers/known/acls", object{"group": "g"}},
		"gateway_basic_auth":        {"basicauth_credentials", "/consumers/known/basic-auth", object{"username": "u", "password": "p"}},
		"gateway_hmac_auth":         {"hmacauth_credentials", "/consumers/known/hmac-auth", object{"username": "u"}},
		"gateway_jwt":               {"jwt_secrets", "/consumers/known/jwt", object{"key": "k"}},
		"gateway_key_auth":          {"keyauth_credentials", "/consumers/known/key-auth", object{"key": "k"}},
		"gateway_mtls_auth":         {"mtls_auth_credentials", "/consumers/known/mtls-auth", object{"subject_name": "n"}},
		"gateway_oauth2_credential": {"oauth2_credentials", "/consumers/known/oauth2", object{"name": "n"}},
	}
}

// What a write refuses about an entity by itself, validation refuses with the same
// text: for every type, ids that are no UUIDs, fields that are missing or unknown,
// and values beyond the limits of the contract.
func TestValidationRefusesWhatWritesRefuse(t *testing.T) {
	w := newWorld(t)
	rows := validated(t)
	g := newGateway(w)
	g.put("/upstreams/known", object{})
	g.put("/consumers/known", object{})
	cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
	g.put("/certificates/"+idA, object{"cert": cert, "key": key})
	for _, b := range w.cat.All() {
		row, has := rows[b.Kind]
		if !has {
			// decK validates neither of these.
			if b.Writer != "" && !slices.Contains([]string{"gateway_custom_plugin", "gateway_degraphql_route"}, b.Kind) {
				t.Errorf("%s is written by another program and not validated", b.Kind)
			}
			continue
		}
		t.Run(b.Kind, func(t *testing.T) {
			g := gateway{g.in(t), g.id}
			validate := g.path("/schemas/" + row.entity + "/validate")
			g.must(http.StatusOK, http.MethodPost, validate, row.body)
			bad := []object{with(object{"id": "not-a-uuid"}, row.body), with(object{"no_such_field": "x"}, row.body), {}}
			for _, w := range wrong.Values(b.Returned(), row.body) {
				bad = append(bad, w.In(row.body))
			}
			for _, body := range bad {
				write := g.send(http.MethodPost, g.path(row.path), body)
				if write.status == http.StatusCreated && len(body) == 0 {
					continue // all of it is made up
				}
				got := g.must(http.StatusBadRequest, http.MethodPost, validate, body)
				if write.status != http.StatusBadRequest || got.text("message") != write.text("message") {
					t.Errorf("%s: validation says %q, a write %d %q", show(body), got.text("message"), write.status, write.text("message"))
				}
			}
		})
	}
}

// A name is as long as answers can have it.
func TestLongNames(t *testing.T) {
	w := newWorld(t)
	portal := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	for path, most := range map[string]int{"/v3/teams": 250, portal + "/teams": 250} {
		id := w.create(path, object{"name": strings.Repeat("n", most)})
		w.must(http.StatusBadRequest, http.MethodPost, path, object{"name": strings.Repeat("n", most+1)})
		w.must(http.StatusBadRequest, http.MethodPatch, path+"/"+id, object{"name": strings.Repeat("n", most+1)})
	}
}
