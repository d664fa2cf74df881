package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestProfileChangesAtOnce asserts that no change of the config file is lost when
// several commands change it at the same time.
func TestProfileChangesAtOnce(t *testing.T) {
	first := newConsole(t)
	file := filepath.Join(first.dir, "config.yaml")
	var all sync.WaitGroup
	for i := range 8 {
		c := first.again()
		all.Go(func() {
			if status := c.run("profile", "set", "log-level", "debug", "-p", fmt.Sprintf("p%d", i), "--config-file", file); status != exitDone {
				t.Errorf("profile set: %d\n%s", status, c.err)
			}
		})
	}
	all.Wait()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if !strings.Contains(string(raw), fmt.Sprintf("p%d:\n  log-level: debug\n", i)) {
			t.Errorf("profile p%d is lost:\n%s", i, raw)
		}
	}
	var rest sync.WaitGroup
	for i, args := range [][]string{{"use", "p0"}, {"delete", "p1"}, {"delete", "p2"}, {"unset", "log-level", "-p", "p3"}} {
		c := first.again()
		rest.Go(func() {
			if status := c.run(append(append([]string{"profile"}, args...), "--config-file", file)...); status != exitDone {
				t.Errorf("profile %v (%d): %d\n%s", args, i, status, c.err)
			}
		})
	}
	rest.Wait()
	if raw, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]bool{"current-profile: p0\n": true, "p1:": false, "p2:": false, "p3: {}\n": true, "p4:\n  log-level": true} {
		if strings.Contains(string(raw), part) != want {
			t.Errorf("%q: want %t\n%s", part, want, raw)
		}
	}
}
