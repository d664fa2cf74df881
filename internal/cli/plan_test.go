package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

func TestFormsOfPlans(t *testing.T) {
	isText := func(s string) bool { return strings.HasPrefix(s, "Scope: sync") }
	isJSON := func(s string) bool { return json.Valid([]byte(s)) && strings.Contains(s, `"plan_version"`) }
	isYAML := func(s string) bool {
		return yaml.Unmarshal([]byte(s), &map[string]any{}) == nil && strings.HasPrefix(s, "metadata:\n")
	}
	for name, tt := range map[string]struct {
		args     []string
		terminal bool
		is       func(string) bool
	}{
		"plan on a terminal":  {[]string{"plan"}, true, isText},
		"plan in a pipe":      {[]string{"plan"}, false, isJSON},
		"plan as text":        {[]string{"plan", "-o", "text"}, false, isText},
		"plan as JSON":        {[]string{"plan", "-o", "json"}, true, isJSON},
		"plan as YAML":        {[]string{"plan", "-o", "yaml"}, true, isYAML},
		"diff on a terminal":  {[]string{"diff"}, true, isText},
		"diff in a pipe":      {[]string{"diff"}, false, isText},
		"diff as JSON":        {[]string{"diff", "-o", "json"}, false, isJSON},
		"diff as YAML":        {[]string{"diff", "-o", "yaml"}, false, isYAML},
		"both, file and JSON": {[]string{"plan", "--output-file", "p.json", "-o", "json"}, false, isJSON},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.factory.world.streams.outTerminal = tt.terminal
			c.env["NO_COLOR"] = "1"
			c.want(exitDone, tt.args...)
			if !tt.is(c.out.String()) {
				t.Errorf("standard output:\n%s", c.out)
			}
			if len(c.engine.runs) > 0 {
				t.Error("something was carried out")
			}
		})
	}
}

func TestSavedPlanFile(t *testing.T) {
	c := newConsole(t)
	c.write("sub/p.json", "an older plan")
	c.want(exitDone, "plan", "--output-file", "sub/p.json")
	p, err := plan.Parse([]byte(c.read("sub/p.json")))
	if err != nil || len(p.Changes) != 2 {
		t.Errorf("saved plan: %v, %d changes", err, len(p.Changes))
	}
	info, err := os.Stat(filepath.Join(c.dir, "sub/p.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	contains(t, "standard output", c.out, "Plan: 2 to create")
	if want := filepath.Join(c.dir, "sub"); c.engine.plans[0].Dir != want {
		t.Errorf("paths start from %q, want %q", c.engine.plans[0].Dir, want)
	}
}

func TestPlanStatus(t *testing.T) {
	empty := testPlan(plan.ModeSync, 0)
	blocked := testPlan(plan.ModeSync, 0)
	blocked.Blocked = []plan.Blocked{{Message: "no"}}
	partial := testPlan(plan.ModeSync, 1)
	partial.Errors = []plan.Problem{{Message: "500"}}
	for name, tt := range map[string]struct {
		plan *plan.Plan
		args []string
		want int
	}{
		"changes":                       {testPlan(plan.ModeSync, 1), nil, exitDone},
		"changes, asked for":            {testPlan(plan.ModeSync, 1), []string{"--detailed-exitcode"}, exitChanges},
		"no changes, asked for":         {empty, []string{"--detailed-exitcode"}, exitDone},
		"blocked":                       {blocked, nil, exitRefused},
		"partial, although asked for 2": {partial, []string{"--detailed-exitcode"}, exitPartial},
	} {
		for _, verb := range []string{"plan", "diff"} {
			c := newConsole(t)
			c.engine.planned = &engine.Planned{Plan: tt.plan}
			if got := c.run(append([]string{verb}, tt.args...)...); got != tt.want {
				t.Errorf("%s: %s: exit status %d, want %d", verb, name, got, tt.want)
			}
			if c.out.String() == "" {
				t.Errorf("%s: %s: the plan is not shown", verb, name)
			}
		}
	}
}

func TestDiffOfSavedPlan(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want int
	}{
		"a file":             {[]string{"--plan", "p.json"}, exitDone},
		"standard input":     {[]string{"--plan", "-"}, exitDone},
		"changes, asked for": {[]string{"--plan", "p.json", "--detailed-exitcode"}, exitChanges},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			p := testPlan(plan.ModeDelete, 2) // diff shows plans of any mode
			p.Metadata.Inverse = true
			text := planText(t, p)
			c.write("p.json", text)
			c.factory.world.streams.in = strings.NewReader(text)
			c.want(tt.want, append([]string{"diff"}, tt.args...)...)
			contains(t, "standard output", c.out, `+ portal "portal-a"`, "Plan: 2 to create")
			if len(c.engine.options) > 0 {
				t.Error("the engine was started to show a file")
			}
		})
	}
}

func TestFullOutput(t *testing.T) {
	for _, args := range [][]string{{"plan"}, {"diff"}, {"version"}, {"plan", "-o", "yaml"}, {"completion", "bash"}, {"sync", "--dry-run", "-o", "json"}} {
		c := newConsole(t)
		c.factory.world.streams.out = broken{}
		c.want(exitFailed, args...)
		contains(t, "standard error", c.err, "error: write standard output: no space left on device")
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"kept", "target"} {
		if err := os.WriteFile(in(name), []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("target", in("link")); err != nil {
		t.Fatal(err)
	}
	if err := disk.Write(in("link"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(in("link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if raw, err := os.ReadFile(in("target")); err != nil || string(raw) != "new" {
		t.Errorf("behind the link: %s, %v", raw, err)
	}
	if info, err := os.Stat(in("target")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode().Perm())
	}
	if err := disk.Write(dir, nil); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if err := disk.Write(in("none/x"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := disk.Write("/dev/full", []byte("x")); err == nil || !strings.Contains(err.Error(), "no space left on device") {
			t.Errorf("a full disk: %v", err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 {
		t.Errorf("%d files, want 3: %v", len(left), left)
	}
}
