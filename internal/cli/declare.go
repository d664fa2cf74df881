package cli

import (
	"context"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

// declare loads a configuration without asking a server.
func declare(ctx context.Context, f *factory, r engine.PlanRequest) (*engine.Declared, error) {
	d := newDisplay(f)
	defer d.close()
	e, err := f.openEngine(engineOptions{sink: d.sink})
	if err != nil {
		return nil, err
	}
	if r.Mode == "" {
		r.Mode = plan.ModeApply
	}
	return engine.Declare(ctx, e, r)
}
