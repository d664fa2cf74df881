package drive_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/gateway"
	gatewaydrive "github.com/kongctl/kongctl/internal/gateway/drive"
	"github.com/kongctl/kongctl/internal/konnect/drive"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// fakeDeck stands for decK where no gateway can: it waits, fails and tells what
// it was asked.
type fakeDeck struct {
	mu   sync.Mutex
	asks []string
	diff []plan.Part
	run  func(ctx context.Context, r gateway.Request) ([]plan.Part, error)
}

func (d *fakeDeck) Diff(_ context.Context, r gateway.Request) ([]plan.Part, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asks = append(d.asks, "diff "+r.ControlPlane.Name)
	return d.diff, nil
}

func (d *fakeDeck) Run(ctx context.Context, r gateway.Request) ([]plan.Part, error) {
	d.mu.Lock()
	d.asks = append(d.asks, "run "+r.ControlPlane.Name+" "+r.ControlPlane.ID)
	d.mu.Unlock()
	return d.run(ctx, r)
}

var usersService = plan.Part{Kind: gateway.KindService, Name: "users", Action: plan.Create}

// deckPlan has decK's work on control planes, and a change that comes after
// each.
func deckPlan(names ...string) *plan.Plan {
	p := &plan.Plan{Metadata: plan.Metadata{PlanVersion: plan.Version, Mode: plan.ModeSync}}
	add := func(c *plan.Change) {
		p.Changes = append(p.Changes, c)
		p.ExecutionOrder = append(p.ExecutionOrder, c.ID)
		p.ExecutionGroups = append(p.ExecutionGroups, []string{c.ID})
	}
	for _, name := range names {
		deck := &plan.Change{
			ID: "deck:" + name, ResourceType: gateway.Kind, ResourceRef: name, ResourceName: name, Action: plan.ExternalTool, DependsOn: []string{},
			Parent: &plan.ParentRef{Ref: name, Type: "control_plane", ID: "id-" + name, Ancestors: []string{"id-" + name}},
			Fields: map[string]any{"mode": "sync", "inline": true}, GatewayChanges: []plan.Part{usersService},
		}
		add(deck)
		add(&plan.Change{ID: "team:" + name, ResourceType: "organization_team", ResourceRef: "after-" + name, ResourceName: "after-" + name, Action: plan.Create, DependsOn: []string{deck.ID}, Fields: map[string]any{"name": "after-" + name}})
	}
	return p
}

// drivers are those of a plan with decK's work; it only has what that needs and is
// not validated.
func drivers(w *testkit.World, d gateway.Reconciler, goOn bool) func(string) execute.Driver {
	konnect := drive.New(drive.Config{Catalog: w.Catalog, Target: w.Target, Now: time.Now})
	deck := gatewaydrive.New(gatewaydrive.Config{Sources: gatewaydrive.Sources{Types: w.Catalog.Types()}, Reconciler: d, Konnect: konnect, GoOn: goOn})
	return func(kind string) execute.Driver {
		if kind == gateway.Kind {
			return deck
		}
		return konnect
	}
}

func runDeck(ctx context.Context, t *testing.T, d *fakeDeck, in execute.Input, goOn bool) *execute.Report {
	t.Helper()
	return runDeckTo(ctx, t, d, in, goOn, nil)
}

func runDeckTo(ctx context.Context, t *testing.T, d *fakeDeck, in execute.Input, goOn bool, sink event.Sink) *execute.Report {
	t.Helper()
	w := testkit.New(t)
	in.Driver, in.Concurrency, in.Now = drivers(w, d, goOn), 4, time.Now
	report, err := execute.Run(ctx, in, sink)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func reasons(r *execute.Report) map[string]string {
	out := map[string]string{}
	for _, x := range r.Results {
		out[x.ChangeID] = string(x.Status) + " " + x.Error
	}
	return out
}

// The first failure of decK stops the run: nothing new starts. decK on another
// control plane, which was running by then, finishes and is recorded.
func TestDeckFailsFast(t *testing.T) {
	running, failed := make(chan struct{}), make(chan struct{})
	d := &fakeDeck{run: func(ctx context.Context, r gateway.Request) ([]plan.Part, error) {
		if r.ControlPlane.Name == "a" {
			<-running
			return []plan.Part{usersService}, errors.New("route users: 400")
		}
		close(running)
		<-failed
		return []plan.Part{usersService}, ctx.Err()
	}}
	p := deckPlan("a", "b")
	report := runDeckTo(t.Context(), t, d, execute.Input{Plan: p}, false, func(e event.Event) {
		if x, ok := e.(event.ChangeFailed); ok && x.Change.ID == "deck:a" {
			close(failed)
		}
	})
	want := map[string]string{
		"deck:a": "failed route users: 400",
		"team:a": "skipped waits for decK on control_plane a, which failed",
		"deck:b": "success ",
		"team:b": "skipped the run stopped, because decK on control_plane a failed",
	}
	if diff := cmp.Diff(want, reasons(report)); diff != "" {
		t.Error(diff)
	}
	if report.Interrupted {
		t.Error("nobody interrupted the run")
	}
	for _, res := range report.Results {
		if res.Action == plan.ExternalTool && len(res.GatewayChanges) != 1 {
			t.Errorf("%s: what decK did is not reported", res.ChangeID)
		}
	}
}

// With the other answer only what depends on decK is skipped.
func TestGoOnAfterDeck(t *testing.T) {
	d := &fakeDeck{run: func(_ context.Context, r gateway.Request) ([]plan.Part, error) {
		if r.ControlPlane.Name == "a" {
			return nil, errors.New("no")
		}
		return []plan.Part{usersService}, nil
	}}
	report := runDeck(t.Context(), t, d, execute.Input{Plan: deckPlan("a", "b")}, true)
	want := map[string]string{
		"deck:a": "failed no", "team:a": "skipped waits for decK on control_plane a, which failed",
		"deck:b": "success ", "team:b": "success ",
	}
	if diff := cmp.Diff(want, reasons(report)); diff != "" {
		t.Error(diff)
	}
}

// A run of decK that is under way finishes when the run is interrupted, and nothing new
// starts.
func TestDeckInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &fakeDeck{run: func(ctx context.Context, _ gateway.Request) ([]plan.Part, error) {
		if err := resource.StartWriting(ctx); err != nil {
			return nil, err
		}
		cancel()
		return []plan.Part{usersService}, ctx.Err()
	}}
	report := runDeck(ctx, t, d, execute.Input{Plan: deckPlan("a")}, false)
	want := map[string]string{"deck:a": "success ", "team:a": "skipped the run was interrupted"}
	if diff := cmp.Diff(want, reasons(report)); diff != "" || !report.Interrupted {
		t.Error(diff)
	}
}

