package cli

import (
	"context"
	"fmt"

	"kongctl/internal/konnect/emulator/local"
	"kongctl/internal/plan"
	"kongctl/internal/view"
)

// seed applies a configuration to the embedded Konnect of this process.
func (f *factory) seed(ctx context.Context, e *local.Embedded, file string) error {
	d := newDisplay(f)
	defer d.close()
	engine := f.embeddedEngine(e, d.sink)
	p, err := engine.plan(ctx, planRequest{sources: sourceFlags{files: []string{file}, recursive: true}, mode: plan.ModeApply, seed: true})
	if err != nil {
		return err
	}
	printDiagnostics(f.world.streams.err, p.warnings)
	if err := judge(p.plan, false); err != nil {
		return err
	}
	if p.plan.Empty() {
		return nil
	}
	result, err := engine.run(ctx, runRequest{plan: p.plan, dir: p.dir, bases: p.bases, seed: true})
	if err != nil {
		return err
	}
	if err := verdict(view.NewReport(p.plan, result)); err != nil {
		return fmt.Errorf("seed %s: %w", file, err)
	}
	return nil
}
