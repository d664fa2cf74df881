package engine

import (
	"context"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/gateway"
	gatewaydrive "github.com/kongctl/kongctl/internal/gateway/drive"
	gatewaytarget "github.com/kongctl/kongctl/internal/gateway/target"
	"github.com/kongctl/kongctl/internal/konnect"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Catalog loads Konnect's types.
type Catalog = func() (*catalog.Catalog, error)

// Meaning is what fields of Konnect's types had, as people compare it with what they
// get, for those who show differences.
func Meaning(load Catalog) func(kind string, p value.Path, old, now any) (shown any, words string) {
	return func(kind string, p value.Path, old, now any) (any, string) {
		cat, err := load()
		if err != nil || cat.Kind(kind) == nil || cat.Kind(kind).ReadOnly {
			return old, "" // whoever needs the types says why
		}
		return diff.Shown(cat.Kind(kind), p, old, now)
	}
}

// Holds reports whether a resource of Konnect with some fields can have another one, for
// those who show differences. Of what is not known it says yes.
func Holds(load Catalog) func(kind string, fields map[string]any, p value.Path) bool {
	return func(kind string, fields map[string]any, p value.Path) bool {
		cat, err := load()
		if err != nil || cat.Kind(kind) == nil || cat.Kind(kind).ReadOnly {
			return true
		}
		t := cat.Kind(kind)
		return t.Write().At(p, fields) != nil || catalog.Chosen(t.Write(), p) || t.IsIdentity(p)
	}
}

// Default is the value that a field of Konnect's types has where a resource with some
// fields leaves it out, for those who show differences.
func Default(load Catalog) func(kind string, fields map[string]any, p value.Path) (any, bool) {
	return func(kind string, fields map[string]any, p value.Path) (any, bool) {
		cat, err := load()
		if err != nil || cat.Kind(kind) == nil || cat.Kind(kind).ReadOnly {
			return nil, false
		}
		return catalog.LeftOut(cat.Kind(kind), fields, p)
	}
}

// targets are all targets, without a connection: what a plan may hold.
func (h Host) targets() *registry {
	return h.register(konnect.Config{Catalog: h.Catalog}, nil)
}

// register makes Konnect and decK's part and puts the other targets after them.
func (h Host) register(c konnect.Config, reconciler func(context.Context) (gateway.Reconciler, error)) *registry {
	k := konnect.New(c)
	g := gatewaytarget.New(gatewaytarget.Config{
		Core: core(c.Catalog), Contract: takes(c.Catalog), Reconciler: reconciler, Sleep: c.Sleep,
		Konnect: func(ctx context.Context, in execute.Input) (gatewaydrive.Konnect, error) { return k.Running(ctx, in) },
	})
	return &registry{all: append([]Target{k, g, h.cluster()}, h.Targets...)}
}

// cluster makes the target Kubernetes.
func (h Host) cluster() *kube.Target {
	c := kube.Config{Options: h.Kube, Now: h.Now, Sleep: h.sleep}
	if c.Options.Connection.Env == nil {
		c.Options.Connection.Env = h.Env
	}
	if c.Warn = h.Kube.Connection.Warn; c.Warn == nil && h.Log != nil {
		c.Warn = func(text string) {
			if log, err := h.Log(); err == nil {
				log.Warn(text)
			}
		}
	}
	return kube.New(c)
}

// tellOfObjects makes events of what the target Kubernetes says.
func (e *Engine) tellOfObjects() {
	if e.sink == nil {
		return
	}
	named := func(id object.ID) event.Object {
		return event.Object{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
	}
	k := &e.host.Kube
	k.Connection.Warn = func(text string) { e.sink(event.Warning{Text: text}) }
	k.Status = func(id object.ID, status, message string) {
		e.sink(event.Observed{Object: named(id), Status: status, Message: message})
	}
	k.Settled = func(id object.ID, err error) { e.sink(event.Settled{Object: named(id), Err: err}) }
}

// Inventory returns the inventory that a configuration names. The cluster is not
// asked.
func (e *Engine) Inventory(ctx context.Context, s Sources) (object.Inventory, error) {
	w, err := e.newWalk(PlanRequest{Sources: s, Mode: plan.ModeLive, Targets: []string{kube.Name}})
	if err != nil {
		return object.Inventory{}, err
	}
	if err := e.phase(event.Loading, func() (int, error) { return e.load(ctx, w) }); err != nil {
		return object.Inventory{}, err
	}
	for _, t := range e.targets.all {
		if k, ok := t.(*kube.Target); ok {
			return k.Inventory(), nil
		}
	}
	return object.Inventory{}, nil
}

// register makes the targets of an engine.
func (e *Engine) register() {
	e.tellOfObjects()
	e.targets = e.host.register(konnect.Config{
		Catalog: e.host.Catalog, Env: e.host.Env, Now: e.host.Now, Sleep: e.host.sleep,
		Open: func(ctx context.Context) (remote.Target, error) {
			s, err := e.konnect.open(ctx)
			if err != nil {
				return nil, err
			}
			return s.target, nil
		},
		Organization: func(ctx context.Context) (plan.Organization, error) {
			s, err := e.konnect.open(ctx)
			if err != nil {
				return plan.Organization{}, err
			}
			return s.whose(ctx)
		},
		Where: func(ctx context.Context) (string, error) {
			s, err := e.konnect.open(ctx)
			if err != nil {
				return "", err
			}
			return s.place(ctx)
		},
		Runs: e.runs,
	}, func(ctx context.Context) (gateway.Reconciler, error) {
		s, err := e.konnect.open(ctx)
		if err != nil {
			return nil, err
		}
		return e.gateway.open(ctx, s)
	})
}

// runs are the unfinished runs, and those that ended a moment ago.
func (e *Engine) runs(ctx context.Context) ([]*execute.Unfinished, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return nil, err
	}
	runs, err := e.history.unfinished(ctx, s.here)
	if err != nil {
		return nil, err
	}
	recent, err := e.history.recent(ctx, s.here)
	return append(runs, recent...), err
}

// needsKonnect reports whether one of some targets is reached through Konnect.
func needsKonnect(targets []Target) bool {
	for _, t := range targets {
		switch t.(type) {
		case *konnect.Target, *gatewaytarget.Target:
			return true
		}
	}
	return false
}

// KonnectTargets returns Konnect and decK's part over a connection that is there,
// for tests of the walk.
func KonnectTargets(cat *catalog.Catalog, from remote.Target, at plan.Organization) []Target {
	return Host{}.register(konnect.Config{
		Catalog:      func() (*catalog.Catalog, error) { return cat, nil },
		Open:         func(context.Context) (remote.Target, error) { return from, nil },
		Organization: func(context.Context) (plan.Organization, error) { return at, nil },
	}, nil).all
}

// Claims are what Konnect and decK's part say about documents.
func Claims() []source.Claim { return Host{}.targets().claims() }

// Validate refuses a plan that asks for what its kind does not allow.
func Validate(p *plan.Plan, cat *catalog.Catalog) error {
	return Host{Catalog: func() (*catalog.Catalog, error) { return cat, nil }}.Validate(p)
}

// gatewayPattern fits decK's part of a configuration alone.
const gatewayPattern = "type:" + gateway.Kind

// volatile are the labels that every run writes.
func volatile() []string { return []string{label.Hash, label.LastUpdated} }

// takes returns what Konnect's API takes.
func takes(load func() (*catalog.Catalog, error)) func() (*contract.Contract, error) {
	return func() (*contract.Contract, error) {
		cat, err := load()
		if err != nil {
			return nil, err
		}
		return cat.Contract, nil
	}
}

// core returns the types of Konnect.
func core(load func() (*catalog.Catalog, error)) func() (*resource.Types, error) {
	return func() (*resource.Types, error) {
		cat, err := load()
		if err != nil {
			return nil, err
		}
		return cat.Types(), nil
	}
}
