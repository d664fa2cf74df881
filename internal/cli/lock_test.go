package cli

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
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
	held, err := other.factory.host().Locks(func(event.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := held.Take(t.Context(), "", "data", disk.Real(dir)); err != nil {
		t.Fatal(err)
	}
	waits := 0
	c.factory.world.after = func(d time.Duration) <-chan time.Time {
		if d != engine.LockPause {
			return time.After(d)
		}
		if waits++; waits == 2 {
			if err := held.Release(); err != nil {
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
