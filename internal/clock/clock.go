// Package clock waits.
//
// In: a context and a duration. Out: whether the wait ended before the context.
// It must never import a package of this program.
package clock

import (
	"context"
	"time"
)

// Sleep waits for a duration, or returns the reason why the context ended.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	return Until(ctx, timer.C)
}

// Until waits for a tick, or returns the reason why the context ended.
func Until(ctx context.Context, tick <-chan time.Time) error {
	select {
	case <-tick:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
