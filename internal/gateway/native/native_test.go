//go:build !nonative

package native_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
)

// story is a decK file that is brought about, changed and taken away again.
type story struct {
	text    string
	creates []string
	// change is old and new text; updates is what that comes to.
	change  [2]string
	updates []string
	// less is what stays when the rest is removed; deletes is what goes.
	less    string
	deletes []string
}

var stories = map[string]story{
	"services and routes": {
		text: `
services:
- name: shop
  url: http://shop.internal:8080/api
  tags: [b, a]
  routes:
  - {name: list, paths: [/items], methods: [GET]}
- {name: users, host: users.internal}
routes:
- {name: loose, hosts: [example.com], service: {name: users}}
`,
		creates: []string{"CREATE service shop", "CREATE service users", "CREATE route list", "CREATE route loose"},
		change:  [2]string{"paths: [/items]", "paths: [/items, /things], strip_path: false"},
		updates: []string{`UPDATE route list {"paths":{"old":["/items"],"new":["/items","/things"]},"strip_path":{"old":true,"new":false}}`},
		less:    "services: [{name: shop, url: 'http://shop.internal:8080/api', tags: [a, b]}]",
		deletes: []string{"DELETE service users", "DELETE route list", "DELETE route loose"},
	},
	"plugins of everything": {
		text: `
plugins:
- {name: cors, config: {origins: ["*"]}}
- {name: rate-limiting, consumer: alice, config: {minute: 5, policy: local}}
services:
- name: shop
  host: shop.internal
  plugins: [{name: rate-limiting, config: {minute: 10, policy: local}}]
  routes:
  - name: list
    paths: [/items]
    plugins: [{name: key-auth, config: {key_names: [k]}}]
consumers: [{username: alice}]
`,
		creates: []string{
			"CREATE service shop", "CREATE route list", "CREATE consumer alice",
			"CREATE plugin cors (global)", "CREATE plugin key-auth for route list",
			"CREATE plugin rate-limiting for consumer alice", "CREATE plugin rate-limiting for service shop",
		},
		change:  [2]string{"minute: 10", "minute: 20"},
		updates: []string{`UPDATE plugin rate-limiting for service shop {"config.minute":{"old":10,"new":20}}`},
		less:    "plugins: [{name: cors, config: {origins: ['*']}}]",
		deletes: []string{
			"DELETE service shop", "DELETE route list", "DELETE consumer alice", "DELETE plugin key-auth for route list",
			"DELETE plugin rate-limiting for consumer alice", "DELETE plugin rate-limiting for service shop",
		},
	},
	"consumers with credentials": {
		text: `
consumers:
- username: alice
  custom_id: a-1
  keyauth_credentials: [{key: canary-key-one}]
  basicauth_credentials: [{username: al, password: canary-password}]
  hmacauth_credentials: [{username: al, secret: canary-hmac-secret}]
  jwt_secrets: [{key: issuer, algorithm: HS256, secret: canary-jwt-secret-of-thirty-two-bytes}]
  acls: [{group: staff}]
`,
		creates: []string{
			"CREATE consumer alice", "CREATE key-auth key for consumer alice", "CREATE basic-auth al for consumer alice",
			"CREATE hmac-auth al for consumer alice", "CREATE jwt-auth issuer for consumer alice", "CREATE acl-group staff for consumer alice",
		},
		change:  [2]string{"canary-hmac-secret", "canary-hmac-other"},
		updates: []string{`UPDATE hmac-auth al for consumer alice {"secret":{"old":"[hidden]","new":"[hidden]"}}`},
		less:    "consumers: [{username: alice, custom_id: a-1}]",
		deletes: []string{
			"DELETE key-auth key for consumer alice", "DELETE basic-auth al for consumer alice",
			"DELETE hmac-auth al for consumer alice", "DELETE jwt-auth issuer for consumer alice", "DELETE acl-group staff for consumer alice",
		},
	},
	"consumer groups": {
		text: `
consumer_groups:
- name: gold
  plugins:
  - {name: rate-limiting-advanced, config: {limit: [10], window_size: [60], window_type: fixed, namespace: shop, sync_rate: -1}}
- {name: silver}
consumers:
- {username: alice, groups: [{name: gold}]}
- {username: bob}
`,
		creates: []string{
			"CREATE consumer-group gold", "CREATE consumer-group silver", "CREATE consumer alice", "CREATE consumer bob",
			"CREATE consumer-group-consumer alice for consumer-group gold", "CREATE plugin rate-limiting-advanced for consumer-group gold",
		},
		change:  [2]string{"limit: [10]", "limit: [20]"},
		updates: []string{`UPDATE plugin rate-limiting-advanced for consumer-group gold {"config.limit":{"old":[10],"new":[20]}}`},
		less:    "consumer_groups: [{name: gold}]\nconsumers: [{username: alice}, {username: bob}]",
		deletes: []string{
			"DELETE consumer-group silver", "DELETE consumer-group-consumer alice for consumer-group gold",
			"DELETE plugin rate-limiting-advanced for consumer-group gold",
		},
	},
	"upstreams and targets": {
		text: `
upstreams:
- name: pool
  algorithm: round-robin
  targets:
  - {target: "10.0.0.1:80", weight: 10}
  - {target: "10.0.0.2:80"}
`,
		creates: []string{"CREATE upstream pool", "CREATE target 10.0.0.1:80", "CREATE target 10.0.0.2:80"},
		change:  [2]string{"weight: 10", "weight: 20"},
		updates: []string{`UPDATE target 10.0.0.1:80 {"weight":{"old":10,"new":20}}`},
		less:    "upstreams: [{name: pool, algorithm: round-robin, targets: [{target: '10.0.0.1:80', weight: 20}]}]",
		deletes: []string{"DELETE target 10.0.0.2:80"},
	},
	"vaults": {
		text:    "vaults: [{name: env, prefix: team, description: one, config: {prefix: TEAM_}}, {name: env, prefix: other, config: {prefix: O_}}]",
		creates: []string{"CREATE vault other", "CREATE vault team"},
		change:  [2]string{"description: one", "description: two"},
		updates: []string{`UPDATE vault team {"description":{"old":"one","new":"two"}}`},
		less:    "vaults: [{name: env, prefix: team, description: two, config: {prefix: TEAM_}}]",
		deletes: []string{"DELETE vault other"},
	},
	"key sets and keys": {
		text: `
key_sets: [{name: ring}]
keys:
- {name: one, kid: k1, set: {name: ring}, pem: {public_key: "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----", private_key: canary-private}}
- {name: two, kid: k2, jwk: '{"kty":"oct","kid":"k2","k":"canary-jwk"}'}
`,
		creates: []string{"CREATE key-set ring", "CREATE key one", "CREATE key two"},
		change:  [2]string{"canary-private", "canary-other-private"},
		updates: []string{`UPDATE key one {"pem.private_key":{"old":"[hidden]","new":"[hidden]"}}`},
		less:    "key_sets: [{name: ring}]",
		deletes: []string{"DELETE key one", "DELETE key two"},
	},
	"partials": {
		text: `
partials:
- {name: store, type: redis-ee, config: {host: redis.internal, port: 6379, password: canary-redis}}
plugins:
- name: rate-limiting-advanced
  partials: [{name: store, path: config.redis}]
  config: {limit: [10], window_size: [60], window_type: fixed, namespace: shop, sync_rate: -1}
`,
		creates: []string{"CREATE plugin rate-limiting-advanced (global)", "CREATE partial store"},
		change:  [2]string{"redis.internal", "redis.elsewhere"},
		updates: []string{`UPDATE partial store {"config.host":{"old":"redis.internal","new":"redis.elsewhere"}}`},
		less:    "_info: {}",
		deletes: []string{"DELETE plugin rate-limiting-advanced (global)", "DELETE partial store"},
	},
}

