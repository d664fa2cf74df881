package konnect

import (
	"context"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/restate"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Restate declares what changes of another program lead to.
func (t *Target) Restate(ctx context.Context, changes []*plan.Change) (root value.Value, moved []execute.Moved, gone map[string]bool, err error) {
	from, err := t.Open(ctx)
	if err != nil {
		return root, nil, nil, err
	}
	cat, err := t.Catalog()
	if err != nil {
		return root, nil, nil, err
	}
	out, err := restate.Read(ctx, from, cat, changes)
	if err != nil {
		return root, nil, nil, err
	}
	return out.Root, out.Moved, out.Gone, nil
}
