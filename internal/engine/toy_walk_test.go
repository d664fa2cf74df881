package engine_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// shop is a machine with a folder of toy files and, where a test wants it, a
// Konnect.
type shop struct {
	t       *testing.T
	toy     *toy
	work    string
	state   string
	catalog engine.Catalog
	konnect *emulator.Server // nil: every attempt to reach it fails
}

func newShop(t *testing.T, withKonnect bool) *shop {
	t.Helper()
	s := &shop{t: t, toy: newToy(t.TempDir()), work: t.TempDir(), state: t.TempDir(), catalog: sync.OnceValues(catalog.Load)}
	if !withKonnect {
		return s
	}
	cat, err := s.catalog()
	if err != nil {
		t.Fatal(err)
	}
	if s.konnect, err = emulator.New(cat, emulator.Options{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shop) host() engine.Host {
	return engine.Host{
		Now: time.Now, After: time.After, Env: func(string) (string, bool) { return "", false },
		WorkDir: func() (string, error) { return s.work, nil }, State: func() (string, error) { return s.state, nil },
		Log:     func() (*slog.Logger, error) { return slog.New(slog.DiscardHandler), nil },
		Aborted: func() <-chan struct{} { return nil }, Command: "kongctl", Version: "test", Catalog: s.catalog,
		Targets: []engine.Target{s.toy},
	}
}

func (s *shop) engine() *engine.Engine {
	s.t.Helper()
	o := engine.Options{Host: s.host(), Sink: func(event.Event) {}, Konnect: engine.Konnect{
		Account: func(context.Context) (engine.Account, error) {
			return engine.Account{}, errors.New("there is no token")
		},
		Concurrency: func() (int, error) { return 4, nil },
	}}
	if s.konnect != nil {
		o.Konnect.Embedded = &local.Embedded{Handler: s.konnect}
	}
	e, err := engine.New(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = e.Close() })
	return e
}

// request is that of a full sync of a text, or what change makes of it.
func (s *shop) request(text string, change ...func(*engine.PlanRequest)) engine.PlanRequest {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.work, "config.yaml"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	r := engine.PlanRequest{Sources: engine.Sources{Files: []string{"config.yaml"}}, Mode: plan.ModeSync, Prune: engine.PruneFull}
	r.Scope.AllowEmpty = []string{"*"}
	for _, f := range change {
		f(&r)
	}
	return r
}

func (s *shop) plan(e *engine.Engine, text string, change ...func(*engine.PlanRequest)) *engine.Planned {
	s.t.Helper()
	p, err := e.Plan(s.t.Context(), s.request(text, change...))
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// sync brings a text about and returns the plan; a second one must be empty.
func (s *shop) sync(text string, change ...func(*engine.PlanRequest)) *plan.Plan {
	s.t.Helper()
	e := s.engine()
	p := s.plan(e, text, change...)
	for _, b := range p.Plan.Blocked {
		s.t.Errorf("blocked: %s %s", b.ResourceRef, b.Message)
	}
	report, err := e.Run(s.t.Context(), engine.RunRequest{Planned: p})
	if err != nil {
		s.t.Fatal(err)
	}
	s.succeeded(report)
	if again := s.plan(s.engine(), text, change...); !again.Plan.Empty() {
		s.t.Fatalf("there is something left to do: %q", testkit.Lines(again.Plan))
	}
	return p.Plan
}

func (s *shop) succeeded(r *execute.Report) {
	s.t.Helper()
	for _, x := range r.Results {
		if x.Status != execute.Succeeded {
			s.t.Errorf("%s: %s %s", x.ChangeID, x.Status, x.Error)
		}
	}
	if r.FinishErr != nil {
		s.t.Error(r.FinishErr)
	}
}

// save writes a plan and reads it again, as somebody else would.
func (s *shop) save(p *engine.Planned) *engine.Planned {
	s.t.Helper()
	raw, err := p.Document()
	if err != nil {
		s.t.Fatal(err)
	}
	if strings.Contains(string(raw), "only in memory") {
		s.t.Error("the plan holds what travels beside it")
	}
	file := filepath.Join(s.work, "plan.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		s.t.Fatal(err)
	}
	saved, err := s.host().Saved(engine.Saved{File: file, Trust: trust(), Verb: p.Plan.Metadata.Mode})
	if err != nil {
		s.t.Fatal(err)
	}
	return saved
}

func trust() engine.Trust {
	return engine.Trust{
		Key:    func() (ed25519.PublicKey, error) { return nil, nil },
		MaxAge: func() (time.Duration, string, error) { return 0, "0", nil },
	}
}

// steps are what the driver did, without what it was given.
func (s *shop) steps() []string {
	s.toy.mu.Lock()
	defer s.toy.mu.Unlock()
	out := slices.DeleteFunc(slices.Clone(s.toy.log), func(x string) bool { return strings.HasPrefix(x, "beside") })
	s.toy.log = nil
	return out
}

func (s *shop) inventory(want string) {
	s.t.Helper()
	raw, _ := os.ReadFile(filepath.Join(s.toy.dir, ".inventory")) // an empty one is compared, too
	testkit.Equal(s.t, "inventory", string(raw), want)
}

func apply(r *engine.PlanRequest) { r.Mode = plan.ModeApply }

const two = "toy: [{name: a, content: one, after: b}, {name: b, content: two}]"

// A run without Konnect's documents asks Konnect nothing: there is no token.
func TestToyNeedsNoKonnect(t *testing.T) {
	s := newShop(t, false)
	p := s.sync(two, apply)
	testkit.Expect(t, p, "1 CREATE toy_file b", "2 CREATE toy_file a < 1")
	testkit.Equal(t, "organization", p.Metadata.Organization, plan.Organization{})
	testkit.Equal(t, "targets", p.Metadata.Targets, map[string]any{"toy": map[string]any{"folder": s.toy.dir}})
	testkit.Equal(t, "steps", s.steps(), []string{"write b", "ready b", "write a", "ready a", "finish "})
	s.inventory("a b")
	if _, err := s.engine().Plan(t.Context(), s.request("portals: [{name: dev}]")); err == nil || !strings.Contains(err.Error(), "no token") {
		t.Errorf("a portal was planned without a token: %v", err)
	}
}

func TestToyIsPrunedLast(t *testing.T) {
	s := newShop(t, false)
	s.sync(two)
	_ = s.steps()
	p := s.sync("toy: [{name: b, content: more}, {name: c}]")
	testkit.Expect(t, p, "1 UPDATE toy_file b", "2 CREATE toy_file c", "3 DELETE toy_file a")
	if got := s.steps(); !slices.Contains(got, "delete a") || slices.Index(got, "delete a") < slices.Index(got, "ready c") {
		t.Errorf("the file was not deleted after the others: %q", got)
	}
	s.inventory("b c")
	testkit.Expect(t, s.sync("toy: []"), "1 DELETE toy_file b", "2 DELETE toy_file c")
}

// Files go when the others have ended, failed or not.
func TestToyIsPrunedAfterAFailure(t *testing.T) {
	s := newShop(t, false)
	s.sync("toy: [{name: a}]")
	e := s.engine()
	report, err := e.Run(t.Context(), engine.RunRequest{Planned: s.plan(e, "toy: [{name: no/folder}]")})
	if err != nil {
		t.Fatal(err)
	}
	if report.Failed != 1 || report.Succeeded != 1 || s.toy.read("a") != nil {
		t.Errorf("%d failed, %d succeeded, and the file is %v", report.Failed, report.Succeeded, s.toy.read("a"))
	}
}

// A target takes part when the request names it, too.
func TestToyTakesPartWhereItIsNamed(t *testing.T) {
	s := newShop(t, true)
	s.sync(two)
	const other = "portals: [{name: dev}]"
	testkit.Expect(t, s.plan(s.engine(), other).Plan, "1 CREATE portal dev")
	named := func(r *engine.PlanRequest) { r.Targets = []string{"toy"} }
	testkit.Expect(t, s.plan(s.engine(), other, named).Plan, "1 CREATE portal dev", "2 DELETE toy_file a", "3 DELETE toy_file b")
}

func TestToyGuards(t *testing.T) {
	s := newShop(t, false)
	s.sync("toy: [{name: a, protected: true}, {name: b}, {name: c}]")
	blocked := func(text string, change ...func(*engine.PlanRequest)) (out []string) {
		for _, b := range s.plan(s.engine(), text, change...).Plan.Blocked {
			out = append(out, b.ResourceRef+" "+b.By)
		}
		return out
	}
	testkit.Equal(t, "protection", blocked("toy: [{name: b}, {name: c}]"), []string{"a protected"})
	few := func(r *engine.PlanRequest) { r.MaxDeletes = "1" }
	testkit.Equal(t, "max-deletes", blocked("toy: [{name: a, protected: true}]", few), []string{"b max-deletes", "c max-deletes"})
	ignore := func(r *engine.PlanRequest) { r.Scope.Filter.Ignore = []string{"b"} }
	const changed = "toy: [{name: a, protected: true, content: x}, {name: b, content: x}, {name: c}]"
	testkit.Expect(t, s.plan(s.engine(), changed, ignore).Plan, "1 UPDATE toy_file a")
	isolate := func(r *engine.PlanRequest) { r.Scope.Filter.Isolate = []string{"b"} }
	testkit.Expect(t, s.plan(s.engine(), changed, isolate).Plan, "1 UPDATE toy_file b")
}

func TestToyDrift(t *testing.T) {
	s := newShop(t, false)
	s.sync(two)
	if _, err := s.toy.write("a", map[string]any{"name": "a", "content": "other", "namespace": toySpace, "protected": false, "hash": s.toy.read("a").Owner.Hash}); err != nil {
		t.Fatal(err)
	}
	d, err := s.engine().Drift(t.Context(), s.request(two+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Drift.ChangedRemotely) != 1 || d.Drift.ChangedRemotely[0].ResourceRef != "a" {
		t.Errorf("drift: %+v", d.Drift)
	}
}

// Values flow both ways between a file and Konnect, and a file that uses what is
// replaced is made again.
func TestToyAndKonnectReferToEachOther(t *testing.T) {
	s := newShop(t, true)
	const config = `
control_planes: [{ref: cp, name: cp, cluster_type: %s}]
apis: [{ref: docs, name: docs, description: !ref a#path}]
---
toy: [{name: a, content: x, uses: !ref cp#id, note: !ref cp#config.control_plane_endpoint}]
`
	hybrid := strings.ReplaceAll(config, "%s", "CLUSTER_TYPE_CONTROL_PLANE")
	testkit.Expect(t, s.sync(hybrid), "1 CREATE control_plane cp", "2 CREATE toy_file a < 1", "3 CREATE api docs < 2")
	old := s.toy.read("a").Fields
	if uses, _ := old["uses"].(string); len(uses) != 36 || old["note"] == nil {
		t.Errorf("the file has not the values of the control plane: %v", old)
	}
	replace := func(r *engine.PlanRequest) { r.Scope.AllowReplace = []string{"cp", "a"} }
	p := s.sync(strings.ReplaceAll(config, "%s", "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER"), replace)
	if deleted := testkit.ChangeOf(t, p, plan.Delete, "toy_file"); !deleted.Replace {
		t.Errorf("the file is not replaced: %+v", deleted)
	}
	if now := s.toy.read("a").Fields["uses"]; now == old["uses"] || now == nil {
		t.Errorf("the file still uses %v", now)
	}
}

func TestToySavedPlan(t *testing.T) {
	const text = "toy: [{name: a, content: a text that no plan holds}]"
	s := newShop(t, false)
	p := s.plan(s.engine(), text)
	testkit.Equal(t, "expressions", p.Plan.Changes[0].Expressions, []plan.Expression{
		{Field: "content", Expression: map[string]any{"input": "config.yaml", "document": "0", "path": "toy[0].content"}},
	})
	saved := s.save(p)
	forged := s.save(p)
	forged.Plan.Changes[0].Expressions[0].Expression["input"] = "other.yaml"
	if err := s.host().Validate(forged.Plan); err == nil || !strings.Contains(err.Error(), "does not list the file other.yaml") {
		t.Errorf("a plan that takes a value from another file is valid: %v", err)
	}
	elsewhere := newShop(t, false)
	if _, err := elsewhere.engine().Run(t.Context(), engine.RunRequest{Planned: saved, Saved: true}); err == nil || !strings.Contains(err.Error(), s.toy.dir) {
		t.Errorf("a plan for another folder ran: %v", err)
	}
	report, err := s.engine().Run(t.Context(), engine.RunRequest{Planned: saved, Saved: true})
	if err != nil {
		t.Fatal(err)
	}
	s.succeeded(report)
	testkit.Equal(t, "content", s.toy.read("a").Fields["content"], any("a text that no plan holds"))
	if !slices.Contains(s.toy.log, "beside <nil>") {
		t.Errorf("a saved plan came with something beside it: %q", s.toy.log)
	}
	later := s.save(s.plan(s.engine(), "toy: [{name: a, content: another text that is long}]"))
	_ = s.request(text + " # changed")
	if _, err := s.engine().Run(t.Context(), engine.RunRequest{Planned: later, Saved: true}); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("a plan ran whose input has changed: %v", err)
	}
}

func TestToyKeepsValuesBesideAPlan(t *testing.T) {
	s := newShop(t, false)
	s.sync(two)
	if !slices.Contains(s.toy.log, "beside only in memory") {
		t.Errorf("the driver was given %q", s.toy.log)
	}
}

func TestToyBringsAMode(t *testing.T) {
	s := newShop(t, false)
	touch := func(r *engine.PlanRequest) { r.Mode = "touch" }
	testkit.Equal(t, "mode", s.save(s.plan(s.engine(), two, touch)).Plan.Metadata.Mode, plan.Mode("touch"))
	p := s.plan(s.engine(), two)
	p.Plan.Metadata.Mode = "other"
	if err := s.host().Validate(p.Plan); err == nil || !strings.Contains(err.Error(), "unknown mode") {
		t.Errorf("a plan of an unknown mode is taken: %v", err)
	}
}

// A run that is killed goes on from its journal, wherever it was killed.
func TestToyResume(t *testing.T) {
	for _, row := range []struct{ at, left string }{
		{"write b", "a"}, {"ready b", "a"}, {"write a", "a"}, {"ready a", "a"}, {"finish ", ""},
	} {
		t.Run(row.at, func(t *testing.T) {
			s := newShop(t, false)
			s.kill(row.at, two)
			names, err := s.host().Journals()
			if err != nil || len(names) != 1 {
				t.Fatalf("journals: %q, %v", names, err)
			}
			e := s.engine()
			c, err := e.Continue(t.Context(), engine.ContinueRequest{Journal: names[0], Trust: trust()})
			if err != nil {
				t.Fatal(err)
			}
			report, err := e.Run(t.Context(), c.Run)
			if err != nil {
				t.Fatal(err)
			}
			s.succeeded(report)
			s.inventory("a b")
			if names, _ := s.host().Journals(); len(names) != 0 {
				t.Errorf("a journal is left: %q", names)
			}
			if left := s.plan(s.engine(), two).Plan; !left.Empty() {
				t.Errorf("there is something left to do: %q", testkit.Lines(left))
			}
		})
	}
}

// A complete run makes the journals of older runs in its folder obsolete, and no
// others.
func TestToyRetiresJournals(t *testing.T) {
	s := newShop(t, false)
	s.kill("ready b", two)
	other := newShop(t, false)
	other.state = s.state
	for _, row := range []struct {
		in   *shop
		left int
	}{{other, 1}, {s, 0}} {
		e := row.in.engine()
		p := row.in.plan(e, two)
		if _, err := e.Run(t.Context(), engine.RunRequest{Planned: p}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Retire(t.Context(), p.Plan, "z"); err != nil {
			t.Fatal(err)
		}
		if names, err := s.host().Journals(); err != nil || len(names) != row.left {
			t.Errorf("%d journals are left, want %d: %v", len(names), row.left, err)
		}
	}
}

// Konnect is read before the files, so nothing of it can be known by a value of a
// file.
func TestToyIsReadLater(t *testing.T) {
	s := newShop(t, true)
	_, err := s.engine().Plan(t.Context(), s.request("apis: [{ref: docs, name: !ref a#path}]\n---\ntoy: [{name: a}]"))
	if err == nil || !strings.Contains(err.Error(), `which cannot come from the toy file "a"`) {
		t.Errorf("an api is known by a file: %v", err)
	}
}

// kill syncs a text and lets the run stand still at a step for ever, as if its
// process had ended there.
func (s *shop) kill(at, text string) {
	reached, forever, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s.toy.step = func(what, name string) {
		if what+" "+name == at {
			close(reached)
			<-forever
		}
	}
	e := s.engine()
	p := s.plan(e, text)
	go func() {
		defer close(ended)
		_, _ = e.Run(context.WithoutCancel(s.t.Context()), engine.RunRequest{Planned: p}) // nobody is there to hear it
	}()
	<-reached
	_ = e.Close() // the system gives the locks of a process back
	s.toy = newToy(s.toy.dir)
	s.t.Cleanup(func() { close(forever); <-ended })
}

// An interrupt between the last change and Finish leaves something to resume.
func TestToyInterruptBeforeFinish(t *testing.T) {
	s := newShop(t, false)
	ctx, interrupt := context.WithCancel(t.Context())
	e := s.engine()
	p := s.plan(e, "toy: [{name: a}]")
	s.toy.step = func(what, _ string) {
		if what == "write" {
			interrupt()
		}
	}
	report, err := e.Run(ctx, engine.RunRequest{Planned: p})
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := s.host().Journals(); len(names) != 1 || !report.Resumable {
		t.Errorf("the run is not resumable: %+v, %q", report, names)
	}
}
