package engine

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"kongctl/internal/diag"
	"kongctl/internal/disk"
	"kongctl/internal/event"
	"kongctl/internal/gateway"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/export"
	"kongctl/internal/konnect/language"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/propose"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/source"
)

const fetchTimeout = 30 * time.Second

// walk is a configuration on its way to a plan.
type walk struct {
	request  PlanRequest
	catalog  *catalog.Catalog
	work     string
	began    time.Time // when reading Konnect began
	loaded   *source.Result
	set      *resource.Set
	links    *resource.Links
	snap     *live.Snapshot
	jobs     []*gateway.Job // for decK
	gateway  []*plan.GatewayJob
	org      plan.Organization
	filter   plan.Filter
	adoption *plan.Adoption // of a resource that is not declared
	plan     *plan.Plan
	state    *export.State // of a seed that is one
	diags    diag.List
}

// found adds findings; the walk ends at the first stage with an error.
func (w *walk) found(list diag.List) error {
	w.diags = append(w.diags, list...)
	return w.diags.Err()
}

// Plan compares a configuration with what exists.
func (e *Engine) Plan(ctx context.Context, r PlanRequest) (*Planned, error) {
	w, err := e.walk(ctx, r, func(w *walk) (int, error) { return e.build(ctx, w) })
	if err != nil {
		return nil, err
	}
	return &Planned{Plan: w.plan, Compared: w.managed(), Warnings: w.diags, Dir: w.dir(), Bases: w.bases(), Read: w.began}, nil
}

// Drifted is what Drift found.
type Drifted struct {
	Drift    *plan.Drift
	Compared int
	Warnings diag.List
}

// Drift shows how a configuration and what exists have grown apart, without a
// plan.
func (e *Engine) Drift(ctx context.Context, r PlanRequest) (*Drifted, error) {
	out := &Drifted{}
	w, err := e.walk(ctx, r, func(w *walk) (int, error) {
		var list diag.List
		out.Drift, list = plan.FindDrift(e.buildInput(w))
		return 0, w.found(list)
	})
	if err != nil {
		return nil, err
	}
	out.Compared, out.Warnings = w.managed(), w.diags
	return out, nil
}

// managed counts what is declared and ours.
func (w *walk) managed() int {
	n := 0
	for _, r := range w.set.Resources {
		if r.External == nil {
			n++
		}
	}
	return n
}

// walk leads a configuration through all stages; the last one is given.
func (e *Engine) walk(ctx context.Context, r PlanRequest, last func(*walk) (int, error)) (*walk, error) {
	w := &walk{request: r}
	err := r.Sources.Check()
	if err != nil {
		return nil, err
	}
	if w.work, err = e.host.WorkDir(); err != nil {
		return nil, err
	}
	if w.catalog, err = e.host.Catalog(); err != nil {
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
			return nil, err
		}
	}
	return w, nil
}

// load reads the configuration and links it.
func (e *Engine) load(ctx context.Context, w *walk) (int, error) {
	if w.request.Adopt.ByName() {
		return 0, w.loadNothing()
	}
	s := w.request.Sources
	var list diag.List
	w.loaded, list = source.Load(ctx, source.Options{
		Files: s.Files, Dirs: s.Dirs, Recursive: s.Recursive, Exclude: s.Exclude, BaseDir: s.BaseDir, WorkDir: w.work,
		Declares: func(key string) bool { return language.Declares(w.catalog, key) },
		Stdin:    e.host.Stdin, HTTP: &http.Client{Timeout: fetchTimeout},
	})
	if err := e.noteSkipped(ctx, w); err != nil {
		return 0, err
	}
	w.diags = append(w.diags, list...)
	if w.request.Mode == plan.ModeSync {
		w.diags = append(w.diags, unread(w.loaded.Unread)...)
	}
	if w.request.Seed {
		if err := w.takeState(); err != nil {
			return 0, err
		}
	}
	w.set, list = language.Build(w.catalog, w.loaded.Documents, language.Options{
		Env:                 e.host.Env,
		Skipped:             w.loaded.Skipped,
		Incomplete:          w.loaded.Incomplete,
		RequireNamespaces:   w.request.Scope.RequireNamespaces,
		RequireAnyNamespace: w.request.Scope.RequireAnyNamespace,
	})
	links, more := resource.Link(w.set)
	w.links = links
	list = append(append(list, more...), e.host.readFilter(w)...)
	list = append(list, e.host.loadGateway(w)...)
	list = append(list, w.declaresNothing(list)...)
	return len(w.loaded.Documents), w.found(list)
}

