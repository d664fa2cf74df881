//go:build !nonative

package native_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
)

func TestSelectTagsBoundWhatIsSeen(t *testing.T) {
	p := newPlane(t)
	p.settle("services: [{name: theirs, host: theirs.internal}]")
	mine := p.ask(gateway.Sync, "services: [{name: mine, host: mine.internal, routes: [{name: way, paths: [/]}]}]")
	mine.Flags.SelectTags = []string{"team-a", "zone"}
	p.recorder.reset()
	if d := cmp.Diff([]string{"CREATE service mine", "CREATE route way"}, short(p.run(mine))); d != "" {
		t.Error(d)
	}
	if left := p.diff(mine); len(left) > 0 {
		t.Errorf("not settled: %v", short(left))
	}
	for _, line := range p.reads() {
		if !strings.HasPrefix(line, "/v1/schemas/") && !strings.HasSuffix(line, "?size=1000&tags=team-a%2Czone") {
			t.Errorf("read without tags: %s", line)
		}
	}

	bare := p.ask(gateway.Delete, "")
	if _, err := p.Run(t.Context(), bare); err == nil || !strings.Contains(err.Error(), "deck delete failed for kong.yaml: delete needs select tags") {
		t.Errorf("delete without tags: %v", err)
	}
	gone := bare
	gone.Flags = mine.Flags
	want := []string{"DELETE service mine", "DELETE route way"}
	if d := cmp.Diff(want, short(p.diff(gone))); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, short(p.run(gone))); d != "" {
		t.Error(d)
	}
	if left := p.diff(p.ask(gateway.Sync, "services: [{name: theirs, host: theirs.internal}]")); len(left) > 0 {
		t.Errorf("what others own was touched: %v", short(left))
	}
}

func TestSkipConsumers(t *testing.T) {
	p := newPlane(t)
	p.settle("consumers: [{username: alice}]\nconsumer_groups: [{name: gold}]")
	p.recorder.reset()
	r := p.ask(gateway.Sync, `
services: [{name: shop, host: shop.internal}]
consumers: [{username: bob}]
plugins: [{name: cors}, {name: key-auth, consumer: bob}]
`)
	r.Flags.SkipConsumers = true
	if d := cmp.Diff([]string{"CREATE service shop", "CREATE plugin cors (global)"}, short(p.diff(r))); d != "" {
		t.Error(d)
	}
	p.run(r)
	if left := p.diff(r); len(left) > 0 {
		t.Errorf("not settled: %v", short(left))
	}
	if i := slices.IndexFunc(p.reads(), func(l string) bool { return strings.HasPrefix(l, "/consumers") }); i >= 0 {
		t.Errorf("consumers were read: %v", p.reads())
	}
}

func TestSeveralFilesAreOne(t *testing.T) {
	p := newPlane(t)
	r := p.ask(gateway.Sync, "services: [{name: shop, host: shop.internal}]")
	r.Files = append(r.Files, p.ask(gateway.Sync, "routes: [{name: list, paths: [/], service: {name: shop}}]\nservices: [{name: users, host: u.internal}]").Files...)
	if d := cmp.Diff([]string{"CREATE service shop", "CREATE service users", "CREATE route list"}, short(p.run(r))); d != "" {
		t.Error(d)
	}
	if left := p.diff(r); len(left) > 0 {
		t.Errorf("not settled: %v", short(left))
	}
	r.Files[1] = gateway.File{Name: "more.yaml", Content: []byte("oops: 1")}
	if _, err := p.Diff(t.Context(), r); err == nil || err.Error() != "deck diff failed for kong.yaml, more.yaml: more.yaml: Additional property oops is not allowed" {
		t.Error(err)
	}
}

// What is not there yet is told without a request.
func TestControlPlaneToCome(t *testing.T) {
	p := newPlane(t)
	r := p.ask(gateway.Sync, stories["services and routes"].text)
	r.ControlPlane.ID = ""
	if d := cmp.Diff(stories["services and routes"].creates, short(p.diff(r))); d != "" {
		t.Error(d)
	}
	if len(p.recorder.seen()) > 0 {
		t.Errorf("requests: %v", p.recorder.seen())
	}
	if _, err := p.Run(t.Context(), r); err == nil {
		t.Error("a run without a control plane must fail")
	}
}

// A plan of what is to come names the same as a plan of an empty control plane.
func TestPlansOfNothingAndOfEmptyAreAlike(t *testing.T) {
	for name, s := range stories {
		p := newPlane(t)
		r := p.ask(gateway.Sync, s.text)
		empty := p.diff(r)
		r.ControlPlane.ID = ""
		if d := cmp.Diff(empty, p.diff(r)); d != "" {
			t.Errorf("%s: -empty +to come\n%s", name, d)
		}
	}
}

func TestSameInputSameBytes(t *testing.T) {
	var first []byte
	for range 3 {
		p := newPlane(t)
		p.settle("services: [{name: old, host: old.internal, routes: [{name: list, paths: [/]}]}]")
		raw, err := json.Marshal(p.diff(p.ask(gateway.Sync, `
services: [{name: new, host: new.internal, routes: [{name: list, paths: [/]}, {name: more, paths: [/more]}]}]
`)))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = raw
		}
		if string(raw) != string(first) {
			t.Errorf("%s\n%s", first, raw)
		}
	}
	want := `{"kind":"route","name":"list","action":"UPDATE","changed_fields":{"service.name":{"old":"old","new":"new"}},"fingerprint":"`
	if !strings.Contains(string(first), want) {
		t.Errorf("no %s in\n%s", want, first)
	}
}

