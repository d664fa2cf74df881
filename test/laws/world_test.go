package laws

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kongctl/internal/diag"
	"kongctl/internal/event"
	"kongctl/internal/execute"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/client"
	"kongctl/internal/konnect/drive"
	"kongctl/internal/konnect/emulator"
	"kongctl/internal/konnect/language"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/propose"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/source"
	"kongctl/internal/testkit"
	"kongctl/internal/view"
	"kongctl/test/witness"
)

const canary = "canary-4f1d"

// key is a text with a canary that passes for a private key.
const key = "-----BEGIN PRIVATE KEY-----\nComment: " + canary + "\n\nAAAA\n-----END PRIVATE KEY-----\n"

// world is an embedded Konnect and a way to bring configurations about.
type world struct {
	t      *testing.T
	cat    *catalog.Catalog
	server *emulator.Server
	target *client.Target
	wire   *recorder
	text   *testkit.Buffer // everything that was said
	seed   bool            // plans fill the world with a saved state
	// what the last plan was made of
	set  *resource.Set
	snap *live.Snapshot
	vars map[string]string // of the environment
}

// recorder counts requests and keeps what was sent.
type recorder struct {
	next   http.RoundTripper
	mu     sync.Mutex
	writes []string
	sent   strings.Builder
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		r.mu.Lock()
		r.writes = append(r.writes, req.Method+" "+req.URL.Path)
		if req.Body != nil {
			raw, err := io.ReadAll(req.Body)
			if err != nil {
				return nil, err
			}
			r.sent.Write(raw)
			req.Body = io.NopCloser(bytes.NewReader(raw))
		}
		r.mu.Unlock()
	}
	return r.next.RoundTrip(req)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	srv, err := emulator.New(cat, emulator.Options{
		Clock: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			clock = clock.Add(time.Second)
			return clock
		},
		Strict: func(op, problem string) { t.Errorf("%s: %s", op, problem) },
	})
	if err != nil {
		t.Fatal(err)
	}
	third, err := witness.New(t, &witnessed)
	if err != nil {
		t.Fatal(err)
	}
	wire := &recorder{next: third.Transport(emulator.Transport(srv))}
	said := &testkit.Buffer{}
	log := slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
	conn, err := client.New(client.Config{BaseURL: "http://127.0.0.1:1", Token: "local", Transport: wire, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, cat: cat, server: srv, target: client.NewTarget(cat, conn), wire: wire, text: said}
}

func (w *world) env(name string) (string, bool) {
	if strings.HasPrefix(name, "LAW_SECRET") {
		return key, true
	}
	v, ok := w.vars[name]
	return v, ok
}

func (w *world) load(text string) (*resource.Set, *resource.Links) {
	w.t.Helper()
	res, diags := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: w.t.TempDir()})
	set, more := language.Build(w.cat, res.Documents, language.Options{Env: w.env})
	diags = append(diags, more...)
	links, more := resource.Link(set)
	diags = append(diags, more...)
	if diags.HasErrors() {
		w.t.Fatalf("%v\n%s", diags.Err(), text)
	}
	return set, links
}

// try loads a configuration and returns what is wrong with it.
func (w *world) try(text string) diag.List {
	res, diags := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: w.t.TempDir()})
	set, more := language.Build(w.cat, res.Documents, language.Options{Env: w.env})
	diags = append(diags, more...)
	_, more = resource.Link(set)
	return append(diags, more...)
}

