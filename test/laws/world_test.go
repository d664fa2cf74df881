package laws

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/drive"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/view"
	"github.com/kongctl/kongctl/test/witness"
)

const canary = "canary_4f1d"

// key is a text with a canary that passes for a private key.
const key = "-----BEGIN PRIVATE KEY-----\nComment: " + canary + "\n\nAAAA\n-----END PRIVATE KEY-----\n"

// world is an embedded Konnect and a way to bring configurations about.
type world struct {
	unlent bool // nothing of a plan makes the service of bare ids: it is looked for
	t      *testing.T
	cat    *catalog.Catalog
	server *emulator.Server
	target *client.Target
	wire   *recorder
	text   *testkit.Buffer // everything that was said
	loud   bool            // every run says all that it can, not the first alone
	runs   int             // that have ended
	dir    string          // for files, made when first needed
	seed   bool            // plans fill the world with a saved state
	keep   bool            // plans keep what they delete
	partly bool            // some of what is undone is there again
	// made are the ids of a run's report by change; reports lets undoing read it.
	made    map[string]string
	reports bool
	said    []string // by the last inverse plan, with refs
	back    *plan.Plan
	// what the last plan was made of
	set  *resource.Set
	snap resource.State
	vars map[string]string // of the environment
	// now is what the embedded Konnect and runs have for a time; still stops it.
	now   func() time.Time
	still bool
}

// recorder counts requests and keeps what was sent.
type recorder struct {
	next   http.RoundTripper
	mu     sync.Mutex
	writes []string
	sent   strings.Builder
	reads  atomic.Int64
	deny   func(*http.Request) bool // what the token may not ask; nil for nothing
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
	} else {
		r.reads.Add(1)
	}
	if r.deny != nil && r.deny(req) {
		return denied(req), nil
	}
	return r.next.RoundTrip(req)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	cat := testkit.Catalog(t) // one for all: it never changes, and loading it takes longer than most laws
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	w := &world{t: t, cat: cat}
	w.now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		if !w.still {
			clock = clock.Add(time.Second)
		}
		return clock
	}
	srv, err := emulator.New(cat, emulator.Options{
		Clock:  w.now,
		Store:  populated(t, cat),
		Strict: func(op, problem string) { t.Errorf("%s: %s", op, problem) },
	})
	if err != nil {
		t.Fatal(err)
	}
	third, err := witness.New(t, &witnessed)
	if err != nil {
		t.Fatal(err)
	}
	wire := &recorder{next: third.Transport(&lender{next: emulator.Transport(srv)})}
	said := &testkit.Buffer{}
	log := slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
	conn, err := client.New(client.Config{BaseURL: "http://127.0.0.1:1", Token: "local", Transport: wire, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	w.server, w.target, w.wire, w.text = srv, client.NewTarget(cat, conn), wire, said
	return w
}

func (w *world) env(name string) (string, bool) {
	switch {
	case name == "LAW_SECRET_WORD":
		return canary + "_0000", true
	case strings.HasPrefix(name, "LAW_SECRET"):
		return key, true
	}
	v, ok := w.vars[name]
	return v, ok
}

// walk is the way of a configuration to a plan.
func (w *world) walk(text string) (*engine.Walk, diag.List) {
	files, diags := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: w.folder()})
	out := w.walkOf(&source.Result{Documents: files.Documents})
	more, err := out.Link()
	if err != nil {
		w.t.Fatal(err)
	}
	if !w.unlent {
		lend(out.Set)
	}
	return out, append(diags, more...)
}

// walkOf is the way of documents to a plan.
func (w *world) walkOf(files *source.Result) *engine.Walk {
	return &engine.Walk{
		Request: engine.PlanRequest{Mode: plan.ModeSync, Prune: engine.PruneFull, Scope: engine.Scope{AllowEmpty: []string{"*"}}},
		Targets: engine.KonnectTargets(w.cat, w.target, plan.Organization{}), Env: w.env, Generator: "laws", WorkDir: "/",
		Now:   func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
		Files: files,
	}
}

// loaded is a configuration that must be right.
func (w *world) loaded(text string) *engine.Walk {
	w.t.Helper()
	out, diags := w.walk(text)
	if diags.HasErrors() {
		w.t.Fatalf("%v\n%s", diags.Err(), text)
	}
	return out
}

