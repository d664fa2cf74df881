package view_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/view"
)

type timeoutError struct{}

func (timeoutError) Error() string { return "not ready after 1s: 0 of 1 replicas are available" }
func (timeoutError) Expired() bool { return true }

func object(kind, name string) event.Object {
	group := ""
	if kind == "Deployment" {
		group = "apps"
	}
	return event.Object{Group: group, Kind: kind, Namespace: "prod", Name: name}
}

// testSteps are an inventory, two levels of applies and a prune.
func testSteps() view.Steps {
	return view.Steps{Declared: 5, List: []view.Step{
		{Change: "p", Action: view.StepPrune, Object: object("ConfigMap", "old"), Level: 3},
		{Change: "b", Action: view.StepApply, Object: object("Deployment", "web"), Level: 2},
		{Change: "a", Action: view.StepApply, Object: object("ConfigMap", "web"), Level: 1},
		{Change: "c", Action: view.StepApply, Object: object("ConfigMap", "broken"), Level: 1},
		{Change: "d", Action: view.StepApply, Object: object("Service", "web"), Level: 2},
		{Change: "i", Action: view.StepInventory, Object: object("ResourceGroup", "inv")},
	}}
}

// play hands a run over that does not wait for levels to end.
func play(p view.StepProgress) {
	change := func(id string) event.Change { return event.Change{ID: id} }
	for _, e := range []event.Event{
		event.RunStarted{Total: 6},
		event.ChangeStarted{Change: change("i")},
		event.ChangeWaiting{Change: change("i")},
		event.ChangeFinished{Change: change("i")},
		event.ChangeStarted{Change: change("a")},
		event.ChangeStarted{Change: change("c")},
		event.ChangeWaiting{Change: change("a")},
		event.ChangeFinished{Change: change("a")},
		event.ChangeStarted{Change: change("b")},
		event.ChangeWaiting{Change: change("b")},
		event.Observed{Object: object("Deployment", "web"), Status: "InProgress", Message: "0 of 1 replicas are available"},
		event.Warning{Text: "for standard error"},
		event.ChangeFailed{Change: change("c"), Err: errors.New("apply ConfigMap prod/broken: 422 invalid")},
		event.ChangeSkipped{Change: change("d"), Reason: "waits for ConfigMap prod/broken, which failed"},
		event.ChangeFailed{Change: change("b"), Err: timeoutError{}},
		event.ChangeStarted{Change: change("p")},
		event.ChangeWaiting{Change: change("p")},
		event.ChangeFinished{Change: change("p")},
		event.RunFinished{},
		event.Observed{Object: object("Deployment", "other"), Status: "InProgress", Message: "0 of 1 replicas are available"},
		event.Observed{Object: object("Deployment", "other"), Status: "Current", Message: "Deployment is available"},
		event.Settled{Object: object("Deployment", "other")},
	} {
		p.Handle(e)
		p.Tick()
	}
	p.Close()
	p.Summary()
}

func stepOptions(out *strings.Builder) view.StepOptions {
	return view.StepOptions{
		Out: out, Now: func() time.Time { return time.Date(2026, 11, 15, 10, 30, 0, 0, time.UTC) },
		Width: func() int { return 72 }, Height: func() int { return 24 },
	}
}

func TestStepEvents(t *testing.T) {
	var out strings.Builder
	play(view.NewStepEvents(testSteps(), stepOptions(&out)))
	golden(t, "step-events", out.String())

	out.Reset()
	o := stepOptions(&out)
	o.Statuses, o.Style = true, view.Style{Color: true}
	steps := testSteps()
	steps.List[0].Object.Namespace = "elsewhere"
	play(view.NewStepEvents(steps, o))
	golden(t, "step-events-statuses", out.String())
}

func TestStepJSON(t *testing.T) {
	var out strings.Builder
	o := stepOptions(&out)
	o.Statuses = true
	play(view.NewStepJSON(testSteps(), o))
	for line := range strings.Lines(out.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if fields["type"] == "" || fields["timestamp"] == "" {
			t.Errorf("no type or time: %s", line)
		}
	}
	golden(t, "step-json", out.String())
}

func TestStepTable(t *testing.T) {
	var out strings.Builder
	play(view.NewStepTable(testSteps(), stepOptions(&out)))
	golden(t, "step-table", out.String())
}