func TestStories(t *testing.T) {
	all := maps.Clone(stories)
	all["certificates and their names"] = certificates(t)
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlane(t)
			told := s.play(t, p)
			for _, secret := range []string{"canary", "PRIVATE KEY"} {
				if at := strings.Index(told, secret); at >= 0 {
					t.Errorf("a secret was told: %s", told[max(0, at-100):min(len(told), at+100)])
				}
			}
		})
	}
}

// The library warns on standard error, of basic-auth for one; nobody may see it.
func TestNothingIsPrinted(t *testing.T) {
	p := newPlane(t)
	caught, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	if err != nil {
		t.Fatal(err)
	}
	out, errs := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = caught, caught
	defer func() { os.Stdout, os.Stderr = out, errs }()
	text := stories["consumers with credentials"].text
	p.settle(text)
	p.settle(strings.Replace(text, "canary-password", "canary-other", 1))
	p.settle("routes: [{name: r, paths: ['/[a-z]+']}]") // an old form of paths
	if err := caught.Close(); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(caught.Name()); err != nil || len(raw) > 0 {
		t.Errorf("printed %q, %v", raw, err)
	}
}

// certificates is a story of certificates with names, and of an authority.
func certificates(t *testing.T) story {
	t.Helper()
	cert, key := selfSigned(t, "example.com")
	authority, _ := selfSigned(t, "authority")
	sum := sha256.Sum256(der(t, authority))
	id := "7a1d0f9e-0000-4000-8000-000000000001"
	entry := func(names string) string {
		return fmt.Sprintf("certificates: [{id: %s, cert: %q, key: %q, tags: [one], snis: [%s]}]\n", id, cert, key, names)
	}
	return story{
		text:    entry("{name: example.com}, {name: www.example.com}") + fmt.Sprintf("ca_certificates: [{cert: %q}]", authority),
		creates: []string{"CREATE certificate " + id, "CREATE sni example.com", "CREATE sni www.example.com", "CREATE ca-certificate " + hex.EncodeToString(sum[:])},
		change:  [2]string{"tags: [one]", "tags: [two]"},
		updates: []string{`UPDATE certificate ` + id + ` {"tags":{"old":["one"],"new":["two"]}}`},
		less:    strings.Replace(entry("{name: example.com}"), "one", "two", 1),
		deletes: []string{"DELETE sni www.example.com", "DELETE ca-certificate " + hex.EncodeToString(sum[:])},
	}
}

