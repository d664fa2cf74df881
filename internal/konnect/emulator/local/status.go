package local

import (
	"context"
	"fmt"
)

// Status is what an embedded Konnect holds and was asked.
type Status struct {
	Server    *Server        // nil when none runs
	Resources map[string]int // without what a new organization has
	Requests  map[string]int
}

// Status asks the embedded Konnect of a data folder. Asking makes no folder.
func (h Host) Status(ctx context.Context, dir string) (out Status, err error) {
	out = Status{Resources: map[string]int{}, Requests: map[string]int{}}
	if found, err := HasData(dir); err != nil || !found {
		return out, err
	}
	r, err := h.Reach(ctx, dir)
	if err != nil {
		return out, err
	}
	defer func() { err = closed(r, err) }()
	out.Server = r.Server
	var state map[string][]any
	if err := r.About().Get(ctx, "/__local/state?seeds=no", &state); err != nil {
		return out, err
	}
	for kind, list := range state {
		if len(list) > 0 {
			out.Resources[kind] = len(list)
		}
	}
	var log struct {
		ByOperation map[string]int `json:"by_operation"`
	}
	if err := r.About().Get(ctx, "/__local/requests", &log); err != nil {
		return out, err
	}
	if log.ByOperation != nil {
		out.Requests = log.ByOperation
	}
	return out, nil
}

// State returns all that it holds, by kind.
func (c Control) State(ctx context.Context) (map[string][]any, error) {
	var state map[string][]any
	err := c.Get(ctx, "/__local/state", &state)
	return state, err
}

// Reset empties the embedded Konnect of a data folder.
func (h Host) Reset(ctx context.Context, dir string) (err error) {
	r, err := h.Reach(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = closed(r, err) }()
	if err := r.About().Reset(ctx); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	return nil
}

// closed closes what was reached; the first error counts.
func closed(r Reached, err error) error {
	if c := r.Close(); err == nil {
		return c
	}
	return err
}
