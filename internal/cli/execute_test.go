package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

func TestWithoutTerminalNothingIsDone(t *testing.T) {
	c := newConsole(t)
	c.want(exitUsage, "sync")
	contains(t, "standard output", c.out, `+ portal "portal-a"`)
	contains(t, "standard error", c.err, "cannot prompt: standard input is not a terminal", "--auto-approve")
	if len(c.engine.runs) > 0 {
		t.Error("the plan was carried out")
	}
}

func TestEmptyPlanNeedsNoApproval(t *testing.T) {
	c := newConsole(t)
	c.engine.planned = &engine.Planned{Plan: testPlan(plan.ModeSync, 0), Compared: 7}
	c.want(exitDone, "sync")
	contains(t, "standard output", c.out, "No changes. Konnect already matches the configuration. 7 resources compared.")
	if len(c.engine.runs) > 0 {
		t.Error("an empty plan was carried out")
	}
}

func TestApproved(t *testing.T) {
	for _, verb := range []string{"apply", "sync"} {
		c := newConsole(t)
		c.want(exitDone, verb, "--auto-approve", "--local")
		contains(t, "standard output", c.out, "Plan: 2 to create")
		contains(t, "standard error", c.err, `[2/2] created portal "portal-b"`, "Done: 2 created, 0 updated, 0 deleted.")
		if strings.Contains(c.out.String(), "created") || strings.Contains(c.err.String(), "Plan:") {
			t.Errorf("progress or plan are on the wrong stream:\n%s\n%s", c.out, c.err)
		}
		if mode := c.engine.plans[0].Mode; string(mode) != verb {
			t.Errorf("%s plans with mode %s", verb, mode)
		}
		if !c.engine.options[0].local {
			t.Error("--local did not reach the engine")
		}
	}
}

func TestDryRun(t *testing.T) {
	c := newConsole(t)
	c.want(exitDone, "sync", "--dry-run", "-o", "json")
	contains(t, "standard error", c.err, "Plan: 2 to create", "Dry run: nothing was changed.")
	if len(c.engine.runs) > 0 {
		t.Error("the plan was carried out")
	}
	var report struct {
		Summary struct {
			Status  string `json:"status"`
			Applied int    `json:"applied"`
			Skipped int    `json:"skipped"`
		} `json:"summary"`
		Execution struct {
			DryRun  bool  `json:"dry_run"`
			Results []any `json:"validation_results"`
		} `json:"execution"`
	}
	if err := json.Unmarshal([]byte(c.out.String()), &report); err != nil {
		t.Fatalf("%v in %s", err, c.out)
	}
	if s := report.Summary; s.Status != "success" || s.Applied != 0 || s.Skipped != 2 || !report.Execution.DryRun || len(report.Execution.Results) != 2 {
		t.Errorf("report %+v", report)
	}
}

func TestReports(t *testing.T) {
	c := newConsole(t)
	c.engine.outcome = func(i int, _ *plan.Change) error {
		if i == 1 {
			return errors.New("POST /v3/portals: 409 name in use")
		}
		return nil
	}
	file := c.dir + "/report.json"
	c.want(exitPartial, "sync", "--auto-approve", "-o", "json", "--execution-report-file", file)
	contains(t, "standard error", c.err, `failed: create portal "portal-b": POST /v3/portals: 409 name in use`, "error: 1 of 2 changes done, 1 failed, 0 skipped")
	if c.read("report.json") != c.out.String() {
		t.Errorf("the file and standard output differ:\n%s\n%s", c.read("report.json"), c.out)
	}
	var report struct {
		Summary struct {
			Status string `json:"status"`
			Failed int    `json:"failed"`
		} `json:"summary"`
		Plan struct {
			Changes []any `json:"changes"`
		} `json:"plan"`
	}
	if err := json.Unmarshal([]byte(c.out.String()), &report); err != nil {
		t.Fatal(err)
	}
	if report.Summary.Status != "partial_success" || report.Summary.Failed != 1 || len(report.Plan.Changes) != 2 {
		t.Errorf("report %+v", report)
	}
}

