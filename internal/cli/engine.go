package cli

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
	"kongctl/internal/execute"
	"kongctl/internal/gateway"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/local"
	"kongctl/internal/konnect/export"
	"kongctl/internal/konnect/language"
	"kongctl/internal/konnect/live"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/source"
)

const fetchTimeout = 30 * time.Second

// pipeline is the engine: all rooms of the house, one after the other.
type pipeline struct {
	factory *factory
	sink    event.Sink
	// connect is called once there is something to ask Konnect: a wrong
	// configuration is told without a token.
	connect func(context.Context) (*session, error)
	session *session
	locks   *locks
	// detached is what unfinished runs left detached, by run; nil where that was
	// not looked for.
	detached map[string]detachment
	// warned are the journals that a warning was about.
	warned map[string]bool
	// gateway runs decK, for the whole run.
	gateway lazyReconciler
}

// openEngine makes the engine for a Konnect of the user's choice.
func (f *factory) openEngine(o engineOptions) (engine, error) {
	p := &pipeline{factory: f, sink: o.sink, locks: o.locks}
	p.connect = func(ctx context.Context) (*session, error) {
		if o.local {
			return f.connectLocal(ctx, o.sink, o.locks)
		}
		return f.connectKonnect(o.sink)
	}
	return p, nil
}

// embeddedEngine makes the engine for an embedded Konnect that this process has
// open.
func (f *factory) embeddedEngine(e *local.Embedded, sink event.Sink) engine {
	return &pipeline{factory: f, sink: sink, connect: func(context.Context) (*session, error) {
		return f.newLocalSession(inProcess(e), local.Direct(e.Handler), sink)
	}}
}

func (p *pipeline) connected(ctx context.Context) (*session, error) {
	if p.session != nil {
		return p.session, nil
	}
	s, err := p.connect(ctx)
	p.session = s
	return s, err
}

// phase tells how long a stage takes.
func (p *pipeline) phase(name event.Phase, do func() (count int, err error)) error {
	began := p.factory.world.now()
	p.sink(event.PhaseStarted{Phase: name})
	n, err := do()
	p.sink(event.PhaseFinished{Phase: name, Count: n, Took: p.factory.world.now().Sub(began)})
	return err
}

// walk is a configuration on its way to a plan.
type walk struct {
	request planRequest
	catalog *catalog.Catalog
	prune   string
	// maxDeletes bounds the deletes; "" does not.
	maxDeletes string
	work       string
	began      time.Time // when reading Konnect began
	loaded     *source.Result
	set        *resource.Set
	links      *resource.Links
	snap       *live.Snapshot
	jobs       []*gateway.Job // for decK
	gateway    []*plan.GatewayJob
	org        plan.Organization
	filter     plan.Filter
	adoption   *plan.Adoption // of a resource that is not declared
	plan       *plan.Plan
	state      *export.State // of a seed that is one
	diags      diag.List
}

// found adds findings; the walk ends at the first stage with an error.
func (w *walk) found(list diag.List) error {
	w.diags = append(w.diags, list...)
	return w.diags.Err()
}