func (w *world) load(text string) (*resource.Set, *resource.Links) {
	w.t.Helper()
	out := w.loaded(text)
	return out.Set, out.Links
}

// try loads a configuration and returns what is wrong with it.
func (w *world) try(text string) diag.List {
	_, diags := w.walk(text)
	return diags
}

func (w *world) plan(text string, mode plan.Mode, allow ...string) *plan.Plan {
	w.t.Helper()
	walk := w.loaded(text)
	walk.Request.Mode = mode
	w.build(walk, slices.DeleteFunc(slices.Clone(allow), func(name string) bool {
		return !slices.ContainsFunc(walk.Set.Resources, func(r *resource.Resource) bool { return r.Ref == name })
	})...)
	return walk.Plan
}

// build reads what exists and makes the plan, which must be right.
func (w *world) build(walk *engine.Walk, replace ...string) {
	w.t.Helper()
	walk.Request.Scope.AllowReplace = append(walk.Request.Scope.AllowReplace, replace...)
	diags, err := walk.Read(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	w.set, w.snap = walk.Set, walk.State
	more, err := walk.Build(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	if diags = append(diags, more...); diags.HasErrors() {
		w.t.Fatal(diags.Err())
	}
	w.replacesAreShown(walk.Plan)
	if w.keep {
		if err := walk.Keep(context.Background()); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) bytes(p *plan.Plan) []byte {
	w.t.Helper()
	raw, err := p.Write()
	if err != nil {
		w.t.Fatal(err)
	}
	_, _ = w.text.Write(raw)
	w.parentsAreNamed(p)
	return raw
}

// execution is what a run of a plan needs.
func (w *world) execution(p *plan.Plan) execute.Input {
	return execute.Input{
		Plan: p, Validate: func(p *plan.Plan) error { return engine.Validate(p, w.cat) },
		Driver: drive.New(drive.Config{Catalog: w.cat, Target: w.target, Now: time.Now}).Only,
		Env:    w.env, Dir: "/", Concurrency: 4, Now: time.Now,
	}
}

// run carries out a plan after it has been written and read, with a journal.
func (w *world) run(p *plan.Plan) {
	w.t.Helper()
	raw := w.bytes(p)
	p, err := plan.Parse(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	j, err := execute.NewJournal(w.folder(), raw, source.Folders{Dir: "/"}, time.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	in := w.execution(p)
	in.Record = j.Record
	if w.still {
		in.Now = w.now
		in.Driver = drive.New(drive.Config{Catalog: w.cat, Target: w.target, Now: w.now}).Only
	}
	if w.seed {
		in.Validate = nil
	}
	report, err := execute.Run(context.Background(), in, func(e event.Event) {
		_, _ = fmt.Fprintf(w.text, "%+v\n", e)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.show(p, raw, report, j)
	w.made = map[string]string{}
	for _, r := range report.Results {
		w.made[r.ChangeID] = r.ResourceID
		if r.Status != execute.Succeeded {
			w.t.Errorf("%s %s: %s", r.ChangeID, r.Status, r.Error)
		}
	}
}

// folder is one for the files of this world.
func (w *world) folder() string {
	w.t.Helper()
	if w.dir == "" {
		w.dir = w.t.TempDir()
	}
	return w.dir
}

// show says all that can be said of a run: views, report and journal.
func (w *world) show(p *plan.Plan, raw []byte, report *execute.Report, j *execute.Journal) {
	w.t.Helper()
	journal, err := os.ReadFile(j.Name())
	if err != nil {
		w.t.Fatal(err)
	}
	_, _ = w.text.Write(journal)
	r := view.NewReport(p, report)
	errs := []error{
		j.Close(true),
		view.WritePlan(w.text, p, view.PlanOptions{}),
		view.WriteJSON(w.text, r),
		view.WriteSummary(w.text, r, view.Style{}),
	}
	if w.loud || w.runs == 0 {
		errs = append(errs, view.WriteDocumentYAML(w.text, raw))
	}
	w.runs++
	if err := errors.Join(errs...); err != nil {
		w.t.Fatal(err)
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
