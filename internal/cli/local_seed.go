package cli

import (
	"context"
	"fmt"

	"kongctl/internal/engine"
	"kongctl/internal/konnect/emulator/local"
	"kongctl/internal/plan"
	"kongctl/internal/view"
)

// seed applies a configuration to the embedded Konnect of this process.
func (f *factory) seed(ctx context.Context, on *local.Embedded, file string) error {
	d := newDisplay(f)
	defer d.close()
	e, err := f.openEngine(engineOptions{embedded: on, sink: d.sink})
	if err != nil {
		return err
	}
	r, err := f.request(engine.PlanRequest{Sources: engine.Sources{Files: []string{file}, Recursive: true}, Mode: plan.ModeApply, Seed: true})
	if err != nil {
		return err
	}
	p, err := e.Plan(ctx, r)
	if err != nil {
		return err
	}
	printDiagnostics(f.world.streams.err, p.Warnings)
	if err := judge(p.Plan, false); err != nil {
		return err
	}
	if p.Plan.Empty() {
		return nil
	}
	result, err := e.Run(ctx, engine.RunRequest{Planned: p, Seed: true})
	if err != nil {
		return err
	}
	if err := verdict(view.NewReport(p.Plan, result)); err != nil {
		return fmt.Errorf("seed %s: %w", file, err)
	}
	return nil
}
