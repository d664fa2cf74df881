package engine

import (
	"context"
	"slices"

	"kongctl/internal/plan/derive"

	"kongctl/internal/execute"
	"kongctl/internal/gateway"
	gatewaydrive "kongctl/internal/gateway/drive"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/drive"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/propose"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/source"
)

// Catalog loads Konnect's types.
type Catalog = func() (*catalog.Catalog, error)

// Claims are what the targets say about documents.
func Claims() []source.Claim { return []source.Claim{gateway.Claim()} }

// Types are those of all targets.
func Types(cat *catalog.Catalog) *resource.Types {
	return cat.Types().With(resource.NewTypes([]*resource.Type{gateway.Type()}, nil))
}

// rules are what the target of a type allows.
func rules(t *resource.Type) plan.Rules {
	if t.Attached {
		return gateway.Rules{}
	}
	return propose.Rules{}
}

// Validate refuses a plan that asks for what its kind does not allow.
func Validate(p *plan.Plan, cat *catalog.Catalog) error { return plan.Validate(p, Types(cat), rules) }

// validate refuses a plan that asks for what its kind does not allow.
func validate(p *plan.Plan, cat *catalog.Catalog) error { return Validate(p, cat) }

// input is what a run of a plan needs.
func (e *Engine) input(ctx context.Context, r RunRequest, s *session, made []live.Made) (execute.Input, error) {
	p := r.Planned
	in := execute.Input{
		Plan: p.Plan, Env: e.host.Env, Dir: p.Dir, Bases: p.Bases,
		Concurrency: s.concurrency, Now: e.host.Now, SkipMoved: r.SkipMoved, Unfinished: r.Unfinished,
	}
	if !r.Seed {
		in.Validate = func(p *plan.Plan) error { return validate(p, s.catalog) }
	}
	var err error
	in.Driver, err = e.drivers(ctx, r, in, s, made)
	return in, err
}

// drivers returns who carries out the changes of a type.
func (e *Engine) drivers(ctx context.Context, r RunRequest, in execute.Input, s *session, made []live.Made) (func(kind string) execute.Driver, error) {
	konnect := drive.New(drive.Config{Catalog: s.catalog, Target: s.target, Now: e.host.Now, Sleep: e.host.sleep, Made: made})
	if r.Planned.Plan.Summary.ByAction[plan.ExternalTool] == 0 {
		return konnect.Only, nil
	}
	by, err := e.gateway.open(ctx, s)
	if err != nil {
		return nil, err
	}
	deck := gatewaydrive.New(gatewaydrive.Config{
		Sources:    gatewaydrive.Sources{Catalog: s.catalog, Values: in.Values()},
		Reconciler: by, Konnect: konnect, GoOn: r.GoOnAfterGateway, Sleep: e.host.sleep,
	})
	return func(kind string) execute.Driver {
		if kind == gateway.Kind {
			return deck
		}
		return konnect
	}, nil
}

// tracer returns who finds the results of a plan that was carried out.
func (e *Engine) tracer(s *session) func(kind string) execute.Driver {
	return drive.New(drive.Config{Catalog: s.catalog, Target: s.target, Now: e.host.Now}).Only
}

// inverse makes the plan that undoes another.
func inverse(s *session, in derive.InverseInput) *plan.Plan {
	in.Types, in.Undoer = Types(s.catalog), propose.UndoerFor
	return derive.Inverse(in)
}

// made lists what unfinished runs created, and others a moment ago, so that it is
// not created again.
func (h *history) made(ctx context.Context, s *session) ([]live.Made, error) {
	runs, err := h.unfinished(ctx, s)
	if err != nil {
		return nil, err
	}
	recent, err := h.recent(ctx, s)
	if err != nil {
		return nil, err
	}
	deleted := map[string]bool{}
	var out []live.Made
	for _, u := range append(runs, recent...) {
		for _, id := range u.Deleted() {
			deleted[id] = true
		}
		out = append(out, drive.Made(u, s.catalog, h.host.Env, h.host.Now)...)
	}
	return slices.DeleteFunc(out, func(m live.Made) bool { return deleted[m.ID] }), nil
}

// volatile are the labels that every run writes.
func volatile() []string { return []string{label.Hash, label.LastUpdated} }
