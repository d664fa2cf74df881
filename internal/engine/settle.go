package engine

import (
	"context"
	"errors"

	"github.com/kongctl/kongctl/internal/plan"
)

// Settle waits until what was read for a plan and needed no change is ready, too.
// Targets that cannot say so are not waited for.
func (e *Engine) Settle(ctx context.Context, p *plan.Plan) error {
	if err := e.targets.load(); err != nil {
		return err
	}
	var errs []error
	for _, t := range e.targets.involved(p) {
		if s, ok := t.(Settler); ok {
			errs = append(errs, s.Settle(ctx, p))
		}
	}
	return errors.Join(errs...)
}
