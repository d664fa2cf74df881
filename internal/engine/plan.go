package engine

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

const fetchTimeout = 30 * time.Second

// Plan compares a configuration with what exists.
func (e *Engine) Plan(ctx context.Context, r PlanRequest) (*Planned, error) {
	if r.Foreign != nil {
		return restated(ctx, e, r)
	}
	w, err := e.walk(ctx, r, func(w *Walk) (int, error) { return e.build(ctx, w) })
	if err != nil {
		return nil, err
	}
	compared, ignored := comparison(w, w.Plan.Pending, w.Plan.Errors)
	return &Planned{unsavable: w.unsavable(), set: w.Set, files: w.Files, Plan: w.Plan, Compared: compared, Ignored: ignored, Entities: entities(w.attached), Warnings: w.diags, Adopted: w.adopted(), Dir: w.dir(), Bases: w.bases(), Read: w.began, Beside: w.beside(), Regions: w.regions()}, nil
}

// Drifted is what Drift found.
type Drifted struct {
	Drift *plan.Drift
	// Metadata says where it was compared.
	Metadata plan.Metadata
	Compared int
	Warnings diag.List
}

// Drift shows how a configuration and what exists differ, without a
// plan.
func (e *Engine) Drift(ctx context.Context, r PlanRequest) (*Drifted, error) {
	out := &Drifted{}
	r.Scope.CheckIDs = resource.CheckNoIDs // nothing is written
	w, err := e.walk(ctx, r, func(w *Walk) (int, error) {
		var list diag.List
		out.Drift, list = w.Drift()
		return 0, w.found(list)
	})
	if err != nil {
		return nil, err
	}
	out.Compared, _ = comparison(w, out.Drift.Pending, out.Drift.Errors)
	out.Warnings = w.diags
	w.describe(&out.Metadata)
	return out, nil
}

// walk leads a configuration through all stages; the last one is given.
func (e *Engine) walk(ctx context.Context, r PlanRequest, last func(*Walk) (int, error)) (*Walk, error) {
	w, err := e.newWalk(r)
	if err != nil {
		return nil, err
	}
	for _, stage := range []struct {
		name event.Phase
		do   func() (int, error)
	}{
		{event.Loading, func() (int, error) { return e.load(ctx, w) }},
		{event.Reading, func() (int, error) { return e.read(ctx, w) }},
		{event.Planning, func() (int, error) { return last(w) }},
	} {
		if err := e.phase(stage.name, stage.do); err != nil {
			return nil, w.quoted(err)
		}
	}
	w.diags = w.quote(w.diags)
	return w, nil
}

// quote adds the lines that diagnostics are about.
func (w *Walk) quote(list diag.List) diag.List {
	if w.Files == nil {
		return list
	}
	return w.Files.Quote(list)
}

// quoted is an error whose diagnostics have their lines.
func (w *Walk) quoted(err error) error {
	var found *diag.ListError
	if errors.As(err, &found) {
		found.List = w.quote(found.List)
	}
	return err
}

// newWalk is a walk at its beginning.
func (e *Engine) newWalk(r PlanRequest) (*Walk, error) {
	w := &Walk{Request: r, Targets: e.targets.all, registry: e.targets, Env: e.host.Env, Now: e.host.Now, Generator: e.host.generator()}
	err := r.Sources.Check()
	if err != nil {
		return nil, err
	}
	if w.WorkDir, err = e.host.WorkDir(); err != nil {
		return nil, err
	}
	return w, e.targets.load()
}

// load reads the configuration and links it.
func (e *Engine) load(ctx context.Context, w *Walk) (int, error) {
	if w.Request.Adopt.ByName() {
		return 0, w.loadNothing()
	}
	list := e.readSources(ctx, w)
	if err := e.noteSkipped(ctx, w); err != nil {
		return 0, err
	}
	if w.Request.Mode == plan.ModeLive { // the target says what is missing
		list = slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Code == diag.SrcNothingFound })
	}
	w.diags = append(w.diags, list...)
	if w.Request.Mode.Prunes() {
		w.diags = append(w.diags, unread(w.Files.Unread)...)
	}
	if w.Request.Seed {
		if err := w.takeState(); err != nil {
			return 0, err
		}
		if w.seed != nil {
			e.standIns.made = w.seed.Variables
		}
	}
	list, err := w.Link()
	if err != nil {
		return 0, err
	}
	if w.diags.HasErrors() { // what is missing may be in what could not be read
		list = slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Code == diag.KubeNoGroup })
	}
	list = append(list, w.Select()...)
	if list.HasErrors() { // no plan is made that would say so
		list = append(list, oncePerPlace(list, build.CheckDeclared(w.input()))...)
	}
	for _, t := range e.targets.all {
		if a, ok := t.(Attacher); ok {
			list = append(list, a.Attach(w.query(), w.Env)...)
		}
	}
	list = append(list, w.declaresNothing(list)...)
	return len(w.Files.Documents), w.found(list)
}

// readSources reads the documents, unless the request has them.
func (e *Engine) readSources(ctx context.Context, w *Walk) (list diag.List) {
	if w.Request.Documents != nil {
		w.Files = &source.Result{Documents: w.Request.Documents}
		return nil
	}
	s, limits := w.Request.Sources, source.UsualLimits()
	if w.Request.Seed {
		limits = source.StateLimits()
	}
	w.Files, list = source.Load(ctx, source.Options{
		Files: s.Files, Dirs: s.Dirs, Recursive: s.Recursive, Exclude: s.Exclude, BaseDir: s.BaseDir, WorkDir: w.WorkDir,
		Declares: e.targets.declares, Claims: e.targets.claims(), Printed: e.host.Printed,
		Stdin: e.host.Stdin, HTTP: &http.Client{Timeout: fetchTimeout}, SaveDir: s.SaveDir, Limits: limits,
	})
	return list
}

// noteSkipped says which files of a folder were left alone.
func (e *Engine) noteSkipped(ctx context.Context, w *Walk) error {
	log, err := e.host.Log()
	if err != nil {
		return err
	}
	for _, s := range w.Files.Skipped {
		log.InfoContext(ctx, "file is not read as configuration", slog.String("file", s.File), slog.String("why", s.Why))
	}
	return nil
}

// read reads what exists.
func (e *Engine) read(ctx context.Context, w *Walk) (int, error) {
	if err := e.exclude(ctx, w.parts(), w.Set.Namespaces); err != nil {
		return 0, err
	}
	w.began = e.host.Now()
	read := w.Read
	if w.Request.Adopt.ByName() {
		read = w.find
	}
	list, err := read(ctx)
	if err != nil {
		return 0, err
	}
	if err := w.found(append(list, w.unmatched(list)...)); err != nil {
		return 0, err
	}
	return len(w.State.Kinds()), w.attach(ctx)
}

// build makes the plan.
func (e *Engine) build(ctx context.Context, w *Walk) (int, error) {
	list, err := w.Build(ctx)
	if ferr := w.found(list); ferr != nil {
		return 0, ferr
	}
	if err != nil {
		return 0, err
	}
	if w.Request.KeepDeleted {
		if err := w.Keep(ctx); err != nil {
			return 0, err
		}
	}
	if w.Request.Prompts && !w.Request.KeepDeleted {
		if err := watchSettings(ctx, w); err != nil {
			return 0, err
		}
	}
	return len(w.Plan.Changes), e.warnDetached(ctx, w)
}
