package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

func (e *fakeEngine) Inverse(_ context.Context, r engine.InverseRequest) (*engine.Planned, error) {
	e.inverses = append(e.inverses, r)
	undo := testPlan(r.Source.Plan.Metadata.Mode, 1)
	undo.Metadata.Inverse = true
	return &engine.Planned{Plan: undo, Dir: r.Source.Dir}, nil
}

func TestPlanFromPlansUsage(t *testing.T) {
	for line, want := range map[string]string{
		"plan --inverse a.json -f b.yaml":               "--inverse and --filename exclude each other",
		"plan --merge a.json b.json --prune none":       "--merge and --prune exclude each other",
		"plan --merge a.json --inverse b.json":          "--inverse and --merge exclude each other",
		"plan --merge a.json":                           "two plans or more",
		"plan --inverse=":                               "no file is named",
		"plan --report r.json":                          "name the plan with --inverse",
		"plan --verify-key k.pub":                       "--verify-key checks a saved plan",
		"plan b.json":                                   "is neither a target",
		"diff --against b.json":                         "name it with --plan",
		"diff --plan a.json --against=":                 "no file is named",
		"diff --plan - --against -":                     "cannot be both plans",
		"apply -f a.yaml --verify-key k.pub":            "--verify-key checks a saved plan",
		"diff --plan a.json --against b.json --prune x": "--plan and --prune exclude each other",
	} {
		c := newConsole(t)
		c.want(exitUsage, strings.Fields(line)...)
		contains(t, "standard error of "+line, c.err, want)
		if len(c.engine.options) > 0 {
			t.Errorf("%s: the engine was started", line)
		}
	}
}

func TestInverseReport(t *testing.T) {
	for name, tt := range map[string]struct {
		report string
		want   int
		say    string
	}{
		"of the plan":     {`{"results":[{"change_id":"1:c:portal:portal-a","status":"success","resource_id":"x"},{"change_id":"1:c:portal:portal-b","status":"failed"}]}`, exitDone, "Plan: 1 to create"},
		"of another plan": {`{"results":[{"change_id":"9:c:portal:z","status":"success"}]}`, exitMoved, "report r.json is of another plan"},
		"of a part":       {`{"results":[{"change_id":"1:c:portal:portal-a","status":"success"}]}`, exitMoved, "report r.json is of another plan"},
		"of a dry run":    {`{"dry_run":true,"results":[]}`, exitMoved, "is of a dry run: nothing was carried out"},
		"of no form":      {`nothing`, exitFailed, "read report r.json"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.write("p.json", planText(t, testPlan(plan.ModeSync, 2)))
			c.write("r.json", tt.report)
			c.want(tt.want, "plan", "--inverse", "p.json", "--report", "r.json", "-o", "text")
			if tt.want != exitDone {
				contains(t, "standard error", c.err, tt.say)
				return
			}
			contains(t, "standard output", c.out, tt.say)
			if got := c.engine.inverses[0].Report["1:c:portal:portal-a"].ResourceID; got != "x" {
				t.Errorf("the report says id %q", got)
			}
		})
	}
}

func TestWhoRunsAnInverse(t *testing.T) {
	undo := func(mode plan.Mode, deletes int) string {
		p := testPlan(mode, 1)
		p.Metadata.Inverse = true
		if deletes > 0 { // whatever the summary says
			p.Changes[0].Action = plan.Delete
		}
		return planText(t, p)
	}
	for name, tt := range map[string]struct {
		verb, text string
		want       int
	}{
		"sync, of a sync":                    {"sync", undo(plan.ModeSync, 0), exitDone},
		"sync, of an apply":                  {"sync", undo(plan.ModeApply, 0), exitDone},
		"sync, of a delete":                  {"sync", undo(plan.ModeDelete, 0), exitDone},
		"apply, of an apply, nothing goes":   {"apply", undo(plan.ModeApply, 0), exitDone},
		"apply, of an apply, something goes": {"apply", undo(plan.ModeApply, 1), exitMoved},
		"apply, of a sync":                   {"apply", undo(plan.ModeSync, 0), exitMoved},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.write("p.json", tt.text)
			c.want(tt.want, tt.verb, "--plan", "p.json", "--auto-approve")
			if tt.want != exitDone {
				contains(t, "standard error", c.err, "run it with kongctl sync --plan")
			}
		})
	}
}

// TestPlanOfAnotherOrganization: a saved plan runs where it was made for.
func TestPlanOfAnotherOrganization(t *testing.T) {
	c := newConsole(t).real()
	p := testPlan(plan.ModeSync, 1)
	p.Metadata.Organization.ID = "another"
	c.write("p.json", planText(t, p))
	c.want(exitMoved, "sync", "--plan", "p.json", "--auto-approve", "--local", "--data", "data")
	contains(t, "standard error", c.err, "the plan was created for organization another, but this is organization ")
}
