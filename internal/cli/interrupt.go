package cli

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
)

// interrupts turns signals into the end of a command: the first one ends its
// context, the second one aborts what does not end by that.
type interrupts struct {
	abort   chan struct{}
	awaited atomic.Bool
}

// listen hears signals until the context ends. rest gives the signals back to
// the system: the next one ends the process.
func listen(ctx context.Context, signals <-chan os.Signal, rest func()) (context.Context, *interrupts) {
	i := &interrupts{abort: make(chan struct{})}
	interrupted, interrupt := context.WithCancel(ctx)
	go func() {
		defer rest()
		select {
		case <-signals:
			interrupt()
		case <-ctx.Done():
			interrupt()
			return
		}
		if !i.awaited.Load() {
			return
		}
		select {
		case <-signals:
			close(i.abort)
		case <-ctx.Done():
		}
	}()
	return interrupted, i
}

// aborted is closed when what is in flight must end, too. Whoever asks for it
// must end then.
func (i *interrupts) aborted() <-chan struct{} {
	if i == nil {
		return nil
	}
	i.awaited.Store(true)
	return i.abort
}

// interruption is the error of a command whose context ended: whatever it
// says itself comes from that.
func interruption(ctx context.Context, err error) error {
	var interrupted *interruptedError
	if err == nil || ctx.Err() == nil || errors.As(err, &interrupted) {
		return err
	}
	return &interruptedError{}
}
