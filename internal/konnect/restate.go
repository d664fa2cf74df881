package konnect

import (
	"context"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/restate"
	"github.com/kongctl/kongctl/internal/plan"
)

// Restate declares what changes of another program lead to.
func (t *Target) Restate(ctx context.Context, changes []*plan.Change) (*execute.Restated, error) {
	from, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	cat, err := t.Catalog()
	if err != nil {
		return nil, err
	}
	return restate.Read(ctx, from, cat, t.Env, changes)
}

// Expand states changes of what stands beside resources as changes of the resources
// that it consists of.
func (t *Target) Expand(ctx context.Context, changes []*plan.Change) ([]*plan.Change, []execute.Moved, error) {
	cat, err := t.Catalog()
	if err != nil {
		return nil, nil, err
	}
	return restate.Expand(ctx, t.Open, cat, changes)
}