func (w *world) plan(text string, mode plan.Mode, allow ...string) *plan.Plan {
	w.t.Helper()
	set, links := w.load(text)
	snap, diags, err := live.Read(context.Background(), w.target, live.Query{Catalog: w.cat, Set: set, Links: links, Sync: mode == plan.ModeSync, Prune: resource.PruneFull})
	if err != nil {
		w.t.Fatal(err)
	}
	w.set, w.snap = set, snap
	allow = slices.DeleteFunc(slices.Clone(allow), func(name string) bool {
		return !slices.ContainsFunc(set.Resources, func(r *resource.Resource) bool { return r.Ref == name })
	})
	p, more, err := plan.BuildWith(plan.BuildInput{
		Types: w.cat.Types(), Proposer: propose.For, Set: set, Links: links, Snapshot: snap, Mode: mode, Prune: resource.PruneFull,
		AllowReplace: allow, AllowEmpty: []string{"*"}, Env: w.env, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Generator: "laws", Dir: "/",
	}, w.users(snap))
	if err != nil {
		w.t.Fatal(err)
	}
	if diags = append(diags, more...); diags.HasErrors() {
		w.t.Fatal(diags.Err())
	}
	if err := propose.Validate(p, w.cat); err != nil && !w.seed {
		w.t.Errorf("a plan that kongctl made: %v", err)
	}
	return p
}

// users reads what refers to what a plan deletes.
func (w *world) users(snap *live.Snapshot) func([]resource.Removed) (*resource.Users, error) {
	return func(removed []resource.Removed) (*resource.Users, error) {
		return live.ReadUsers(context.Background(), w.target, w.cat, snap, removed)
	}
}

func (w *world) bytes(p *plan.Plan) []byte {
	w.t.Helper()
	raw, err := p.Write()
	if err != nil {
		w.t.Fatal(err)
	}
	_, _ = w.text.Write(raw)
	return raw
}

// execution is what a run of a plan needs.
func (w *world) execution(p *plan.Plan) execute.Input {
	return execute.Input{
		Plan: p, Validate: func(p *plan.Plan) error { return propose.Validate(p, w.cat) },
		Driver: drive.New(drive.Config{Catalog: w.cat, Target: w.target, Now: time.Now}).Only,
		Env:    w.env, Dir: "/", Concurrency: 4, Now: time.Now,
	}
}

// run carries out a plan after it has been written and read, with a journal.
func (w *world) run(p *plan.Plan) {
	w.t.Helper()
	p, err := plan.Parse(w.bytes(p))
	if err != nil {
		w.t.Fatal(err)
	}
	j, err := execute.NewJournal(w.t.TempDir(), w.bytes(p), source.Folders{Dir: "/"}, time.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	in := w.execution(p)
	in.Record = j.Record
	if w.seed {
		in.Validate = nil
	}
	report, err := execute.Run(context.Background(), in, func(e event.Event) {
		_, _ = fmt.Fprintf(w.text, "%+v\n", e)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.show(p, report, j)
	for _, r := range report.Results {
		if r.Status != execute.Succeeded {
			w.t.Errorf("%s %s: %s", r.ChangeID, r.Status, r.Error)
		}
	}
}

// show says all that can be said of a run: views, report and journal.
func (w *world) show(p *plan.Plan, report *execute.Report, j *execute.Journal) {
	w.t.Helper()
	journal, err := os.ReadFile(j.Name())
	if err != nil {
		w.t.Fatal(err)
	}
	_, _ = w.text.Write(journal)
	r := view.NewReport(p, report)
	for _, err := range []error{
		j.Close(true),
		view.WritePlan(w.text, p, view.PlanOptions{}),
		view.WriteDocumentYAML(w.text, w.bytes(p)),
		view.WriteJSON(w.text, r),
		view.WriteSummary(w.text, r, view.Style{}),
	} {
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// settled fails unless nothing is left to do.
func (w *world) settled(text string, mode plan.Mode) {
	w.t.Helper()
	before := len(w.wire.writes)
	p := w.plan(text, mode)
	for _, c := range p.Changes {
		w.t.Errorf("not settled (%s): %s %v", mode, c.ID, c.FieldChanges)
	}
	w.run(p)
	if sent := w.wire.writes[before:]; len(sent) > 0 {
		w.t.Errorf("a settled run wrote: %v", sent)
	}
}
