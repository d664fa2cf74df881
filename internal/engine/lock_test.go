package engine

import (
	"testing"

	"github.com/kongctl/kongctl/internal/event"
)

// Locks of one run do not stand in its own way, and a lock says nothing but who
// has it.
func TestLocksOfOneRun(t *testing.T) {
	state := t.TempDir()
	h := Host{Command: "kongctl sync", State: func() (string, error) { return state, nil }}
	l, err := h.Locks(func(e event.Event) { t.Errorf("it waits: %+v", e) })
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := l.namespaces(t.Context(), "org", []string{"b", "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.held) != 2 {
		t.Errorf("%d locks, want 2", len(l.held))
	}
	for file := range l.held {
		if h := readHolder(file); h.Command != "kongctl sync" || h.PID != l.pid {
			t.Errorf("the lock says %+v", h)
		}
	}
	if err := l.Release(); err != nil || len(l.held) != 0 {
		t.Errorf("%d locks are left, %v", len(l.held), err)
	}
}
