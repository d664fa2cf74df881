package cli

import (
	"path/filepath"
	"testing"
	"time"

	"kongctl/internal/disk"
	"kongctl/internal/event"
)

// A run with the embedded Konnect in its process waits for the run that has the
// data folder.
func TestRunsWithOneDataFolderExcludeEachOther(t *testing.T) {
	c := newConsole(t).real()
	c.write("p.yaml", "portals: [{name: p}]\n")
	dir := filepath.Join(c.dir, "d")
	other := newConsole(t)
	other.dir = c.dir
	other.factory.command = "kongctl apply"
	held, err := other.factory.newLocks(func(event.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := held.take(t.Context(), "", "data", disk.Real(dir)); err != nil {
		t.Fatal(err)
	}
	waits := 0
	c.factory.world.after = func(d time.Duration) <-chan time.Time {
		if d != lockPause {
			return time.After(d)
		}
		if waits++; waits == 2 {
			if err := held.release(); err != nil {
				t.Error(err)
			}
		}
		now := make(chan time.Time, 1)
		now <- testTime
		return now
	}
	c.want(exitDone, "sync", "--local", "--data", "d", "-f", "p.yaml", "--auto-approve")
	contains(t, "standard error", c.err, "waiting for kongctl apply (process ", "data folder "+dir, "created portal")
	if waits != 2 {
		t.Errorf("waited %d times, want 2", waits)
	}
}

// Locks of one run do not stand in its own way, and a lock says nothing but who
// has it.
func TestLocksOfOneRun(t *testing.T) {
	c := newConsole(t)
	c.factory.command = "kongctl sync"
	l, err := c.factory.newLocks(func(e event.Event) { t.Errorf("it waits: %+v", e) })
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
	if err := c.factory.close(); err != nil || len(l.held) != 0 {
		t.Errorf("%d locks are left, %v", len(l.held), err)
	}
}
