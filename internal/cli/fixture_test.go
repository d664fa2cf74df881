package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
)

// buffer may be written to and read from several sides at once.
type buffer struct {
	mutex sync.Mutex
	b     bytes.Buffer
	// left reports that nobody reads any more; nil means that somebody does.
	left func() bool
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.left != nil && b.left() {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	}
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.b.String()
}

// loadCatalog is one for all tests: nothing changes it.
var loadCatalog = sync.OnceValues(catalog.Load)

// console is a command line in a folder of its own, without terminal,
// environment and home.
type console struct {
	t        *testing.T
	dir      string
	env      map[string]string
	out, err *buffer
	factory  *factory
	engine   *fakeEngine
}

// zeros is chance that always says the same.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

var testTime = time.Date(2026, 11, 15, 10, 30, 0, 0, time.UTC)

func newConsole(t *testing.T) *console {
	t.Helper()
	c := &console{t: t, dir: t.TempDir(), env: map[string]string{}, out: &buffer{}, err: &buffer{}, engine: &fakeEngine{}}
	w := &world{
		streams: &streams{
			in: strings.NewReader(""), out: c.out, err: c.err,
			width:    func() int { return 80 },
			height:   func() int { return 24 },
			terminal: func() (io.ReadCloser, error) { return nil, errors.New("no terminal") },
		},
		env:       func(name string) (string, bool) { v, ok := c.env[name]; return v, ok },
		environ:   func() []string { return nil },
		workDir:   func() (string, error) { return c.dir, nil },
		home:      func() (string, error) { return filepath.Join(c.dir, "home"), nil },
		now:       func() time.Time { return testTime },
		random:    zeros{},
		after:     time.After,
		spawn:     func([]string, *os.File) (local.Process, error) { return nil, errors.New("no processes here") },
		terminate: func(int) error { return errors.New("no processes here") },
		gone:      func(int) bool { return false },
		browse:    func(string) error { return errors.New("no browser here") },
		keyring:   func() auth.Keyring { return nil },
	}
	c.factory = newFactory(w)
	c.factory.catalog = loadCatalog
	c.factory.newEngine = func(o engineOptions) (backend, error) {
		c.engine.options = append(c.engine.options, o)
		return c.engine, c.engine.openErr
	}
	return c
}

// real gives the console the engine that users have.
func (c *console) real() *console {
	c.factory.newEngine = c.factory.openBackend
	return c
}

// again is a new command line in the same place.
func (c *console) again() *console {
	c.t.Helper()
	next := newConsole(c.t)
	next.dir, next.env = c.dir, c.env
	return next
}

// run runs a command and returns its exit status. What the fixes on standard error say
// to run can be run.
func (c *console) run(args ...string) int {
	c.t.Helper()
	status := run(c.t.Context(), c.factory, args)
	checkFixes(c.t, c.err.String())
	return status
}

// want runs a command that must end with the status.
func (c *console) want(status int, args ...string) {
	c.t.Helper()
	if got := c.run(args...); got != status {
		c.t.Fatalf("kongctl %s: exit status %d, want %d\nstandard output:\n%s\nstandard error:\n%s",
			strings.Join(args, " "), got, status, c.out, c.err)
	}
}

func (c *console) write(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

func (c *console) read(name string) string {
	c.t.Helper()
	raw, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(raw)
}

func contains(t *testing.T, where string, text *buffer, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%s lacks %q:\n%s", where, part, text)
		}
	}
}

// fakeEngine answers as it is told and remembers what it was asked.
type fakeEngine struct {
	planned *engine.Planned
	planErr error
	openErr error
	// outcome says what becomes of each change; nil means that all is well.
	outcome func(i int, c *plan.Change) error
	// interrupt cancels the run before this many changes, if it is positive.
	interrupt func()
	stopAfter int
	runErr    error
	settleErr error

	options  []engineOptions
	plans    []engine.PlanRequest
	runs     []engine.RunRequest
	inverses []engine.InverseRequest
}

func (e *fakeEngine) Plan(ctx context.Context, r engine.PlanRequest) (*engine.Planned, error) {
	e.plans = append(e.plans, r)
	if e.planned == nil && e.planErr == nil {
		return &engine.Planned{Plan: testPlan(r.Mode, 2), Compared: 2}, ctx.Err()
	}
	return e.planned, e.planErr
}

