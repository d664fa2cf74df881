// Package faults carries out large plans on a Konnect that fails on purpose.
//
// In: an embedded Konnect behind real HTTP that refuses, breaks and cuts a share
// of all requests. Out: failures where the end is not that of a clean run. It
// must never wait in real time: clocks are injected.
package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/drive"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// place is a Konnect and the way to it.
type place struct {
	t      *testing.T
	cat    *catalog.Catalog
	server *emulator.Server
	target *client.Target
	clock  *testkit.Clock
}

// oneCatalog is loaded once for many places.
var oneCatalog = sync.OnceValues(catalog.Load)

func newPlace(t *testing.T, faults emulator.Faults) *place {
	t.Helper()
	return newPlaceAt(t, faults, testkit.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), time.Now)
}

// newPlaceAt is a place where the client waits by one clock and Konnect goes by
// another.
func newPlaceAt(t *testing.T, faults emulator.Faults, clock *testkit.Clock, konnects func() time.Time) *place {
	t.Helper()
	cat, err := oneCatalog()
	if err != nil {
		t.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{Clock: konnects, Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewServer(srv)
	t.Cleanup(ts.Close)
	conn, err := client.New(client.Config{BaseURL: ts.URL, Token: "kpat_faults", Clock: clock, Retry: client.Retry{MaxAttempts: 12}})
	if err != nil {
		t.Fatal(err)
	}
	return &place{t: t, cat: cat, server: srv, target: client.NewTarget(cat, conn), clock: clock}
}

func (p *place) plan(text string) *plan.Plan {
	p.t.Helper()
	files, diags := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: p.t.TempDir()})
	walk := &engine.Walk{
		Request: engine.PlanRequest{Mode: plan.ModeSync, Prune: engine.PruneFull, Scope: engine.Scope{AllowEmpty: []string{"*"}}},
		Targets: engine.KonnectTargets(p.cat, p.target, plan.Organization{}), Env: func(string) (string, bool) { return "", false }, Now: p.clock.Now, Generator: "faults", WorkDir: "/",
		Files: &source.Result{Documents: files.Documents},
	}
	more, err := walk.Link()
	if err != nil {
		p.t.Fatal(err)
	}
	if diags = append(diags, more...); diags.HasErrors() {
		p.t.Fatal(diags.Err())
	}
	diags, err = walk.Read(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	more, err = walk.Build(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	if diags = append(diags, more...); diags.HasErrors() {
		p.t.Fatal(diags.Err())
	}
	out := walk.Plan
	if len(out.Errors) > 0 {
		p.t.Fatal(out.Errors)
	}
	return out
}

// execute carries out a plan.
func (p *place) execute(pl *plan.Plan, concurrency int) *execute.Report {
	p.t.Helper()
	report, err := execute.Run(context.Background(), execute.Input{
		Plan: pl, Validate: func(pl *plan.Plan) error { return engine.Validate(pl, p.cat) },
		Driver: drive.New(drive.Config{Catalog: p.cat, Target: p.target, Now: p.clock.Now, Sleep: p.clock.Sleep}).Only,
		Dir:    "/", Concurrency: concurrency, Now: p.clock.Now,
	}, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return report
}

// run carries out a plan of which nothing may fail.
func (p *place) run(pl *plan.Plan) {
	p.t.Helper()
	for _, r := range p.execute(pl, 16).Results {
		if r.Status != execute.Succeeded {
			p.t.Errorf("%s %s: %s", r.ChangeID, r.Status, r.Error)
		}
	}
}

// holds is all that is stored, as configuration: without ids and times.
func (p *place) holds() string {
	p.t.Helper()
	if err := p.server.SetFaults(emulator.Faults{}); err != nil {
		p.t.Fatal(err)
	}
	snap, err := export.Read(context.Background(), p.target, p.cat, export.Options{Children: true})
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := export.Write(snap, export.WriteOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range out.Files {
		fmt.Fprintf(&b, "%s\n%s\n", f.Name, f.Data)
	}
	return b.String()
}

// faults counts the requests that were disturbed.
func (p *place) faults() int {
	p.t.Helper()
	rec := httptest.NewRecorder()
	p.server.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/__local/faults", nil))
	var answer struct {
		Made map[string]int `json:"made"`
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
		p.t.Fatal(err)
	}
	n := 0
	for _, x := range answer.Made {
		n += x
	}
	return n
}

// thousand declares a thousand resources: roots, children, trees, references,
// memberships and things put at a key.
func thousand(description string) string {
	var b strings.Builder
	b.WriteString("portals:\n")
	for i := range 20 {
		fmt.Fprintf(&b, "- {ref: p%d, name: p%d, description: %s, pages: [", i, i, description)
		for j := range 10 {
			fmt.Fprintf(&b, "{slug: s%d, content: %s, children: [{slug: inner, content: C}]}, ", j, description)
		}
		b.WriteString("], snippets: [")
		for j := range 5 {
			fmt.Fprintf(&b, "{name: n%d, content: C}, ", j)
		}
		fmt.Fprintf(&b, "], teams: [{ref: t%d, name: t, roles: [{role_name: API Viewer, entity_type_name: Services, entity_id: !ref a%d, entity_region: eu}]}]}\n", i, i)
	}
	b.WriteString("apis:\n")
	for i := range 100 {
		fmt.Fprintf(&b, "- {ref: a%d, name: a%d, publications: [{portal: p%d}], documents: [{slug: d, content: %s}]}\n", i, i, i%20, description)
	}
	b.WriteString("catalog_services:\n")
	for i := range 150 {
		fmt.Fprintf(&b, "- {name: c%d, display_name: %s}\n", i, description)
	}
	return b.String()
}

func TestAThousandChangesThroughFaults(t *testing.T) {
	clean := newPlace(t, emulator.Faults{})
	clean.run(clean.plan(thousand("first")))
	first := clean.holds()
	clean.run(clean.plan(thousand("second")))
	second := clean.holds()

	rough := emulator.Faults{Fault: "429:0.03,500:0.03,cut-before:0.02,cut-after:0.02", Seed: 7}
	p := newPlace(t, rough)
	creates := p.plan(thousand("first"))
	if n := len(creates.Changes); n < 1000 {
		t.Fatalf("only %d changes", n)
	}
	p.run(creates)
	if n := p.faults(); n < 100 {
		t.Errorf("only %d requests were disturbed", n)
	}
	if diff := cmp.Diff(first, p.holds()); diff != "" {
		t.Errorf("after creating, faults made a difference:\n%s", diff)
	}
	if err := p.server.SetFaults(rough); err != nil {
		t.Fatal(err)
	}
	p.run(p.plan(thousand("second")))
	if diff := cmp.Diff(second, p.holds()); diff != "" {
		t.Errorf("after updating, faults made a difference:\n%s", diff)
	}
	if err := p.server.SetFaults(rough); err != nil {
		t.Fatal(err)
	}
	p.run(p.plan("_defaults: {kongctl: {namespace: default}}\n"))
	empty := newPlace(t, emulator.Faults{})
	if diff := cmp.Diff(empty.holds(), p.holds()); diff != "" {
		t.Errorf("after deleting, something is left:\n%s", diff)
	}
}

// A create whose answer is lost is found again and not repeated.
func TestLostAnswersMakeNoDuplicates(t *testing.T) {
	p := newPlace(t, emulator.Faults{Fault: "cut-after:0.5", Seed: 3, On: []string{"POST /v3/apis", "POST /v3/apis/{apiId}/documents", "POST /v3/teams"}})
	var b strings.Builder
	b.WriteString("apis:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "- {name: a%d, version: v1, documents: [{slug: d, content: D}]}\n", i)
	}
	b.WriteString("teams:\n")
	for i := range 20 {
		fmt.Fprintf(&b, "- {name: t%d}\n", i)
	}
	p.run(p.plan(b.String()))
	if n := p.faults(); n < 20 {
		t.Errorf("only %d answers were lost", n)
	}
	held := p.holds()
	for i := range 40 {
		if n := strings.Count(held, fmt.Sprintf("name: a%d\n", i)); n != 1 {
			t.Errorf("api a%d is there %d times", i, n)
		}
	}
	if again := p.plan(b.String()); !again.Empty() {
		t.Errorf("not settled: %v", again.ExecutionOrder)
	}
}