func TestReportFileInTextMode(t *testing.T) {
	c := newConsole(t)
	c.want(exitDone, "apply", "--auto-approve", "--execution-report-file", c.dir+"/report.json")
	if !strings.Contains(c.read("report.json"), `"status": "success"`) {
		t.Errorf("report %s", c.read("report.json"))
	}
	if strings.Contains(c.out.String(), "status") {
		t.Errorf("standard output has %q", c.out)
	}
}

// TestReportNowhere: nothing is carried out that could not be reported.
func TestReportNowhere(t *testing.T) {
	c := newConsole(t)
	c.want(exitFailed, "apply", "--auto-approve", "--execution-report-file", c.write("file", "x")+"/report.json")
	contains(t, "standard error", c.err, "execution report: write", "is not a folder")
	if len(c.engine.runs) > 0 {
		t.Error("the plan was carried out")
	}
}

func TestStatusOfRuns(t *testing.T) {
	conflict := &client.APIError{Status: http.StatusConflict}
	forbidden := &client.APIError{Status: http.StatusForbidden}
	blocked := testPlan(plan.ModeSync, 1)
	blocked.Blocked = []plan.Blocked{{ResourceType: "portal", ResourceRef: "a", Action: plan.Delete, By: "replace", Message: "no"}}
	partial := testPlan(plan.ModeSync, 1)
	partial.Errors = []plan.Problem{{ResourceType: "api", Message: "500"}}
	for name, tt := range map[string]struct {
		engine fakeEngine
		want   int
		runs   int
		say    string
	}{
		"all failed":            {fakeEngine{outcome: func(int, *plan.Change) error { return conflict }}, exitFailed, 1, "error: 0 of 2 changes done, 2 failed"},
		"all forbidden":         {fakeEngine{outcome: func(int, *plan.Change) error { return forbidden }}, exitAuth, 1, "error: 0 of 2 changes done, 2 failed"},
		"blocked":               {fakeEngine{planned: &engine.Planned{Plan: blocked}}, exitRefused, 0, "1 change is blocked"},
		"partial plan":          {fakeEngine{planned: &engine.Planned{Plan: partial}}, exitPartial, 0, "the plan is partial"},
		"wrong configuration":   {fakeEngine{planErr: diag.List{diag.New(diag.RefUnknown, value.Pos{}, "x", "")}.Err()}, exitInvalid, 0, "error[REF002]"},
		"no token":              {fakeEngine{planErr: tokenError{}}, exitAuth, 0, "KONGCTL_KONNECT_PAT"},
		"a secret is not there": {fakeEngine{runErr: errors.New("the environment variable X is not set")}, exitFailed, 1, "error: the environment variable X is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.engine = &tt.engine
			c.want(tt.want, "sync", "--auto-approve")
			contains(t, "standard error", c.err, tt.say)
			if n := strings.Count(c.err.String(), "error: "); n > 1 {
				t.Errorf("%d errors are shown:\n%s", n, c.err)
			}
			if len(c.engine.runs) != tt.runs {
				t.Errorf("%d runs, want %d", len(c.engine.runs), tt.runs)
			}
		})
	}
}