// Ids of new entities are generated each time, so names tell what is referred
// to.
func TestReferencesToNewEntities(t *testing.T) {
	rows := map[string]struct{ before, after, want string }{
		"a key in another set": {
			"key_sets: [{name: ring}]\nkeys: [{name: one, kid: k, set: {name: ring}, jwk: '{\"kty\":\"oct\",\"kid\":\"k\",\"k\":\"YQ\"}'}]",
			"key_sets: [{name: other}]\nkeys: [{name: one, kid: k, set: {name: other}, jwk: '{\"kty\":\"oct\",\"kid\":\"k\",\"k\":\"YQ\"}'}]",
			`UPDATE key one {"set.name":{"old":"ring","new":"other"}}`,
		},
		"a plugin with another partial": {
			"partials: [{name: p, type: redis-ee, config: {host: h}}]\nplugins: [{name: rate-limiting-advanced, config: {limit: [5], window_size: [60], sync_rate: 1, strategy: redis}, partials: [{name: p, path: config.redis}]}]",
			"partials: [{name: p, type: redis-ee, config: {host: h}}, {name: q, type: redis-ee, config: {host: h}}]\nplugins: [{name: rate-limiting-advanced, config: {limit: [5], window_size: [60], sync_rate: 1, strategy: redis}, partials: [{name: q, path: config.redis}]}]",
			// The library does not see the configuration of a partial to come.
			`UPDATE plugin rate-limiting-advanced (global) {"config.redis.host":{"old":"h","new":"127.0.0.1"},"config.redis.ssl_verify":{"old":true,"new":false},"partials":{"old":[{"name":"p","path":"config.redis"}],"new":[{"name":"q","path":"config.redis"}]}}`,
		},
	}
	for name, row := range rows {
		for _, mode := range []gateway.Mode{gateway.Sync, gateway.Apply} {
			p := newPlane(t)
			p.settle(row.before)
			first, again := p.diff(p.ask(mode, row.after)), p.diff(p.ask(mode, row.after))
			if !slices.Contains(short(first), row.want) {
				t.Errorf("%s, %s: no %s in %v", name, mode, row.want, short(first))
			}
			if d := cmp.Diff(first, again); d != "" {
				t.Errorf("%s, %s: two plans of the same differ:\n%s", name, mode, d)
			}
		}
	}
}

// What becomes of an entity between plan and run shows in its fingerprint.
func TestFingerprints(t *testing.T) {
	p := newPlane(t)
	text := `
services: [{name: gone, host: gone.internal, tags: [b, a]}, {name: stays, host: stays.internal, path: /canary-one}]
consumers: [{username: alice, keyauth_credentials: [{key: canary-key}]}]
`
	less := p.ask(gateway.Sync, "services: [{name: stays, host: other.internal, path: /canary-two}]")
	less.Secrets = []string{"/canary-two"}
	printed := func(text string) map[string]string {
		p.settle(text)
		out := map[string]string{}
		for _, c := range p.diff(less) {
			out[c.Name] = c.Fingerprint
		}
		if len(out) != 4 || out["gone"] == "" || out["stays"] == "" {
			t.Fatalf("%v", out)
		}
		return out
	}
	base := printed(text)
	rows := []struct{ old, now, moves string }{
		{"tags: [b, a]", "tags: [a, b]", ""},
		{"tags: [b, a]", "tags: [a, c]", "gone"},
		{"gone.internal", "new.internal", "gone"},
		{"stays.internal", "moved.internal", "stays"},
		{"host: stays.internal", "host: stays.internal, retries: 7", "stays"},
		{"/canary-one", "/canary-three", ""}, // a variable stands there now
		{"canary-key", "canary-other", ""},
		{"username: alice", "username: alice, custom_id: a", "alice"},
	}
	for _, row := range rows {
		var moved []string
		for name, now := range printed(strings.Replace(text, row.old, row.now, 1)) {
			if now != base[name] {
				moved = append(moved, name)
			}
		}
		if strings.Join(moved, " ") != row.moves {
			t.Errorf("%s -> %s: %v, want %q", row.old, row.now, moved, row.moves)
		}
	}
}

// A control plane that is renamed has its old name until then; which one the
// files may have was decided when they were read.
func TestFileOfARenamedControlPlane(t *testing.T) {
	p := newPlane(t)
	r := p.ask(gateway.Sync, "_konnect: {control_plane_name: new-name}\nservices: [{name: a, host: h}]")
	if d := cmp.Diff([]string{"CREATE service a"}, short(p.run(r))); d != "" {
		t.Error(d)
	}
}

// What others own may be referred to, and stays as it is.
func TestDefaultLookupTags(t *testing.T) {
	p := newPlane(t)
	shared := p.ask(gateway.Sync, `
services: [{name: shared, host: s.internal}]
consumers: [{username: alice, groups: [{name: gold}]}]
consumer_groups: [{name: gold}]
`)
	shared.Flags.SelectTags = []string{"shared"}
	p.run(shared)
	mine := p.ask(gateway.Sync, `
_info:
  select_tags: [mine]
  default_lookup_tags: {services: [shared], consumers: [shared], consumer_groups: [shared]}
plugins:
- {name: cors, service: shared}
- {name: rate-limiting, consumer: alice, config: {minute: 1, policy: local}}
`)
	mine.Flags.SelectTags = []string{"mine"}
	want := []string{"CREATE plugin cors for service shared", "CREATE plugin rate-limiting for consumer alice"}
	if d := cmp.Diff(want, short(p.diff(mine))); d != "" {
		t.Error(d)
	}
	p.run(mine)
	for _, r := range []gateway.Request{mine, shared} {
		if left := p.diff(r); len(left) > 0 {
			t.Errorf("not settled: %v", short(left))
		}
	}
}