func (p *pipeline) plan(ctx context.Context, r planRequest) (*planned, error) {
	w, err := p.walk(ctx, r, func(w *walk) (int, error) { return p.build(ctx, w) })
	if err != nil {
		return nil, err
	}
	return &planned{plan: w.plan, compared: w.managed(), warnings: w.diags, dir: w.dir(), bases: w.bases(), read: w.began}, nil
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
func (p *pipeline) walk(ctx context.Context, r planRequest, last func(*walk) (int, error)) (*walk, error) {
	w := &walk{request: r}
	err := r.sources.check()
	if err != nil {
		return nil, err
	}
	if w.prune, err = p.factory.prune(); err != nil {
		return nil, err
	}
	if r.prune != "" {
		w.prune = r.prune
	}
	if w.maxDeletes, err = p.factory.maxDeletes(); err != nil {
		return nil, err
	}
	if _, err = p.factory.deckMode(); err != nil {
		return nil, err
	}
	if w.work, err = p.factory.world.workDir(); err != nil {
		return nil, err
	}
	if w.catalog, err = p.factory.catalog(); err != nil {
		return nil, err
	}
	for _, stage := range []struct {
		name event.Phase
		do   func() (int, error)
	}{
		{event.Loading, func() (int, error) { return p.load(ctx, w) }},
		{event.Reading, func() (int, error) { return p.read(ctx, w) }},
		{event.Planning, func() (int, error) { return last(w) }},
	} {
		if err := p.phase(stage.name, stage.do); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// prune is the setting, checked.
func (f *factory) prune() (string, error) {
	s, err := f.settings()
	if err != nil {
		return "", err
	}
	known := []string{live.PruneFull, live.PruneDeclared, live.PruneNone}
	prune, origin, ok := s.Lookup(settingPrune)
	if !ok || prune == "" {
		return live.PruneFull, nil
	}
	if !slices.Contains(known, prune) {
		return "", usagef("invalid value %q for prune (%s): use %s", prune, origin, diag.Join(known, "or"))
	}
	return prune, nil
}

// load reads the configuration and links it.
func (p *pipeline) load(ctx context.Context, w *walk) (int, error) {
	if w.request.adopt.byName() {
		return 0, w.loadNothing()
	}
	f, s := p.factory, w.request.sources
	var list diag.List
	w.loaded, list = source.Load(ctx, source.Options{
		Files: s.files, Dirs: s.dirs, Recursive: s.recursive, Exclude: s.exclude, BaseDir: s.baseDir, WorkDir: w.work,
		Declares: func(key string) bool { return language.Declares(w.catalog, key) },
		Stdin:    f.world.streams.in, HTTP: &http.Client{Timeout: fetchTimeout},
	})
	if err := p.noteSkipped(ctx, w); err != nil {
		return 0, err
	}
	w.diags = append(w.diags, list...)
	if w.request.mode == plan.ModeSync {
		w.diags = append(w.diags, unread(w.loaded.Unread)...)
	}
	if w.request.seed {
		if err := w.takeState(); err != nil {
			return 0, err
		}
	}
	w.set, list = language.Build(w.catalog, w.loaded.Documents, language.Options{
		Env:                 f.readable,
		Skipped:             w.loaded.Skipped,
		Incomplete:          w.loaded.Incomplete,
		RequireNamespaces:   w.request.scope.requireNamespaces,
		RequireAnyNamespace: w.request.scope.requireAnyNamespace,
	})
	links, more := resource.Link(w.set)
	w.links = links
	list = append(append(list, more...), p.readFilter(w)...)
	list = append(list, p.loadGateway(w)...)
	list = append(list, w.declaresNothing(list)...)
	return len(w.loaded.Documents), w.found(list)
}

// noteSkipped says which files of a folder were left alone.
func (p *pipeline) noteSkipped(ctx context.Context, w *walk) error {
	log, err := p.factory.logger()
	if err != nil {
		return err
	}
	for _, s := range w.loaded.Skipped {
		log.InfoContext(ctx, "file is not read as configuration", slog.String("file", s.File), slog.String("why", s.Why))
	}
	return nil
}

// read reads what exists.
func (p *pipeline) read(ctx context.Context, w *walk) (int, error) {
	s, err := p.connected(ctx)
	if err != nil {
		return 0, err
	}
	if err := p.exclude(ctx, s, w.set.Namespaces); err != nil {
		return 0, err
	}
	w.org, w.began = s.organization, p.factory.world.now()
	var list diag.List
	group, gctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		w.org.ID, err = s.organizationID(gctx)
		return err
	})
	group.Go(func() (err error) {
		if w.request.adopt.byName() {
			list, err = w.find(gctx, s.target)
			return err
		}
		q := w.query()
		if q.Made, err = p.made(gctx, s, w.catalog); err != nil {
			return err
		}
		q.Sleep = p.factory.world.sleep
		w.snap, list, err = live.Read(gctx, s.target, q)
		return err
	})
	if err := group.Wait(); err != nil {
		return 0, err
	}
	if err := w.found(list); err != nil {
		return 0, err
	}
	return len(w.snap.Kinds()), p.readGateway(ctx, w, s)
}

// build makes the plan.
func (p *pipeline) build(ctx context.Context, w *walk) (int, error) {
	built, list, err := plan.BuildWith(p.buildInput(w), func(removed []live.Removed) (*live.Users, error) {
		s, err := p.connected(ctx)
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
	switch {
	case w.state != nil:
		w.state.Restore(w.catalog, w.plan, p.factory.readable)
	case w.request.seed:
		export.KeepOrder(w.catalog, w.plan)
	default:
		if err := checkOwn(w.plan, w.catalog); err != nil {
			return 0, err
		}
	}
	return len(w.plan.Changes), p.warnDetached(ctx, w)
}

func (p *pipeline) buildInput(w *walk) plan.BuildInput {
	return plan.BuildInput{
		Catalog: w.catalog, Set: w.set, Links: w.links, Snapshot: w.snap,
		Mode: w.request.mode, Prune: w.prune, AllowReplace: w.request.scope.allowReplace, AllowCascade: w.request.scope.allowCascade,
		AllowEmpty: w.request.scope.allowEmpty, MaxDeletes: w.maxDeletes, WriteSecrets: w.request.scope.secrets(),
		Organization: w.org, Inputs: w.inputs(), Env: p.factory.readable,
		Filter: w.filter, Adopt: w.adoption, Gateway: w.gateway, AllowPending: w.request.scope.allowPending,
		Now: p.factory.world.now(), Generator: generator(), Dir: w.dir(),
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
	if w.request.dir == "" {
		return disk.Real(w.work)
	}
	return disk.Real(w.request.dir)
}

// rebase names a file, known by its way from the current folder, by its way
// from the plan's.
func (w *walk) rebase(file string) string {
	if w.request.dir == "" || file == "-" || strings.Contains(file, "://") || filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(w.dir(), filepath.Join(disk.Real(w.work), filepath.FromSlash(file)))
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

func (p *pipeline) run(ctx context.Context, r runRequest) (*execute.Report, error) {
	cat, err := p.factory.catalog()
	if err != nil {
		return nil, err
	}
	s, err := p.connected(ctx)
	if err != nil {
		return nil, err
	}
	in, err := p.input(ctx, r, cat, s)
	if err != nil {
		return nil, err
	}
	if in.Checked = r.read; p.stale(r) {
		if err := p.checkLive(ctx, &in, r); err != nil {
			return nil, err
		}
	}
	j, err := p.journal(r)
	if err != nil {
		return nil, err
	}
	if l, err := p.running(); err == nil {
		l.claim(j.Name())
	}
	return p.journalled(ctx, in, j)
}

func (p *pipeline) input(ctx context.Context, r runRequest, cat *catalog.Catalog, s *session) (execute.Input, error) {
	in := execute.Input{
		Plan: r.plan, Seed: r.seed, Catalog: cat, Target: s.target, Env: p.factory.readable, Dir: r.dir, Bases: r.bases,
		Concurrency: s.concurrency, Now: p.factory.world.now, GoOnAfterDeck: r.goOnAfterDeck, SkipMoved: r.onDrift == driftSkip,
		Unfinished: r.unfinished, Sleep: p.factory.world.sleep,
	}
	if r.plan.Summary.ByAction[plan.ExternalTool] > 0 {
		var err error
		if in.Gateway, err = p.reconciler(ctx, s); err != nil {
			return in, err
		}
	}
	return in, nil
}