func TestInterruptedRun(t *testing.T) {
	c := newConsole(t)
	ctx, cancel := context.WithCancel(t.Context())
	c.engine.interrupt, c.engine.stopAfter = cancel, 1
	if got := run(ctx, c.factory, []string{"sync", "--auto-approve"}); got != exitInterrupted {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
	contains(t, "standard error", c.err, "interrupted: 1 of 2 changes done\n")
}

func TestInterruptedPlan(t *testing.T) {
	c := newConsole(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := run(ctx, c.factory, []string{"sync", "--auto-approve"}); got != exitInterrupted {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
	contains(t, "standard error", c.err, "interrupted: nothing was changed\n")
}

func TestSavedPlans(t *testing.T) {
	other := testPlan("adopt", 1)
	old := testPlan(plan.ModeSync, 1)
	old.Metadata.PlanVersion = "2.0"
	for name, tt := range map[string]struct {
		verb, text string
		want       int
		say        string
	}{
		"apply runs an apply plan":        {"apply", planText(t, testPlan(plan.ModeApply, 1)), exitDone, "Done: 1 created"},
		"sync runs an apply plan":         {"sync", planText(t, testPlan(plan.ModeApply, 1)), exitDone, "Done: 1 created"},
		"sync runs a sync plan":           {"sync", planText(t, testPlan(plan.ModeSync, 1)), exitDone, "Done: 1 created"},
		"apply refuses a sync plan":       {"apply", planText(t, testPlan(plan.ModeSync, 1)), exitMoved, "kongctl sync --plan"},
		"apply refuses an empty one too":  {"apply", planText(t, testPlan(plan.ModeSync, 0)), exitMoved, "kongctl sync --plan"},
		"sync refuses another mode":       {"sync", planText(t, other), exitMoved, `sync does not run a plan that was made for "adopt"`},
		"a plan without a mode":           {"sync", planText(t, testPlan("", 1)), exitMoved, "does not say which mode"},
		"a plan without a seal":           {"sync", `{"metadata":{"plan_version":"1.0","mode":"sync"}}`, exitMoved, "plan plans/p.json: the plan has no seal"},
		"a plan that was changed":         {"sync", strings.Replace(planText(t, testPlan(plan.ModeSync, 1)), `"name": "portal-a"`, `"name": "evil"`, 1), exitMoved, "change 1:c:portal:portal-a was changed after the plan was sealed"},
		"a plan of another format":        {"sync", planText(t, old), exitMoved, "format version 2.0"},
		"a file that is no plan":          {"sync", `{}`, exitMoved, "this is not a plan"},
		"a file that is not even JSON":    {"sync", "portals: []", exitMoved, "read plan"},
		"an empty plan needs no approval": {"sync", planText(t, testPlan(plan.ModeSync, 0)), exitDone, "No changes."},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.write("plans/p.json", tt.text)
			c.want(tt.want, tt.verb, "--plan", "plans/p.json", "--auto-approve")
			where := c.err
			if strings.HasPrefix(tt.say, "No changes") {
				where = c.out
			}
			contains(t, "the stream", where, tt.say)
			if len(c.engine.plans) > 0 {
				t.Error("another plan was made")
			}
			if tt.want != exitDone && len(c.engine.options) > 0 {
				t.Error("the engine was started for a plan that must not run")
			}
			for _, r := range c.engine.runs {
				if want := disk.Real(c.dir + "/plans"); r.Planned.Dir != want {
					t.Errorf("paths start from %s, want %s", r.Planned.Dir, want)
				}
			}
		})
	}
}

func TestMissingPlan(t *testing.T) {
	c := newConsole(t)
	c.want(exitFailed, "apply", "--plan", "none.json", "--auto-approve")
	contains(t, "standard error", c.err, "error: read plan none.json: no such file or directory")
}

// atTerminal lets a person watch, who answers at standard input.
func (c *console) atTerminal(answer string) {
	s := c.factory.world.streams
	s.inTerminal, s.errTerminal, s.outTerminal = true, true, true
	s.in = strings.NewReader(answer)
}

func TestQuestion(t *testing.T) {
	for answer, want := range map[string]int{
		"y\n": exitDone, "Yes\n": exitDone, " y \n": exitDone,
		"n\n": exitFailed, "\n": exitFailed, "": exitFailed, "yesterday\n": exitFailed,
	} {
		c := newConsole(t)
		c.env["TERM"] = "dumb"
		c.atTerminal(answer)
		c.want(want, "sync")
		contains(t, "standard error", c.err, "Do you want to carry out these 2 changes? [y/N]")
		if done := len(c.engine.runs) == 1; done != (want == exitDone) {
			t.Errorf("answer %q: carried out: %v", answer, done)
		}
		if want != exitDone {
			contains(t, "standard error", c.err, "error: not approved: nothing was changed")
		}
	}
}

// TestQuestionThatNobodySees: who redirects standard error has not seen the plan.
func TestQuestionThatNobodySees(t *testing.T) {
	c := newConsole(t)
	c.atTerminal("y\n")
	c.factory.world.streams.errTerminal = false
	c.want(exitUsage, "sync")
	if len(c.engine.runs) > 0 {
		t.Error("the plan was carried out")
	}
}

func TestQuestionWhileStandardInputIsInput(t *testing.T) {
	for name, tt := range map[string]struct {
		args     []string
		input    string
		terminal bool
		want     int
	}{
		"a plan, and a terminal":                 {[]string{"apply", "--plan", "-"}, planText(t, testPlan(plan.ModeApply, 1)), true, exitDone},
		"a plan, and no terminal":                {[]string{"apply", "--plan", "-"}, planText(t, testPlan(plan.ModeApply, 1)), false, exitUsage},
		"a configuration, and a terminal":        {[]string{"apply", "-f", "a.yaml,-"}, "y\n", true, exitDone},
		"a pipe that nobody reads is no consent": {[]string{"apply"}, "y\n", true, exitUsage},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.env["CI"] = "true"
			s := c.factory.world.streams
			s.in, s.errTerminal = strings.NewReader(tt.input), true
			if tt.terminal {
				s.terminal = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("y\n")), nil }
			}
			c.want(tt.want, tt.args...)
			if done := len(c.engine.runs) == 1; done != (tt.want == exitDone) {
				t.Errorf("carried out: %v", done)
			}
		})
	}
}

