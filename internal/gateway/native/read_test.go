//go:build !nonative

package native_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
)

// What nobody uses is not read; what is read is read once.
func TestReads(t *testing.T) {
	var schemas []string
	for _, s := range []string{"route", "service", "target", "upstream"} {
		schemas = append(schemas, "/v1/schemas/json/"+s)
	}
	ever := []string{
		"/ai-models", "/ca_certificates", "/certificates", "/consumer_groups", "/consumers", "/degraphql_routes",
		"/filter-chains", "/key-sets", "/keys", "/partials", "/plugins", "/routes", "/services", "/upstreams", "/vaults",
	}
	rows := map[string]struct {
		before, text string
		mode         gateway.Mode
		want         []string
	}{
		"sync of an empty control plane reads no lists that hang on empty ones": {
			"", "services: [{name: a, host: h}]", gateway.Sync, slices.Concat(ever, schemas),
		},
		"sync reads them where there is something to hang on": {
			"consumers: [{username: a}]\nupstreams: [{name: u}]", "services: [{name: a, host: h}]", gateway.Sync,
			slices.Concat(ever, schemas, []string{"/acls", "/basic-auths", "/hmac-auths", "/jwts", "/key-auths", "/mtls-auths", "/oauth2", "/targets"}),
		},
		"apply reads what the file has": {
			"consumers: [{username: a}]", "services: [{name: a, host: h}]", gateway.Apply, slices.Concat([]string{"/services"}, schemas),
		},
		"apply reads what plugins refer to, and a schema once": {
			"", `
services: [{name: a, host: h, plugins: [{name: cors}], routes: [{name: r, paths: [/], plugins: [{name: cors}]}]}]
plugins: [{name: cors}, {name: cors, consumer: c}]
consumers: [{username: c}]
`, gateway.Apply, slices.Concat([]string{"/services", "/routes", "/plugins", "/consumers", "/schemas/plugins/cors"}, schemas),
		},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			p := newPlane(t)
			if row.before != "" {
				p.settle(row.before)
			}
			// Schemas of the steps before stay; another reconciler has none.
			p.Reconciler = newPlaneOn(t, p)
			p.recorder.reset()
			p.diff(p.ask(row.mode, row.text))
			var got []string
			for _, line := range p.reads() {
				got = append(got, strings.TrimSuffix(line, "?size=1000"))
			}
			slices.Sort(row.want)
			slices.Sort(got)
			if d := cmp.Diff(row.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// Run after Diff reads no list again, but Diff after Diff does.
func TestOneReadServesPlanAndRun(t *testing.T) {
	p := newPlane(t)
	r := p.ask(gateway.Sync, stories["plugins of everything"].text)
	p.diff(r)
	first := len(p.reads())
	p.run(r)
	if n := len(p.reads()); n != first {
		t.Errorf("%d reads for the plan, %d more for the run", first, n-first)
	}
	p.recorder.reset()
	if left := p.diff(r); len(left) > 0 {
		t.Errorf("not settled: %v", short(left))
	}
	if !slices.Contains(p.reads(), "/services?size=1000") {
		t.Errorf("the second plan saw the old state: %v", p.reads())
	}
	for _, line := range p.reads() {
		if strings.Contains(line, "/schemas/") {
			t.Errorf("a schema was read again: %s", line)
		}
	}
}

// Members of groups are read for all groups at once, each group once.
func TestGroupsAreReadAtOnce(t *testing.T) {
	p := newPlane(t)
	text := "consumer_groups: [{name: a}, {name: b}, {name: c}, {name: d~e}]\nconsumers: [{username: x, groups: [{name: a}, {name: d~e}]}]"
	p.settle(text)
	var arrived atomic.Int64
	all := make(chan struct{})
	p.recorder.intercept = func(req *http.Request) *http.Response {
		if !strings.Contains(req.URL.Path, "/consumer_groups/") {
			return nil
		}
		if arrived.Add(1) == 4 {
			close(all)
		}
		select {
		case <-all:
		case <-time.After(10 * time.Second):
			t.Errorf("%s waits in vain for the others", req.URL.Path)
		}
		return nil
	}
	if left := p.diff(p.ask(gateway.Sync, text)); len(left) > 0 {
		t.Errorf("not settled: %v", short(left))
	}
	if n := arrived.Load(); n != 4 {
		t.Errorf("%d reads of 4 groups", n)
	}
}

func TestLongListsAreReadToTheEnd(t *testing.T) {
	p := newPlane(t)
	var b strings.Builder
	b.WriteString("consumers:\n")
	for i := range 1100 {
		fmt.Fprintf(&b, "- {username: c%04d}\n", i)
	}
	p.settle(b.String())
	p.recorder.reset()
	if left := p.diff(p.ask(gateway.Sync, b.String())); len(left) > 0 {
		t.Errorf("%d changes left, the first is %v", len(left), left[0])
	}
	pages := 0
	for _, line := range p.reads() {
		if strings.HasPrefix(line, "/consumers?") {
			pages++
		}
	}
	if pages != 2 {
		t.Errorf("%d pages were read, want 2", pages)
	}
}

// Costs of GraphQL are read service by service, so only when a file has them.
func TestCostsAreReadWhenTheFileHasThem(t *testing.T) {
	p := newPlane(t)
	p.settle("services: [{name: a, host: h}]")
	p.recorder.reset()
	// Whether the service knows them is another matter.
	_, _ = p.Diff(t.Context(), p.ask(gateway.Sync, `
services: [{name: a, host: h}]
custom_entities:
- {type: graphql_ratelimiting_cost_decorations, fields: {service: {name: a}, type_path: Query.x}}
`))
	if !slices.ContainsFunc(p.reads(), func(l string) bool { return strings.Contains(l, "/costs") }) {
		t.Errorf("reads: %v", p.reads())
	}
}
