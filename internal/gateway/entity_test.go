package gateway_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
)

const everything = `
_format_version: "3.0"
services:
- name: users
  routes:
  - name: list
    plugins: [{name: cors}]
  plugins: [{name: rate-limiting}]
routes:
- {name: loose, service: {name: users}}
plugins:
- name: prometheus
- {name: acl, service: users, route: list}
- {name: by-id, service: 0b1e9a7e-8d1c-4e0a-9b6e-0c7f1d2a3b4c}
consumers:
- username: alice
  keyauth_credentials: [{key: k1}, {key: k2}]
  basicauth_credentials: [{username: al, password: p}]
  hmacauth_credentials: [{username: al, secret: s}]
  jwt_secrets: [{key: issuer, secret: s}]
  acls: [{group: staff}]
  mtls_auth_credentials: [{id: x, subject_name: cn}]
  groups: [{name: gold}]
- custom_id: c-7
consumer_groups:
- name: gold
  consumers: [{username: alice}, {username: bob}]
  plugins: [{name: rate-limiting-advanced}]
upstreams:
- name: pool
  targets: [{target: "10.0.0.1:80"}, {target: "10.0.0.2:80"}]
certificates:
- id: 7a1d0f9e-0000-4000-8000-000000000001
  cert: c
  key: k
  snis: [{name: example.com}]
ca_certificates: [{cert: " ca\n"}]
vaults: [{name: env, prefix: my-env}]
key_sets: [{name: set}]
keys: [{name: sign, kid: "1", set: {name: set}}]
partials: [{name: redis, type: redis-ce}]
custom_entities:
- {type: degraphql_routes, fields: {uri: /g, query: "q", service: {name: users}}}
`

func TestEntities(t *testing.T) {
	changes, err := gateway.Request{Mode: gateway.Sync, Files: []gateway.File{{Name: "kong.yaml", Content: []byte(everything)}}}.Entities()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		if c.Action != plan.Create {
			t.Errorf("%s %s: %s", c.Kind, c.Name, c.Action)
		}
		got = append(got, c.Kind+": "+c.Name)
	}
	want := []string{
		"certificate: 7a1d0f9e-0000-4000-8000-000000000001",
		"sni: example.com",
		"ca-certificate: 6959097001d10501ac7d54c0bdb8db61420f658f2922cc26e46d536119a31126",
		"service: users",
		"route: list",
		"route: loose",
		"upstream: pool",
		"target: 10.0.0.1:80",
		"target: 10.0.0.2:80",
		"consumer-group: gold",
		"consumer: alice",
		"consumer: bob",
		"consumer: c-7",
		"consumer-group-consumer: alice for consumer-group gold",
		"consumer-group-consumer: bob for consumer-group gold",
		"key-auth: key for consumer alice",
		"key-auth: key for consumer alice",
		"basic-auth: al for consumer alice",
		"hmac-auth: al for consumer alice",
		"jwt-auth: issuer for consumer alice",
		"acl-group: staff for consumer alice",
		"mtls-auth: cn for consumer alice",
		"plugin: acl for service users and route list",
		"plugin: by-id",
		"plugin: cors for route list",
		"plugin: prometheus (global)",
		"plugin: rate-limiting for service users",
		"plugin: rate-limiting-advanced for consumer-group gold",
		"vault: my-env",
		"key-set: set",
		"key: sign",
		"partial: redis",
		"degraphql_routes: /g",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEntitiesOfARequest(t *testing.T) {
	files := []gateway.File{{Name: "kong.yaml", Content: []byte(everything)}}
	none, err := gateway.Request{Mode: gateway.Delete, Files: files}.Entities()
	if err != nil || len(none) != 0 {
		t.Errorf("delete: %v, %v", none, err)
	}
	left, err := gateway.Request{Mode: gateway.Sync, Files: files, Flags: gateway.Flags{SkipConsumers: true}, Secrets: []string{"10.0.0.1"}}.Entities()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range left {
		switch c.Kind {
		case "consumer", "consumer-group", "consumer-group-consumer", "key-auth", "acl-group":
			t.Errorf("%s %s is of a consumer", c.Kind, c.Name)
		}
		if c.Name == "rate-limiting-advanced for consumer-group gold" || c.Name == "10.0.0.1:80" {
			t.Errorf("%s is shown", c.Name)
		}
	}
	if len(left) != 19 {
		t.Errorf("%d entities are left: %v", len(left), left)
	}
}

// What decK's report holds of an entity gives the name that its file gives.
func TestNameOfAReport(t *testing.T) {
	const id = "7a1d0f9e-0000-4000-8000-000000000001"
	rows := []struct {
		kind   string
		entity map[string]any
		want   string
	}{
		{"service", map[string]any{"id": id, "name": "users"}, "users"},
		{"service", map[string]any{"id": id}, id},
		{"route", map[string]any{"id": id, "name": "list", "service": map[string]any{"id": id, "name": "users"}}, "list"},
		{"plugin", map[string]any{"id": id, "name": "cors", "route": map[string]any{"id": id, "name": "list"}}, "cors for route list"},
		{"plugin", map[string]any{"id": id, "name": "cors", "consumer": map[string]any{"id": id, "username": "alice"}}, "cors for consumer alice"},
		{"plugin", map[string]any{"id": id, "name": "cors"}, "cors (global)"},
		{"target", map[string]any{"id": id, "target": "10.0.0.1:80", "upstream": map[string]any{"id": id}}, "10.0.0.1:80"},
		{"key-auth", map[string]any{"id": id, "key": "secret", "consumer": map[string]any{"id": id, "username": "alice"}}, "key for consumer alice"},
		{"key-auth", map[string]any{"id": id, "key": "secret", "consumer": map[string]any{"id": id}}, "key"},
		{"consumer-group-consumer", map[string]any{"consumer": map[string]any{"id": id, "username": "alice"}, "consumer_group": map[string]any{"id": id, "name": "gold"}}, "alice for consumer-group gold"},
		{"vault", map[string]any{"id": id, "name": "env", "prefix": "my-env"}, "my-env"},
		{"filter-chain", map[string]any{"id": id, "service": map[string]any{"id": id, "name": "users"}}, "filter-chain for service users"},
	}
	for _, r := range rows {
		if got := gateway.Name(r.kind, r.entity); got != r.want {
			t.Errorf("%s %v: %q, want %q", r.kind, r.entity, got, r.want)
		}
	}
}
