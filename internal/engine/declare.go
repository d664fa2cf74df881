package engine

import (
	"context"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/resource"
)

// Declared is a configuration that was loaded and linked, and nothing more: no
// server was asked.
type Declared struct {
	Set   *resource.Set
	Links *resource.Links
	// Documents is how many were read.
	Documents int
	Warnings  diag.List
}

// Declare loads a configuration and links it, and reports all problems that can be
// found without asking a server. Of the request it takes sources and scope.
func Declare(ctx context.Context, e *Engine, r PlanRequest) (*Declared, error) {
	w, err := e.newWalk(r)
	if err != nil {
		return nil, err
	}
	out := &Declared{}
	err = e.phase(event.Loading, func() (int, error) {
		n, err := e.load(ctx, w)
		out.Documents = n
		return n, err
	})
	if err != nil {
		return nil, w.quoted(err)
	}
	out.Set, out.Links, out.Warnings = w.Set, w.Links, w.quote(w.diags)
	return out, nil
}
