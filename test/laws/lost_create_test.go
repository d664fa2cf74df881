package laws

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/drive"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// creation counts the requests that create resources of one type, and may lose the
// answer to the first while reads stay as they were until the second comes.
type creation struct {
	next   http.RoundTripper
	s      *scene
	behind bool
	sent   int
	taken  int // how many were refused since there is one
}

func (c *creation) RoundTrip(r *http.Request) (*http.Response, error) {
	op, _, _ := c.s.w.cat.Contract.Match(r.Method, r.URL.EscapedPath())
	if op == nil || op.Key() != c.s.t.Create.Carrier().Key() {
		return c.next.RoundTrip(r)
	}
	if c.sent++; c.behind {
		lag := ""
		if c.sent == 1 {
			lag = "1h"
		}
		if err := c.s.w.server.SetFaults(emulator.Faults{Lag: lag}); err != nil {
			return nil, err
		}
	}
	resp, err := c.next.RoundTrip(r)
	if err != nil {
		return resp, err
	}
	if resp.StatusCode == http.StatusConflict {
		c.taken++
	}
	if c.behind && c.sent == 1 {
		return testkit.Refuse(r, http.StatusServiceUnavailable, "the answer is lost"), resp.Body.Close()
	}
	return resp, nil
}

// lossy carries out a plan, one change after another, through a transport of its own,
// and takes no time.
func (w *world) lossy(p *plan.Plan, through http.RoundTripper) *execute.Report {
	w.t.Helper()
	clock := testkit.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	conn, err := client.New(client.Config{BaseURL: "http://127.0.0.1:1", Token: "local", Transport: through, Clock: clock})
	if err != nil {
		w.t.Fatal(err)
	}
	in := w.execution(p)
	in.Concurrency = 1
	in.Driver = drive.New(drive.Config{Catalog: w.cat, Target: client.NewTarget(w.cat, conn), Now: clock.Now, Sleep: clock.Sleep}).Only
	report, err := execute.Run(context.Background(), in, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != execute.Succeeded {
			w.t.Errorf("%s %s: %s", r.ChangeID, r.Status, r.Error)
		}
	}
	return report
}

// created counts the creates of a plan of one type.
func created(p *plan.Plan, kind string) int {
	n := 0
	for _, c := range p.Changes {
		if c.Action == plan.Create && c.ResourceType == kind {
			n++
		}
	}
	return n
}

// A create whose answer is lost is looked for before it is sent again, so it is sent
// once; one that may be repeated as it is counts as done when it is.
func TestLostCreateIsFound(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if tried.of(http.MethodPost) < 150 || tried.of(http.MethodPut) == 0 || tried.of(http.MethodPatch) == 0 {
			t.Error("too little was tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		if typ.Create == nil {
			return
		}
		for _, fault := range []string{"503-after:1", "cut-after:1"} {
			s := newScene(newWorld(t), typ)
			s.samplesOf(spread(features(typ), 3))
			p := s.w.plan(s.text(), plan.ModeSync)
			n := created(p, typ.Kind)
			if n == 0 {
				continue // it comes with its parent
			}
			tried.add(typ.Create.Method, n)
			s.w.faults(emulator.Faults{Fault: fault, On: []string{typ.Create.Carrier().Key()}})
			c := &creation{next: s.w.wire, s: s}
			s.w.lossy(p, c)
			s.w.faults(emulator.Faults{})
			if typ.Create.Method == http.MethodPost && c.sent != n {
				t.Errorf("%s: %d creates were sent %d times", fault, n, c.sent)
			}
			s.w.settled(s.text(), plan.ModeSync)
		}
	})
}

// Where reads show it so late that a lost create is sent again, Konnect's answer that
// there is one already means that the first one did it.
func TestLostCreateIsTaken(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if _, kinds := tried.sum(); kinds < 50 {
			t.Error("too little was tried")
		}
		for _, typ := range writable(testkit.Catalog(t)) {
			if typ.Link != "" && tried.of(typ.Kind) == 0 {
				t.Errorf("not tried: %s", typ.Kind)
			}
		}
	})
	eachType(t, func(_ *testing.T, s *scene) {
		if s.t.Create == nil || s.t.Create.Method != http.MethodPost {
			return
		}
		s.sampleOf(nil)
		p := s.w.plan(s.text(), plan.ModeSync)
		// The document of the API does not have 409 everywhere: no witness.
		c := &creation{next: &lender{next: emulator.Transport(s.w.server)}, s: s, behind: true}
		s.w.lossy(p, c)
		s.w.faults(emulator.Faults{})
		if c.taken == 0 {
			return // several may have its name
		}
		tried.add(s.t.Kind, 1)
		s.w.settled(s.text(), plan.ModeSync)
	})
}

// faults sets what goes wrong on purpose.
func (w *world) faults(f emulator.Faults) {
	w.t.Helper()
	if err := w.server.SetFaults(f); err != nil {
		w.t.Fatal(err)
	}
}
