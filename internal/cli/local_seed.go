package cli

import (
	"context"
	"fmt"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// seed applies a configuration to the embedded Konnect of this process, and a state
// to every region that it has something for.
func (f *factory) seed(ctx context.Context, on *local.Embedded, file string) error {
	d := newDisplay(f)
	defer d.close()
	regions, err := seedRegion(ctx, f, engineOptions{embedded: on, sink: d.sink}, file)
	for _, region := range regions {
		if err != nil {
			break
		}
		_, err = seedRegion(ctx, f, engineOptions{embedded: on, sink: d.sink, region: region}, file)
	}
	if err != nil {
		return fmt.Errorf("seed %s: %w", file, err)
	}
	return nil
}

// seedRegion fills one region and returns the others of the same state. What Konnect
// reads from a resource is there after it: what refers to that is made in a second run.
func seedRegion(ctx context.Context, f *factory, o engineOptions, file string) ([]string, error) {
	r := engine.PlanRequest{Sources: engine.Sources{Files: []string{file}, Recursive: true}, Mode: plan.ModeApply, Seed: true, Region: o.region}
	r.Scope.AllowPending = true
	p, err := seedOnce(ctx, f, o, r)
	if err != nil || len(p.Plan.Pending) == 0 {
		return regionsOf(p), err
	}
	r.Scope.AllowPending, r.Adopt.Overwrite = false, true // the labels are those of the state by now
	for _, waits := range p.Plan.Pending {
		r.Scope.Filter.Isolate = append(r.Scope.Filter.Isolate, waits.ResourceRef)
	}
	_, err = seedOnce(ctx, f, o, r)
	return regionsOf(p), err
}

func regionsOf(p *engine.Planned) []string {
	if p == nil {
		return nil
	}
	return p.Regions
}

// seedOnce makes a plan and carries it out.
func seedOnce(ctx context.Context, f *factory, o engineOptions, r engine.PlanRequest) (*engine.Planned, error) {
	e, err := f.openEngine(o)
	if err != nil {
		return nil, err
	}
	if r, err = f.request(r); err != nil {
		return nil, err
	}
	p, err := e.Plan(ctx, r)
	if err != nil {
		return nil, err
	}
	printDiagnostics(f.world.streams.err, f.errStyle(), p.Warnings)
	if err := judge(p.Plan, false); err != nil || p.Plan.Empty() {
		return p, err
	}
	result, err := e.Run(ctx, engine.RunRequest{Planned: p, Seed: true})
	if err != nil {
		return nil, err
	}
	return p, verdict(view.NewReport(p.Plan, result))
}
