//go:build unix

package deck_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/resource"
)

func TestCancelEndsTheBinaryAndItsChildren(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Hang: true}}})
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := f.reconciler().Diff(ctx, request(gateway.Sync))
		failed <- err
	}()
	var calls []call
	for deadline := time.Now().Add(time.Minute); len(calls) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the binary was not run")
		}
		calls = f.calls("diff")
	}
	cancel()
	select {
	case err := <-failed:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	if _, err := os.Stat(calls[0].Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder is left: %v", err)
	}
	for deadline := time.Now().Add(time.Minute); alive(calls[0].Child); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("its child goes on")
		}
	}
}

// An interrupt stops the binary as long as it only looks. What it writes is finished,
// and looked at again.
func TestInterrupt(t *testing.T) {
	for name, row := range map[string]struct{ at, done, calls int }{
		"while it looks": {1, 0, 1}, "while it writes": {2, 4, 3},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, map[string][]answer{"diff": {{Stdout: some}, {Stdout: none}}, "sync": {{Stdout: none}}})
			stop, interrupt := context.WithCancel(t.Context())
			ctx, sending := resource.WithSending(resource.WithStop(t.Context(), stop))
			started := 0
			f.token = func(context.Context) string {
				if started++; started == row.at {
					interrupt()
				}
				return token
			}
			done, err := f.reconciler().Run(ctx, request(gateway.Sync))
			if len(done) != row.done || started != row.calls || sending.Untouched() != (row.done == 0) {
				t.Errorf("done: %v; it was started %d times", done, started)
			}
			if row.done > 0 != (err == nil) {
				t.Errorf("error %v", err)
			}
			if err != nil && (!errors.Is(err, context.Canceled) || !resource.Unsent(err) || !strings.HasSuffix(err.Error(), ": it was stopped")) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// alive tells of a process that is neither gone nor only waited for.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || !strings.Contains(string(raw), ") Z ")
}