func TestInterruptedQuestion(t *testing.T) {
	c := newConsole(t)
	c.env["TERM"] = "dumb"
	c.atTerminal("")
	silence, _ := io.Pipe()
	c.factory.world.streams.in = silence
	ctx, cancel := context.WithCancel(t.Context())
	c.factory.world.streams.err = &trigger{buffer: c.err, on: "[y/N]", do: cancel}
	if got := run(ctx, c.factory, []string{"sync"}); got != exitInterrupted {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
	contains(t, "standard error", c.err, "interrupted: nothing was changed")
}

// trigger does something once a text was written.
type trigger struct {
	*buffer
	on string
	do func()
}

func (w *trigger) Write(p []byte) (int, error) {
	n, err := w.buffer.Write(p)
	if strings.Contains(string(p), w.on) {
		w.do()
	}
	return n, err
}

func TestLiveDisplay(t *testing.T) {
	c := newConsole(t)
	c.atTerminal("y\n")
	c.want(exitDone, "sync")
	contains(t, "standard error", c.err, "\x1b[1A\r\x1b[J", "\x1b[32mcreated\x1b[0m", "Done")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestUnseenPlan: what could not be shown must not be carried out.
func TestUnseenPlan(t *testing.T) {
	for _, form := range []string{"text", "json"} {
		c := newConsole(t)
		if form == "text" {
			c.factory.world.streams.out = broken{}
		} else {
			c.factory.world.streams.err = broken{}
		}
		c.want(exitFailed, "sync", "--auto-approve", "-o", form)
		if len(c.engine.runs) > 0 {
			t.Errorf("%s: the plan was carried out", form)
		}
	}
}

// TestPlanOfAQuestion: whoever is asked sees the plan, also where standard output
// goes elsewhere.
func TestPlanOfAQuestion(t *testing.T) {
	for _, tc := range []struct {
		name    string
		onOut   bool // that is a terminal
		args    []string
		onError bool // stands the plan
	}{
		{"all on the terminal", true, nil, false},
		{"standard output is a file", false, nil, true},
		{"nothing is asked", false, []string{"--auto-approve"}, false},
		{"a document", true, []string{"-o", "json"}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newConsole(t)
			c.atTerminal("y\n")
			c.factory.world.streams.outTerminal = tc.onOut
			c.want(exitDone, append([]string{"sync"}, tc.args...)...)
			if got := strings.Contains(c.err.String(), "Plan: 2 to create"); got != tc.onError {
				t.Errorf("the plan on standard error: %t, want %t\n%s", got, tc.onError, c.err)
			}
		})
	}
}

func TestWarningsAreTold(t *testing.T) {
	for _, verb := range []string{"plan", "diff", "apply", "sync"} {
		c := newConsole(t)
		c.engine.planned = &engine.Planned{Plan: testPlan(plan.ModeSync, 0), Warnings: diag.List{diag.Warn(diag.SrcNotASource, value.Pos{File: "x.yaml"}, "x", "")}}
		c.want(exitDone, verb)
		contains(t, "standard error of "+verb, c.err, "warning[SRC011]", "1 warning")
	}
}
