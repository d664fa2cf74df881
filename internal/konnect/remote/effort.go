package remote

import (
	"context"
	"sync/atomic"
)

// Effort counts the attempts at one write, over all its tries: people bound them
// together.
type Effort struct{ attempts, most atomic.Int32 }

type effortKey struct{}

// WithEffort returns a context in which the requests that write are attempts at one
// write. A context that has an effort keeps it.
func WithEffort(ctx context.Context) (context.Context, *Effort) {
	if e := EffortOf(ctx); e != nil {
		return ctx, e
	}
	e := &Effort{}
	return context.WithValue(ctx, effortKey{}, e), e
}

// EffortOf returns the effort of a context, or nil.
func EffortOf(ctx context.Context) *Effort {
	e, _ := ctx.Value(effortKey{}).(*Effort)
	return e
}

// Attempt counts an attempt; there may be at most so many. Nil counts nothing.
func (e *Effort) Attempt(most int) {
	if e != nil {
		e.attempts.Add(1)
		e.most.Store(int32(min(most, 1<<30)))
	}
}

// Counted reports whether attempts were counted: targets without requests count none.
func (e *Effort) Counted() bool { return e != nil && e.attempts.Load() > 0 }

// Spent reports whether all attempts were made.
func (e *Effort) Spent() bool { return e.Counted() && e.attempts.Load() >= e.most.Load() }
