package engine

import (
	"context"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/konnect/query"
)

// Get reads what exists.
func Get(ctx context.Context, e *Engine, r query.Request) (*query.Answer, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return nil, err
	}
	var out *query.Answer
	err = e.phase(event.Reading, func() (int, error) {
		out, err = query.Run(ctx, s.target, s.catalog, r)
		if err != nil {
			return 0, err
		}
		return len(out.Bodies), nil
	})
	return out, err
}
