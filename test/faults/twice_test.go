package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/testkit"
)

// stored are the resources that the embedded Konnect holds, by kind.
func (p *place) stored() map[string][]map[string]any {
	p.t.Helper()
	rec := httptest.NewRecorder()
	p.server.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/__local/state", nil))
	var out map[string][]map[string]any
	if err := json.Unmarshal(rec.Body.Bytes(), &out); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// twice lists the resources that have the identity of another one.
func (p *place) twice() []string {
	p.t.Helper()
	var out []string
	for kind, objects := range p.stored() {
		t := p.cat.Kind(kind)
		if t == nil {
			continue
		}
		seen := map[string]bool{}
		for _, o := range objects {
			key := fmt.Sprint(o["parent"])
			if t.Tree != nil {
				key += fmt.Sprint(" ", o[t.Tree.Parent])
			}
			for _, f := range t.Identity {
				key += fmt.Sprint(" ", o[f])
			}
			if seen[key] {
				out = append(out, kind+" "+key)
			}
			seen[key] = true
		}
	}
	return out
}

// Where names are not unique, and reads are behind, no create happens twice:
// not when its answer is lost, and not when the service fails after the write.
func TestNoCreateHappensTwice(t *testing.T) {
	var b strings.Builder
	b.WriteString("portals:\n")
	for i := range 10 {
		fmt.Fprintf(&b, "- {ref: p%d, name: p%d, pages: [{slug: s, content: C, children: [{slug: inner, content: C}]}], snippets: [{name: n, content: C}]}\n", i, i)
	}
	b.WriteString("apis:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "- {ref: a%d, name: a%d, publications: [{portal: p%d}], documents: [{slug: d, content: C}]}\n", i, i, i%10)
	}
	b.WriteString("teams:\n")
	for i := range 20 {
		fmt.Fprintf(&b, "- {name: t%d, roles: [{role_name: Viewer, entity_type_name: APIs, entity_id: !ref a%d, entity_region: eu}]}\n", i, i)
	}
	for _, fault := range []string{"cut-after:0.3", "503-after:0.3", "500-after:0.3", "cut-after:0.1,503-after:0.1,503:0.1,500:0.1,cut-before:0.1"} {
		t.Run(fault, func(t *testing.T) {
			clock := testkit.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			p := newPlaceAt(t, emulator.Faults{Fault: "no-unique"}, clock, clock.Now)
			pl := p.plan(b.String())
			if err := p.server.SetFaults(emulator.Faults{Fault: "no-unique," + fault, Lag: "3s", Seed: 11}); err != nil {
				t.Fatal(err)
			}
			p.run(pl)
			if n := p.faults(); n < 20 {
				t.Errorf("only %d requests were disturbed", n)
			}
			if twice := p.twice(); len(twice) > 0 {
				t.Errorf("%d resources exist twice: %v", len(twice), twice)
			}
			if err := p.server.SetFaults(emulator.Faults{}); err != nil {
				t.Fatal(err)
			}
			if again := p.plan(b.String()); !again.Empty() {
				t.Errorf("not settled: %v", again.ExecutionOrder)
			}
		})
	}
}