// noteSkipped says which files of a folder were left alone.
func (e *Engine) noteSkipped(ctx context.Context, w *walk) error {
	log, err := e.host.Log()
	if err != nil {
		return err
	}
	for _, s := range w.loaded.Skipped {
		log.InfoContext(ctx, "file is not read as configuration", slog.String("file", s.File), slog.String("why", s.Why))
	}
	return nil
}

// read reads what exists.
func (e *Engine) read(ctx context.Context, w *walk) (int, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return 0, err
	}
	if err := e.exclude(ctx, s, w.set.Namespaces); err != nil {
		return 0, err
	}
	w.org, w.began = s.organization, e.host.Now()
	var list diag.List
	group, gctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		w.org.ID, err = s.organizationID(gctx)
		return err
	})
	group.Go(func() (err error) {
		if w.request.Adopt.ByName() {
			list, err = w.find(gctx, s.target)
			return err
		}
		q := w.query()
		if q.Made, err = e.history.made(gctx, s, w.catalog); err != nil {
			return err
		}
		q.Sleep = e.host.sleep
		w.snap, list, err = live.Read(gctx, s.target, q)
		return err
	})
	if err := group.Wait(); err != nil {
		return 0, err
	}
	if err := w.found(list); err != nil {
		return 0, err
	}
	return len(w.snap.Kinds()), e.gateway.read(ctx, w, s)
}

// build makes the plan.
func (e *Engine) build(ctx context.Context, w *walk) (int, error) {
	built, list, err := plan.BuildWith(e.buildInput(w), func(removed []resource.Removed) (*resource.Users, error) {
		s, err := e.konnect.open(ctx)
		if err != nil {
			return nil, err
		}
		return live.ReadUsers(ctx, s.target, w.catalog, w.snap, removed)
	})
	if err != nil {
		return 0, err
	}
	w.plan = built
	if err := w.found(list); err != nil {
		return 0, err
	}
	for _, c := range w.plan.Changes {
		if c.Source != nil {
			c.Source.File = w.rebase(c.Source.File)
		}
	}
	if w.request.Seed {
		w.fill(e.host.Env)
	} else if err := checkOwn(w.plan, w.catalog); err != nil {
		return 0, err
	}
	return len(w.plan.Changes), e.warnDetached(ctx, w)
}

func (e *Engine) buildInput(w *walk) plan.BuildInput {
	return plan.BuildInput{
		Types: w.catalog.Types(), Proposer: propose.For, Set: w.set, Links: w.links, Snapshot: w.snap,
		Mode: w.request.Mode, Prune: w.request.Prune, AllowReplace: w.request.Scope.AllowReplace, AllowCascade: w.request.Scope.AllowCascade,
		AllowEmpty: w.request.Scope.AllowEmpty, MaxDeletes: w.request.MaxDeletes, WriteSecrets: w.request.Scope.WriteSecrets,
		Organization: w.org, Inputs: w.inputs(), Env: e.host.Env,
		Filter: w.filter, Adopt: w.adoption, Gateway: w.gateway, AllowPending: w.request.Scope.AllowPending,
		Now: e.host.Now(), Generator: e.host.generator(), Dir: w.dir(),
	}
}

func (w *walk) inputs() []plan.Input {
	var out []plan.Input
	for _, in := range w.loaded.Inputs {
		out = append(out, plan.Input{File: w.rebase(in.File), SHA256: in.SHA256})
	}
	return out
}

// bases are the folders that the documents may read files from.
func (w *walk) bases() []string {
	var out []string
	for _, d := range w.loaded.Documents {
		if !slices.Contains(out, d.Base) {
			out = append(out, d.Base)
		}
	}
	return out
}

// dir is the folder that paths in the plan start from.
func (w *walk) dir() string {
	if w.request.Dir == "" {
		return disk.Real(w.work)
	}
	return disk.Real(w.request.Dir)
}

// rebase names a file, known by its way from the current folder, by its way
// from the plan's.
func (w *walk) rebase(file string) string {
	if w.request.Dir == "" || file == "-" || strings.Contains(file, "://") || filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(w.dir(), filepath.Join(disk.Real(w.work), filepath.FromSlash(file)))
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}