func (*fakeEngine) Drift(context.Context, engine.PlanRequest) (*engine.Drifted, error) {
	return &engine.Drifted{Drift: &plan.Drift{}}, nil
}

func (*fakeEngine) Rehearse(context.Context, engine.RunRequest) ([]execute.Moved, error) {
	return nil, nil
}

func (*fakeEngine) Verify(context.Context, engine.RunRequest, engine.PlanRequest) ([]*plan.Change, error) {
	return nil, nil
}

// Continue finds a run that another process has ended.
func (*fakeEngine) Continue(context.Context, engine.ContinueRequest) (*engine.Continued, error) {
	return &engine.Continued{Gone: "20260124T103000.000000000Z"}, nil
}

// Settle waits for nothing.
func (e *fakeEngine) Settle(context.Context, *plan.Plan) error { return e.settleErr }

func (*fakeEngine) Retire(context.Context, *plan.Plan, string) ([]string, error) { return nil, nil }

func (e *fakeEngine) Run(ctx context.Context, r engine.RunRequest) (*execute.Report, error) {
	e.runs = append(e.runs, r)
	if e.runErr != nil {
		return nil, e.runErr
	}
	sink := e.options[len(e.options)-1].sink
	report := &execute.Report{Mode: r.Planned.Plan.Metadata.Mode, Total: len(r.Planned.Plan.Changes), Results: []*execute.Result{}}
	sink(event.RunStarted{Total: report.Total})
	for i, c := range r.Planned.Plan.Changes {
		if e.interrupt != nil && i == e.stopAfter {
			e.interrupt()
		}
		change := event.Change{ID: c.ID, Action: string(c.Action), Kind: c.ResourceType, Ref: c.ResourceRef}
		result := &execute.Result{ChangeID: c.ID, Action: c.Action, ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Status: execute.Succeeded}
		var err error
		if e.outcome != nil {
			err = e.outcome(i, c)
		}
		switch {
		case ctx.Err() != nil:
			result.Status = execute.Skipped
			report.Skipped++
			sink(event.ChangeSkipped{Change: change, Reason: "the run was interrupted"})
		case err != nil:
			result.Status, result.Err, result.Error = execute.Failed, err, err.Error()
			report.Failed++
			sink(event.ChangeFailed{Change: change, Err: err})
		default:
			report.Succeeded++
			sink(event.ChangeFinished{Change: change})
		}
		report.Results = append(report.Results, result)
	}
	report.Interrupted = ctx.Err() != nil
	sink(event.RunFinished{Interrupted: report.Interrupted})
	return report, nil
}

// testPlan creates n portals.
func testPlan(mode plan.Mode, n int) *plan.Plan {
	p := &plan.Plan{
		Metadata: plan.Metadata{
			PlanVersion: plan.Version, VersionAlias: plan.Version, GeneratedAt: testTime.Format(time.RFC3339), Mode: mode,
			SyncScope: plan.Scope{Prune: "full", Namespaces: []string{"default"}},
		},
		Summary: plan.Summary{TotalChanges: n, ByAction: map[plan.Action]int{}, ByResource: map[string]int{}},
		Changes: []*plan.Change{}, ExecutionGroups: [][]string{{}},
	}
	if n > 0 {
		p.Summary.ByAction[plan.Create], p.Summary.ByResource["portal"] = n, n
	}
	for i := range n {
		ref := "portal-" + string(rune('a'+i))
		c := &plan.Change{
			ID: "1:c:portal:" + ref, Action: plan.Create, ResourceType: "portal", ResourceRef: ref, Namespace: "default", DependsOn: []string{},
			Fields: map[string]any{"name": ref, "labels": map[string]any{
				label.Namespace: "default", "KONGCTL-managed": "true", label.LastUpdated: plan.NowText, label.Hash: "sha256-" + strings.Repeat("a", 52),
			}},
			ExecutionContext: plan.ExecutionContext{HTTPMethod: "POST", APIEndpoint: "/v3/portals"},
		}
		p.Changes = append(p.Changes, c)
		p.ExecutionOrder = append(p.ExecutionOrder, c.ID)
		p.ExecutionGroups[0] = append(p.ExecutionGroups[0], c.ID)
	}
	return p
}

func planText(t *testing.T, p *plan.Plan) string {
	t.Helper()
	raw, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