// One that has written nothing yet counts as not started.
func TestDeckInterruptedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &fakeDeck{run: func(ctx context.Context, _ gateway.Request) ([]plan.Part, error) {
		cancel()
		return nil, resource.NotStarted(ctx)
	}}
	report := runDeck(ctx, t, d, execute.Input{Plan: deckPlan("a")}, false)
	want := map[string]string{"deck:a": "skipped the run was interrupted", "team:a": "skipped the run was interrupted"}
	if diff := cmp.Diff(want, reasons(report)); diff != "" {
		t.Error(diff)
	}
}

// Who aborts a run is not reported that decK failed.
func TestDeckAborted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	abort := make(chan struct{})
	d := &fakeDeck{run: func(ctx context.Context, _ gateway.Request) ([]plan.Part, error) {
		if err := resource.StartWriting(ctx); err != nil {
			return nil, err
		}
		cancel()
		close(abort)
		<-ctx.Done()
		return []plan.Part{usersService}, fmt.Errorf("it was stopped: %w", ctx.Err())
	}}
	report := runDeck(ctx, t, d, execute.Input{Plan: deckPlan("a"), Abort: abort}, false)
	for id, reason := range reasons(report) {
		if strings.Contains(reason, "the run stopped, because") {
			t.Errorf("%s: %s", id, reason)
		}
	}
	res := report.Results[0]
	if !res.Unknown || !errors.Is(res.Err, execute.ErrAborted) || len(res.GatewayChanges) != 1 {
		t.Errorf("%+v", res)
	}
}

// A saved plan is refused where decK would do anything else, and done where
// nothing is left.
func TestDeckMoved(t *testing.T) {
	update := plan.Part{Kind: gateway.KindService, Name: "users", Action: plan.Update, Fingerprint: "1", ChangedFields: map[string]plan.OldNew{"host": {Old: "a", New: "b"}}}
	other := update
	other.Fingerprint = "2"
	for name, row := range map[string]struct {
		planned, now []plan.Part
		moved, done  bool
	}{
		"as planned":                {[]plan.Part{usersService, update}, []plan.Part{usersService, update}, false, false},
		"partly done":               {[]plan.Part{usersService, update}, []plan.Part{update}, false, false},
		"all done":                  {[]plan.Part{usersService}, nil, false, true},
		"something else":            {[]plan.Part{usersService}, []plan.Part{usersService, update}, true, false},
		"the entity was changed":    {[]plan.Part{update}, []plan.Part{other}, true, false},
		"from another value":        {[]plan.Part{update}, []plan.Part{{Kind: "service", Name: "users", Action: plan.Update, Fingerprint: "1", ChangedFields: map[string]plan.OldNew{"host": {Old: "c", New: "b"}}}}, true, false},
		"deleted instead of made":   {[]plan.Part{usersService}, []plan.Part{{Kind: "service", Name: "users", Action: plan.Delete}}, true, false},
		"the same under other kind": {[]plan.Part{usersService}, []plan.Part{{Kind: "route", Name: "users", Action: plan.Create}}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			p := deckPlan("aa")
			made := w.Send("POST", "/v2/control-planes", `{"name": "aa"}`)
			id, _ := made["id"].(string)
			p.Changes[0].Parent.ID, p.Changes[0].Parent.Ancestors = id, []string{id}
			p.Changes[0].GatewayChanges = row.planned
			p.Changes, p.ExecutionGroups = p.Changes[:1], p.ExecutionGroups[:1]
			finding, err := execute.Check(t.Context(), execute.Input{Plan: p, Driver: drivers(w, &fakeDeck{diff: row.now}, false), Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(finding.Moved) > 0; got != row.moved {
				t.Errorf("moved: %v", finding.Moved)
			}
			if got := finding.Done["deck:aa"] != nil; got != row.done {
				t.Errorf("done: %v", finding.Done)
			}
		})
	}
}
