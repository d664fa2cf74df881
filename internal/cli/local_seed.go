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

// seedRegion fills one region and returns the others of the same state.
func seedRegion(ctx context.Context, f *factory, o engineOptions, file string) ([]string, error) {
	e, err := f.openEngine(o)
	if err != nil {
		return nil, err
	}
	r, err := f.request(engine.PlanRequest{Sources: engine.Sources{Files: []string{file}, Recursive: true}, Mode: plan.ModeApply, Seed: true, Region: o.region})
	if err != nil {
		return nil, err
	}
	p, err := e.Plan(ctx, r)
	if err != nil {
		return nil, err
	}
	printDiagnostics(f.world.streams.err, f.errStyle(), p.Warnings)
	if err := judge(p.Plan, false); err != nil || p.Plan.Empty() {
		return p.Regions, err
	}
	result, err := e.Run(ctx, engine.RunRequest{Planned: p, Seed: true})
	if err != nil {
		return nil, err
	}
	return p.Regions, verdict(view.NewReport(p.Plan, result))
}
