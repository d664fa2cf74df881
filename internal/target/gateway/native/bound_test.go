//go:build !nonative

package native_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kongctl/internal/target/gateway"
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
	want := `{"kind":"route","name":"list","action":"UPDATE","changed_fields":{"service.name":{"old":"old","new":"new"}}}`
	if !strings.Contains(string(first), want) {
		t.Errorf("no %s in\n%s", want, first)
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
