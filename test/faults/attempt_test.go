package faults

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// TestAttemptsAtOneWrite: whatever fails, and whoever repeats the write, it is sent as
// often as people say and no more.
func TestAttemptsAtOneWrite(t *testing.T) {
	const (
		api       = "apis: [{ref: a, name: a}]\n"
		changed   = "apis: [{ref: a, name: a, description: d}]\n"
		document  = "apis: [{ref: a, name: a, documents: [{slug: d, content: D}]}]\n"
		portal    = "portals: [{ref: p, name: p}]\napis: [{ref: a, name: a}]\n"
		published = "portals: [{ref: p, name: p}]\napis: [{ref: a, name: a, publications: [{portal: p}]}]\n"
	)
	for name, tt := range map[string]struct {
		before, after, method, fault string
		// most is how often it is tried by default, and at most; 0 is 6 by default.
		most int
	}{
		"a create that fails":                      {before: "", after: api, method: "POST", fault: "503:1"},
		"a create whose connection breaks":         {before: "", after: api, method: "POST", fault: "cut-before:1"},
		"a create that is refused for a time":      {before: "", after: api, method: "POST", fault: "429:1"},
		"a create that fails now and then":         {before: "", after: api, method: "POST", fault: "429:0.5,503:0.5"},
		"a create at a key that fails":             {before: portal, after: published, method: "PUT", fault: "503:1"},
		"an update that fails":                     {before: api, after: changed, method: "PATCH", fault: "503:1"},
		"a delete that fails":                      {before: document, after: api + "_defaults: {}\n", method: "DELETE", fault: "503:1"},
		"a create below a parent that is not seen": {before: api, after: document, method: "POST", fault: "404:1", most: 4},
	} {
		for _, given := range []int{0, 1, 2, 9} {
			t.Run(name+", attempts "+strconv.Itoa(given), func(t *testing.T) {
				t.Parallel()
				clock := testkit.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
				p := newPlaceAt(t, emulator.Faults{}, clock, clock.Now)
				sent := p.counted(given)
				if tt.before != "" {
					p.run(p.plan(tt.before))
				}
				pl := p.plan(tt.after)
				if err := p.server.SetFaults(emulator.Faults{Fault: tt.fault, Seed: 5, On: operations(p, tt.method)}); err != nil {
					t.Fatal(err)
				}
				sent.Store(0)
				if n := p.failures(pl); n != 1 {
					t.Errorf("%d of %d changes failed, want 1", n, len(pl.Changes))
				}
				want := given
				if given == 0 {
					want = 6
				}
				if tt.most > 0 {
					want = min(want, tt.most)
				}
				if got := int(sent.Load()); got != want {
					t.Errorf("sent %d times, want %d", got, want)
				}
			})
		}
	}
}

// TestLostCreateIsFoundWithOneAttempt: looks are not attempts.
func TestLostCreateIsFoundWithOneAttempt(t *testing.T) {
	clock := testkit.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	p := newPlaceAt(t, emulator.Faults{}, clock, clock.Now)
	sent := p.counted(1)
	pl := p.plan("apis: [{ref: a, name: a}]\n")
	if err := p.server.SetFaults(emulator.Faults{Fault: "no-unique,503-after:1", Lag: "3s", On: []string{"POST /v3/apis"}}); err != nil {
		t.Fatal(err)
	}
	p.run(pl)
	if n := sent.Load(); n != 1 {
		t.Errorf("sent %d times, want once", n)
	}
	if twice := p.twice(); len(twice) > 0 {
		t.Errorf("exist twice: %v", twice)
	}
}

// operations are those of the API with a method, of the types that the tests use.
func operations(p *place, method string) []string {
	var out []string
	for _, path := range []string{"/v3/apis", "/v3/apis/{apiId}", "/v3/apis/{apiId}/documents", "/v3/apis/{apiId}/documents/{documentId}", "/v3/apis/{apiId}/publications/{portalId}"} {
		if p.cat.Contract.Operation(method, path) != nil {
			out = append(out, method+" "+path)
		}
	}
	return out
}

// counted makes another client for the place, with so many attempts; 0 is the default.
// It counts the requests that are not reads.
func (p *place) counted(attempts int) *atomic.Int32 {
	p.t.Helper()
	var n atomic.Int32
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			n.Add(1)
		}
		p.server.ServeHTTP(w, r)
	}))
	p.t.Cleanup(ts.Close)
	conn, err := client.New(client.Config{BaseURL: ts.URL, Token: "kpat_faults", Clock: p.clock, Retry: client.Retry{MaxAttempts: attempts}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.target = client.NewTarget(p.cat, conn)
	return &n
}

// failures carries out a plan and counts the changes that failed.
func (p *place) failures(pl *plan.Plan) int {
	p.t.Helper()
	n := 0
	for _, r := range p.execute(pl, 1).Results {
		if r.Status == execute.Failed {
			n++
		}
	}
	return n
}