func TestStepsOfADryRun(t *testing.T) {
	var out strings.Builder
	o := stepOptions(&out)
	o.DryRun = true
	p := view.NewStepEvents(testSteps(), o)
	view.Rehearse(p, testSteps())
	p.Summary()
	golden(t, "step-dry-run", out.String())

	out.Reset()
	p = view.NewStepJSON(view.Steps{Declared: 3}, o)
	view.Rehearse(p, view.Steps{})
	p.Summary()
	if got, want := out.String(), `{"action":"Apply","count":0,"dryRun":true,"failed":0,"skipped":0,"successful":0,"timestamp":"2026-11-15T10:30:00Z","type":"summary","unchanged":3}`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The table is redrawn in place, and no line is longer than the terminal.
func TestStepTableOnATerminal(t *testing.T) {
	for name, size := range map[string]struct{ width, height int }{"usual": {72, 24}, "narrow": {40, 24}, "very narrow": {22, 24}, "low": {72, 5}, "unknown": {0, 0}} {
		var out strings.Builder
		o := stepOptions(&out)
		o.Redraw, o.Width, o.Height = true, func() int { return size.width }, func() int { return size.height }
		play(view.NewStepTable(testSteps(), o))
		if name == "usual" {
			golden(t, "step-table-terminal", strings.ReplaceAll(out.String(), "\x1b", "ESC"))
		}
		text := out.String()
		text = text[:strings.LastIndex(text, "\x1b[")] // the last form is whole
		for line := range strings.SplitSeq(text, "\n") {
			if n := len([]rune(line[strings.LastIndex(line, "\x1b[J")+1:])); size.width > 0 && n > size.width+2 {
				t.Errorf("%s: %d columns: %q", name, n, line)
			}
		}
		if !strings.Contains(text, "InProg") {
			t.Errorf("%s: the status is not shown:\n%s", name, text)
		}
		if drawn := strings.Count(text, "\x1b["); drawn == 0 {
			t.Errorf("%s: nothing was redrawn", name)
		}
	}
}

// What was done before is not shown as done now, and an interrupted wait not as
// failed.
func TestStepsThatAreNotCarriedOut(t *testing.T) {
	var out strings.Builder
	p := view.NewStepEvents(view.Steps{List: []view.Step{
		{Change: "a", Action: view.StepApply, Object: object("ConfigMap", "a")},
		{Change: "b", Action: view.StepApply, Object: object("ConfigMap", "b")},
	}}, stepOptions(&out))
	p.Handle(event.RunStarted{Total: 2})
	p.Handle(event.ChangeWaiting{Change: event.Change{ID: "a"}, AlreadyDone: true})
	p.Handle(event.ChangeFinished{Change: event.Change{ID: "a"}, AlreadyDone: true})
	p.Handle(event.ChangeWaiting{Change: event.Change{ID: "b"}})
	p.Handle(event.ChangeFailed{Change: event.Change{ID: "b"}, Err: fmt.Errorf("interrupted after 1s: %w", context.Canceled)})
	p.Handle(event.RunFinished{})
	for _, line := range []string{"configmap/a apply skipped: up to date\n", "configmap/a reconcile successful\n", "configmap/b reconcile skipped: interrupted after 1s"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no line %q:\n%s", line, &out)
		}
	}
}

// The order of the lines is that of the graph, whatever comes first.
func TestStepsAreShownByLevel(t *testing.T) {
	var out strings.Builder
	p := view.NewStepEvents(view.Steps{List: []view.Step{
		{Change: "a", Action: view.StepApply, Object: object("ConfigMap", "a"), Level: 0},
		{Change: "b", Action: view.StepApply, Object: object("ConfigMap", "b"), Level: 1},
	}}, stepOptions(&out))
	p.Handle(event.RunStarted{Total: 2})
	p.Handle(event.ChangeFinished{Change: event.Change{ID: "b"}})
	if strings.Contains(out.String(), "configmap/b") {
		t.Errorf("level 1 is shown before level 0:\n%s", &out)
	}
	p.Handle(event.ChangeFinished{Change: event.Change{ID: "a"}})
	a, b := strings.Index(out.String(), "configmap/a reconcile"), strings.Index(out.String(), "configmap/b apply")
	if a < 0 || b < a {
		t.Errorf("the order is wrong:\n%s", &out)
	}
}

func TestHostileObjects(t *testing.T) {
	steps := view.Steps{List: []view.Step{{Change: "a", Action: view.StepApply, Object: event.Object{Group: testkit.Hostile, Kind: testkit.Hostile, Namespace: testkit.Hostile, Name: testkit.Hostile}}}}
	for name, make := range map[string]func(view.Steps, view.StepOptions) view.StepProgress{"events": view.NewStepEvents, "json": view.NewStepJSON, "table": view.NewStepTable} {
		var out strings.Builder
		o := stepOptions(&out)
		o.Statuses = true
		p := make(steps, o)
		p.Handle(event.RunStarted{Total: 1})
		p.Handle(event.Observed{Object: steps.List[0].Object, Status: testkit.Hostile, Message: testkit.Hostile})
		p.Handle(event.ChangeFailed{Change: event.Change{ID: "a"}, Err: errors.New(testkit.Hostile)})
		p.Handle(event.RunFinished{})
		p.Summary()
		if what := testkit.Unsafe(out.String(), false); what != "" {
			t.Errorf("%s hold %s:\n%q", name, what, out.String())
		}
	}
}

func TestStepInventoryFails(t *testing.T) {
	for name, make := range map[string]func(view.Steps, view.StepOptions) view.StepProgress{
		"events": view.NewStepEvents, "json": view.NewStepJSON, "table": view.NewStepTable,
	} {
		var out strings.Builder
		p := make(view.Steps{List: []view.Step{{Change: "i", Action: view.StepInventory, Object: object("ResourceGroup", "inv")}}}, stepOptions(&out))
		p.Handle(event.RunStarted{Total: 1})
		p.Handle(event.ChangeFailed{Change: event.Change{ID: "i"}, Err: errors.New("too large")})
		p.Handle(event.RunFinished{})
		p.Close()
		p.Summary()
		if !strings.Contains(out.String(), "too large") {
			t.Errorf("%s: the error is not shown:\n%s", name, out.String())
		}
	}
}

// The progress of the other verbs says what it waits for, once.
func TestProgressOfWaits(t *testing.T) {
	var out strings.Builder
	p := view.NewLines(&out, view.Style{})
	web := object("Deployment", "web")
	for _, e := range []event.Event{
		event.Observed{Object: object("ConfigMap", "a"), Status: "Current", Message: "Resource is always ready"},
		event.Observed{Object: web, Status: "InProgress", Message: "Available: 0/1"},
		event.Observed{Object: web, Status: "InProgress", Message: "Available: 1/2"},
		event.Observed{Object: web, Status: "Current", Message: "Deployment is available"},
		event.Settled{Object: web},
	} {
		p.Handle(e)
	}
	if got, want := out.String(), "waiting for deployment.apps/web: Available: 0/1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
