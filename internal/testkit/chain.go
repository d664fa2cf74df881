package testkit

import (
	"context"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/drive"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// Ask says how to plan. The zero Ask is a full sync.
type Ask struct {
	Mode         plan.Mode
	Prune        string
	AllowReplace []string
	AllowCascade []string
	// AllowEmpty are the types that may be emptied without a mention; nil is all
	// of them.
	AllowEmpty   []string
	WriteSecrets []string
	// AllowPending lets what needs a missing external wait.
	AllowPending bool
}

// request is what the engine is asked for.
func (a Ask) request() engine.PlanRequest {
	r := engine.PlanRequest{Mode: a.Mode, Prune: a.Prune, Scope: engine.Scope{AllowReplace: a.AllowReplace, AllowCascade: a.AllowCascade, AllowEmpty: a.AllowEmpty, WriteSecrets: a.WriteSecrets, AllowPending: a.AllowPending}}
	if r.Mode == "" {
		r.Mode = plan.ModeSync
	}
	if r.Prune == "" {
		r.Prune = engine.PruneFull
	}
	if r.Scope.AllowEmpty == nil {
		r.Scope.AllowEmpty = []string{"*"}
	}
	return r
}

// Loaded is a configuration as the engine sees it.
type Loaded struct {
	Set   *resource.Set
	Links *resource.Links
}

// Load reads the text of a configuration; any problem fails the test.
func (w *World) Load(text string) Loaded {
	w.t.Helper()
	return w.LoadFrom(source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text)})
}

// LoadFrom reads files or folders.
func (w *World) LoadFrom(o source.Options) Loaded {
	w.t.Helper()
	out, diags := w.TryLoad(o)
	w.clean(diags)
	return out
}

// TryLoad reads files or folders and returns the problems.
func (w *World) TryLoad(o source.Options) (Loaded, diag.List) {
	w.t.Helper()
	if o.WorkDir == "" {
		o.WorkDir = w.Dir
	}
	o.Claims = engine.Claims()
	files, diags := source.Load(w.t.Context(), o)
	walk := engine.Walk{Targets: w.targets(nil), Env: w.LookupEnv, Files: &source.Result{Documents: files.Documents}}
	more, err := walk.Link()
	if err != nil {
		w.t.Fatal(err)
	}
	return Loaded{Set: walk.Set, Links: walk.Links}, append(diags, more...)
}

// targets are Konnect and decK's part over a connection.
func (w *World) targets(from remote.Target) []engine.Target {
	return engine.KonnectTargets(w.Catalog, from, plan.Organization{ID: "org", Region: "eu", BaseURL: baseURL})
}

func (w *World) clean(diags diag.List) {
	w.t.Helper()
	for _, d := range diags {
		w.t.Error(d.String())
	}
	if len(diags) > 0 {
		w.t.FailNow()
	}
}

// Plan makes a plan for a text; any problem fails the test.
func (w *World) Plan(a Ask, text string) *plan.Plan {
	w.t.Helper()
	return w.PlanLoaded(a, w.Load(text))
}

// PlanLoaded makes a plan for what was loaded.
func (w *World) PlanLoaded(a Ask, l Loaded) *plan.Plan {
	w.t.Helper()
	p, diags := w.TryPlan(a, l, w.Target)
	w.clean(diags)
	return p
}

// TryPlan makes a plan from what a target holds and returns the problems.
func (w *World) TryPlan(a Ask, l Loaded, from remote.Target) (*plan.Plan, diag.List) {
	w.t.Helper()
	walk := engine.Walk{
		Request: a.request(), Targets: w.targets(from), Env: w.LookupEnv, Now: Epoch, Generator: "kongctl test",
		WorkDir: w.Dir,
		Files:   &source.Result{}, Set: l.Set, Links: l.Links,
	}
	walk.Request.Seed = w.Seed
	diags, err := walk.Read(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	more, err := walk.Build(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return walk.Plan, append(diags, more...)
}

// Reread writes a plan and reads it again, as a plan that is carried does.
func (w *World) Reread(p *plan.Plan) *plan.Plan {
	w.t.Helper()
	raw, err := p.Write()
	if err != nil {
		w.t.Fatal(err)
	}
	again, err := plan.Parse(raw)
	if err != nil {
		w.t.Fatalf("%v\n%s", err, raw)
	}
	return again
}

// Outcome is everything that a run reported.
type Outcome struct {
	Report *execute.Report
	Events []event.Event
}

// Run carries a plan out, after it was written and read again.
func (w *World) Run(p *plan.Plan) Outcome {
	w.t.Helper()
	out, err := w.TryRun(w.t.Context(), p, w.Target)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// Execution is what a run of a plan needs, at a time that stands still.
func (w *World) Execution(p *plan.Plan) execute.Input {
	return execute.Input{
		Plan: p, Validate: func(p *plan.Plan) error { return engine.Validate(p, w.Catalog) },
		Driver: drive.New(drive.Config{Catalog: w.Catalog, Target: w.Target, Now: Epoch, Sleep: (&Clock{}).Sleep}).Only,
		Env:    w.LookupEnv, Dir: w.Dir, Concurrency: 4, Now: Epoch,
	}
}

// TryRun carries a plan out on a target and returns why it did not start.
func (w *World) TryRun(ctx context.Context, p *plan.Plan, on remote.Target) (Outcome, error) {
	w.t.Helper()
	var out Outcome
	var inside sync.Mutex
	in := w.Execution(w.Reread(p))
	in.Concurrency, in.Now = w.Concurrency, ticking()
	in.Driver = drive.New(drive.Config{Catalog: w.Catalog, Target: on, Now: in.Now, Sleep: (&Clock{}).Sleep}).Only
	if w.Seed {
		in.Validate = nil
	}
	report, err := execute.Run(ctx, in, func(e event.Event) {
		if !inside.TryLock() {
			w.t.Error("the sink was called while it was at work")
			return
		}
		defer inside.Unlock()
		out.Events = append(out.Events, e)
	})
	out.Report = report
	return out, err
}

// Sync brings a text about by a full sync. All must succeed.
func (w *World) Sync(text string) *plan.Plan {
	w.t.Helper()
	return w.Bring(Ask{}, text)
}

// Apply brings a text about by apply. All must succeed.
func (w *World) Apply(text string) *plan.Plan {
	w.t.Helper()
	return w.Bring(Ask{Mode: plan.ModeApply}, text)
}

// Bring brings a text about as asked. All must succeed.
func (w *World) Bring(a Ask, text string) *plan.Plan {
	w.t.Helper()
	p := w.Plan(a, text)
	for _, b := range p.Blocked {
		w.t.Fatalf("blocked: %s", b.Message)
	}
	w.Succeed(w.Run(p))
	return p
}

// Succeed fails the test unless every change was carried out.
func (w *World) Succeed(o Outcome) {
	w.t.Helper()
	for _, r := range o.Report.Results {
		if r.Status != execute.Succeeded {
			w.t.Errorf("%s: %s: %s", r.ChangeID, r.Status, r.Error)
		}
	}
	if o.Report.Succeeded != o.Report.Total {
		w.t.FailNow()
	}
}

// Settled fails the test if a text still asks for changes.
func (w *World) Settled(a Ask, text string) {
	w.t.Helper()
	w.Recorder.Reset()
	p := w.Plan(a, text)
	if !p.Empty() {
		raw, _ := p.Write() // shown as far as it goes
		w.t.Fatalf("the plan is not empty:\n%s", raw)
	}
	if writes := w.Recorder.Writes(); len(writes) > 0 {
		w.t.Fatalf("planning wrote: %v", writes)
	}
}
