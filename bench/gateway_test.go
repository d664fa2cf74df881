//go:build !nonative

package bench

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/native"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

const manyServices = 500

// counter counts what goes over the wire.
type counter struct {
	next http.RoundTripper
	n    atomic.Int64
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.next.RoundTrip(r)
}

// A plan of a decK file that asks for nothing new, every answer 50 ms away; the
// floor is one list of the same services.
func BenchmarkGatewayNoChange(b *testing.B) {
	srv := newServer(b, store.NewMemory())
	url, c := serve(b, srv)
	id := idOf(b, ask(b, c, http.StatusCreated, http.MethodPost, url+"/v2/control-planes", `{"name":"edge"}`))
	wire := &counter{next: c.Transport}
	client, err := client.New(client.Config{BaseURL: url, Token: "x", Transport: wire})
	if err != nil {
		b.Fatal(err)
	}
	r := gateway.Request{
		ControlPlane: gateway.ControlPlane{ID: id, Name: "edge"}, Mode: gateway.Sync,
		Files: []gateway.File{{Name: "kong.yaml", Content: servicesFile()}},
	}
	reconciler := native.New(client)
	if _, err := reconciler.Run(b.Context(), r); err != nil {
		b.Fatal(err)
	}
	if err := srv.SetFaults(emulator.Faults{Latency: "50ms"}); err != nil {
		b.Fatal(err)
	}
	var floor time.Duration
	b.Run("floor", func(b *testing.B) {
		list := url + "/v2/control-planes/" + id + "/core-entities/services?size=1000"
		for b.Loop() {
			ask(b, c, http.StatusOK, http.MethodGet, list, "")
		}
		floor = b.Elapsed() / time.Duration(b.N)
	})
	b.Run("native", func(b *testing.B) {
		before := wire.n.Load()
		for b.Loop() {
			// A new one each time: it has no schemas yet, as in a new process.
			changes, err := native.New(client).Diff(b.Context(), r)
			if err != nil || len(changes) > 0 {
				b.Fatal(len(changes), err)
			}
		}
		b.ReportMetric(float64(wire.n.Load()-before)/float64(b.N), "requests")
		b.ReportMetric(float64(floor)*float64(b.N)/float64(b.Elapsed()), "of_floor")
	})
}

// A plan of many services with a route and a plugin each that asks for nothing
// new, and one that changes one host and is carried out. Nearly all of it is the
// library's work.
func BenchmarkGatewayLarge(b *testing.B) {
	url, c := serve(b, newServer(b, store.NewMemory()))
	id := idOf(b, ask(b, c, http.StatusCreated, http.MethodPost, url+"/v2/control-planes", `{"name":"edge"}`))
	client, err := client.New(client.Config{BaseURL: url, Token: "x", Transport: c.Transport})
	if err != nil {
		b.Fatal(err)
	}
	request := func(host string) gateway.Request {
		return gateway.Request{
			ControlPlane: gateway.ControlPlane{ID: id, Name: "edge"}, Mode: gateway.Sync,
			Files: []gateway.File{{Name: "kong.yaml", Content: pluginsFile(host)}},
		}
	}
	if _, err := native.New(client).Run(b.Context(), request("first")); err != nil {
		b.Fatal(err)
	}
	b.Run("no change", func(b *testing.B) {
		for b.Loop() {
			if changes, err := native.New(client).Diff(b.Context(), request("first")); err != nil || len(changes) > 0 {
				b.Fatal(len(changes), err)
			}
		}
	})
	n := 0
	b.Run("one change", func(b *testing.B) {
		for b.Loop() {
			n++
			r, reconciler := request(fmt.Sprintf("host-%d", n)), native.New(client)
			if changes, err := reconciler.Diff(b.Context(), r); err != nil || len(changes) != 1 {
				b.Fatal(len(changes), err)
			}
			if changes, err := reconciler.Run(b.Context(), r); err != nil || len(changes) != 1 {
				b.Fatal(len(changes), err)
			}
		}
	})
}

func pluginsFile(host string) []byte {
	var b strings.Builder
	b.WriteString("_format_version: \"3.0\"\nservices:\n")
	for i := range 2000 {
		if i > 0 {
			host = fmt.Sprintf("s%d.internal", i)
		}
		fmt.Fprintf(&b, "- {name: s%d, host: %s, routes: [{name: r%d, paths: [/s%d], plugins: [{name: rate-limiting, config: {minute: 5, policy: local}}]}]}\n", i, host, i, i)
	}
	return []byte(b.String())
}

func servicesFile() []byte {
	var b strings.Builder
	b.WriteString("_format_version: \"3.0\"\nservices:\n")
	for i := range manyServices {
		fmt.Fprintf(&b, "- {name: s%03d, host: s%03d.internal, routes: [{name: r%03d, paths: [/s%03d]}]}\n", i, i, i, i)
	}
	return []byte(b.String())
}

func idOf(b *testing.B, raw []byte) string {
	b.Helper()
	var out struct{ ID string }
	if err := json.Unmarshal(raw, &out); err != nil {
		b.Fatal(err)
	}
	return out.ID
}
