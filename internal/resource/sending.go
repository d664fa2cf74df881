package resource

import (
	"context"
	"sync"
)

type sendingKey struct{}

// Sending is how far the requests of one change got. Until one of them has
// written something, the change can be given back as not started.
type Sending struct {
	mu      sync.Mutex
	held    int
	written bool
}

// WithSending returns a context of the requests of one change, and how far they
// got.
func WithSending(ctx context.Context) (context.Context, *Sending) {
	s := &Sending{}
	return context.WithValue(ctx, sendingKey{}, s), s
}

// Untouched reports whether no request of the change has written anything; false
// where that is not known.
func (s *Sending) Untouched() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.written
}

// Held reports whether the change waits for its turn and can be given back.
func (s *Sending) Held() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held > 0 && !s.written
}

// Held returns a context for the wait before a request is sent. It ends with a
// stop, too, as long as its change has written nothing: then nothing is lost.
func Held(ctx context.Context) (context.Context, context.CancelFunc) {
	s, ok := ctx.Value(sendingKey{}).(*Sending)
	if !ok || !s.Untouched() {
		return ctx, func() {}
	}
	out, cancel := Waiting(ctx)
	s.hold(1)
	return out, func() { s.hold(-1); cancel() }
}

func (s *Sending) hold(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held += n
}

// Wrote notes that a request of the context's change has written something, or may
// have.
func Wrote(ctx context.Context) {
	if s, ok := ctx.Value(sendingKey{}).(*Sending); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.written = true
	}
}

// Unstarted reports whether the context's change has written nothing and is
// stopped: it need not be tried again.
func Unstarted(ctx context.Context) bool {
	s, _ := ctx.Value(sendingKey{}).(*Sending)
	stop, ok := ctx.Value(stopKey{}).(context.Context)
	return s.Untouched() && ok && stop.Err() != nil
}

// NotStarted is why a change that has written nothing ends with a stop; nil of any
// other change.
func NotStarted(ctx context.Context) error {
	if !Unstarted(ctx) {
		return nil
	}
	return notStarted{}
}

// StartWriting notes that a change is about to write something: from then on, a stop
// lets it finish. It fails where the stop came first.
func StartWriting(ctx context.Context) error {
	s, ok := ctx.Value(sendingKey{}).(*Sending)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop, ok := ctx.Value(stopKey{}).(context.Context); ok && stop.Err() != nil && !s.written {
		return notStarted{}
	}
	s.written = true
	return nil
}

type notStarted struct{}

func (notStarted) Error() string { return "it was stopped" }

// Unwrap returns the end of a context.
func (notStarted) Unwrap() error { return context.Canceled }

// Unsent reports that nothing was sent.
func (notStarted) Unsent() bool { return true }