// play goes through a story and gives all that was said meanwhile.
func (s story) play(t *testing.T, p *plane) (told string) {
	t.Helper()
	changed := strings.Replace(s.text, s.change[0], s.change[1], 1)
	if changed == s.text {
		t.Fatal("the story changes nothing")
	}
	step := func(what string, r gateway.Request, want []string) {
		t.Helper()
		planned := p.diff(r)
		told += strings.Join(short(planned), "\n")
		if d := cmp.Diff(want, short(planned)); d != "" {
			t.Errorf("%s:\n%s", what, d)
		}
		p.recorder.reset()
		if d := cmp.Diff(gateway.Done(planned), p.run(r)); d != "" {
			t.Errorf("%s: the run did something else than was planned:\n%s", what, d)
		}
		if lists := p.reads(); len(lists) > 0 && !strings.HasPrefix(lists[0], "/partials/") {
			t.Errorf("%s: the run read again: %v", what, lists)
		}
		if d := cmp.Diff([]string(nil), short(p.diff(r))); d != "" {
			t.Errorf("%s: not settled:\n%s", what, d)
		}
	}
	step("first", p.ask(gateway.Sync, s.text), s.creates)
	step("change", p.ask(gateway.Sync, changed), s.updates)
	step("apply of less", p.ask(gateway.Apply, s.less), nil)
	step("sync of less", p.ask(gateway.Sync, s.less), s.deletes)
	return told + p.log.String()
}
