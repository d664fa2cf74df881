package resource

import "context"

type stopKey struct{}

// WithStop returns a context of requests that are finished when stop ends, but
// not repeated.
func WithStop(ctx, stop context.Context) context.Context {
	return context.WithValue(ctx, stopKey{}, stop)
}

// Waiting returns a context for the wait before a request is repeated: it also
// ends when nothing must be repeated any more.
func Waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(ctx)
	stop, ok := ctx.Value(stopKey{}).(context.Context)
	if !ok {
		return out, cancel
	}
	if stop.Err() != nil {
		cancel()
	}
	forget := context.AfterFunc(stop, cancel)
	return out, func() { forget(); cancel() }
}
