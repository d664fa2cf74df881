package testkit

import (
	"context"
	"sync"
	"time"
)

// Clock lets waiting take no time.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock makes a clock that stands at a time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now is the time that was waited for.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the time on.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}
