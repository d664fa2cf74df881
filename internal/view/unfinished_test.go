package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

// A list of unfinished runs fits the terminal, and ids are whole: resume takes them.
func TestUnfinishedRunsFit(t *testing.T) {
	runs := []view.UnfinishedRun{
		{
			ID: "20261116T225532Z-0a1b2c3d", StartedAt: "2026-11-16T22:55:32Z", Mode: plan.ModeSync, Namespaces: []string{"flights", "packages"},
			Target: `organization "local" (eb936d20-23c3-4398-8914-bd71be35c025), https://eu.api.konghq.com, profile default`, Done: 2, Total: 5, Unknown: []string{"3:c:api:x"},
		},
		{ID: "20261116T225533Z-0a1b2c3e", Error: "its journal is damaged"},
	}
	for width, want := range map[int]string{
		0: "ID                         STARTED               MODE  NAMESPACES        DONE               TARGET\n",
		60: `20261116T225532Z-0a1b2c3d
  started: 2026-11-16T22:55:32Z
  mode: sync
  namespaces: flights,packages
  done: 2 of 5, 1 unknown
  target: organization "local"
`,
	} {
		var b strings.Builder
		if err := view.WriteUnfinishedRuns(&b, runs, width); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), want) || !strings.Contains(b.String(), runs[1].ID) {
			t.Errorf("%d columns:\n%s", width, b.String())
		}
		for line := range strings.Lines(b.String()) {
			if n := terminal.Columns(strings.TrimSuffix(line, "\n")); width > 0 && n > width {
				t.Errorf("%d columns: %d in %q", width, n, line)
			}
		}
	}
}
