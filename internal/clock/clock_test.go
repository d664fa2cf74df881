package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/clock"
)

func TestSleep(t *testing.T) {
	if err := clock.Sleep(t.Context(), time.Nanosecond); err != nil {
		t.Errorf("a short wait gives %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := clock.Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait whose context ended gives %v, want %v", err, context.Canceled)
	}
}
