package cli

import (
	"context"
	"path/filepath"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/view"
)

// backend is what the verbs need of the engine.
type backend interface {
	Plan(ctx context.Context, r engine.PlanRequest) (*engine.Planned, error)
	Run(ctx context.Context, r engine.RunRequest) (*execute.Report, error)
	Rehearse(ctx context.Context, r engine.RunRequest) ([]execute.Moved, error)
	Verify(ctx context.Context, r engine.RunRequest, again engine.PlanRequest) ([]*plan.Change, error)
	Continue(ctx context.Context, r engine.ContinueRequest) (*engine.Continued, error)
	Retire(ctx context.Context, done *plan.Plan, id string) ([]string, error)
	Inverse(ctx context.Context, r engine.InverseRequest) (*engine.Planned, error)
	Drift(ctx context.Context, r engine.PlanRequest) (*engine.Drifted, error)
	Settle(ctx context.Context, p *plan.Plan) error
}

// engineOptions say which Konnect an engine works on and who listens.
type engineOptions struct {
	local bool
	sink  event.Sink
	// lock keeps other runs off what this one changes.
	lock bool
	// embedded is an embedded Konnect that this process has open.
	embedded *local.Embedded
	// region is another one than the settings name.
	region string
}

// host is what the engine takes from this process.
func (f *factory) host() engine.Host {
	w := f.world
	return engine.Host{
		Now: w.now, After: w.after, WorkDir: w.workDir, Stdin: w.streams.in, Env: f.readable, Log: f.logger,
		Aborted: w.interrupts.aborted, Command: f.command, Version: version, Catalog: f.catalog, Kube: f.kube,
		Printed: append(view.Printed(), source.FormOf(build{})),
		State: func() (string, error) {
			state, err := w.folder("XDG_STATE_HOME", ".local", "state")
			return filepath.Join(state, "kongctl"), err
		},
	}
}

// openEngine makes the engine for a Konnect of the user's choice.
func (f *factory) openEngine(o engineOptions) (*engine.Engine, error) {
	k := engine.Konnect{
		Account: func(ctx context.Context) (engine.Account, error) { return f.account(ctx, o.region) },
		Data:    f.dataDir, Embedded: o.embedded, Region: o.region, Concurrency: f.maxConcurrency, Retry: func() (engine.Retry, error) { return retrySettings(f) }, Reason: message,
	}
	if o.local {
		host := f.local()
		k.Local = &host
		s, err := f.settings()
		if err != nil {
			return nil, err
		}
		k.LocalToken = s.Flag(profile.Token)
	}
	e, err := engine.New(engine.Options{Host: f.host(), Sink: o.sink, Lock: o.lock, Konnect: k, Gateway: f.gateway})
	if err != nil {
		return nil, err
	}
	f.onClose(e.Close)
	return e, nil
}

// openBackend makes the engine for the verbs that tests can run without one.
func (f *factory) openBackend(o engineOptions) (backend, error) {
	e, err := f.openEngine(o)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// request adds the settings to what is asked for. A setting that is wrong is reported
// before anything is read.
func (f *factory) request(r engine.PlanRequest) (engine.PlanRequest, error) {
	err := r.Sources.Check()
	if err != nil {
		return r, err
	}
	prune, err := f.prune()
	if err != nil {
		return r, err
	}
	if r.Prune == "" {
		r.Prune = prune
	}
	if r.MaxDeletes, err = f.maxDeletes(); err != nil {
		return r, err
	}
	_, err = f.gateway()
	return r, err
}
