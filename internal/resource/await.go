package resource

import (
	"context"
	"time"
)

// Settle is how long reads may be behind a write.
const Settle = 10 * time.Second

const (
	firstLook = 250 * time.Millisecond
	lastLook  = 2 * time.Second
)

// Await looks for what was written age ago until look finds it or reads must
// have caught up. It looks at least once.
func Await(ctx context.Context, age time.Duration, sleep func(context.Context, time.Duration) error, look func() (found bool, err error)) error {
	left := min(Settle-age, Settle)
	for wait := firstLook; ; wait = min(2*wait, lastLook) {
		found, err := look()
		if err != nil || found || left <= 0 {
			return err
		}
		wait = min(wait, left)
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		left -= wait
	}
}
