package execute_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// toy is a driver of resources in memory.
type toy struct {
	mu sync.Mutex
	// said is what it was asked, in order.
	said []string
	// problems, verdicts and fails are by ref.
	problems map[string]error
	verdicts map[string]execute.Verdict
	fails    map[string]error
	// during runs in the middle of a Do.
	during func(ref string)
	made   map[string]*resource.Object
	calls  []*execute.Call
}

func (d *toy) say(words ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, strings.Join(words, " "))
}

func (d *toy) Prepare(_ context.Context, _ *plan.Plan, calls []*execute.Call) error {
	d.calls = calls
	for _, c := range calls {
		c.Name = "the toy " + c.Change.ResourceRef
		if err := d.problems[c.Change.ResourceRef]; err != nil {
			c.Problem = err
		}
	}
	return nil
}

func (d *toy) Check(_ context.Context, calls []*execute.Call) ([]execute.Verdict, error) {
	var out []execute.Verdict
	for _, c := range calls {
		word := "check"
		if c.Late {
			word = "check again"
		}
		d.say(word, c.Change.ResourceRef)
		if v, ok := d.verdicts[c.Change.ResourceRef]; ok {
			v.Call = c
			out = append(out, v)
		}
	}
	return out, nil
}

func (d *toy) Do(_ context.Context, c *execute.Call) (execute.Outcome, error) {
	ref := c.Change.ResourceRef
	text, _ := c.Fields["text"].(string)
	d.say(strings.TrimSpace(strings.ToLower(string(c.Change.Action)) + " " + ref + " " + text))
	if d.during != nil {
		d.during(ref)
	}
	o := &resource.Object{ID: "id-" + ref, Fields: map[string]any{"text": "text of " + ref}}
	return execute.Outcome{Object: o, Made: d.made}, d.fails[ref]
}

// waiting is a toy that waits.
type waiting struct {
	*toy
	wait func(ctx context.Context, ref string) error
}

func (d *waiting) Wait(ctx context.Context, c *execute.Call, o execute.Outcome) (execute.Outcome, error) {
	d.say("wait", c.Change.ResourceRef)
	if d.wait == nil {
		return o, nil
	}
	return o, d.wait(ctx, c.Change.ResourceRef)
}

// finishing is a toy that finishes.
type finishing struct {
	*toy
	err *error
}

func (d *finishing) Finish(_ context.Context, r *execute.Report) error {
	d.say("finish after", string(rune('0'+r.Succeeded)))
	return *d.err
}

// change makes a change of a type to a ref after others.
func change(kind, ref string, after ...string) *plan.Change {
	return &plan.Change{ID: ref, ResourceType: kind, ResourceRef: ref, ResourceName: ref, Action: plan.Create, DependsOn: append([]string{}, after...), Fields: map[string]any{}}
}

// toys is a plan of changes, one after the other in its order.
func toys(changes ...*plan.Change) *plan.Plan {
	p := &plan.Plan{Metadata: plan.Metadata{PlanVersion: plan.Version, Mode: plan.ModeSync}, Changes: changes}
	for _, c := range changes {
		p.ExecutionOrder = append(p.ExecutionOrder, c.ID)
		p.ExecutionGroups = append(p.ExecutionGroups, []string{c.ID})
	}
	return p
}

// by is the input of a run with a driver for each type.
func by(p *plan.Plan, drivers map[string]execute.Driver) execute.Input {
	return execute.Input{Plan: p, Concurrency: 1, Now: testkit.Epoch, Driver: func(kind string) execute.Driver { return drivers[kind] }}
}

func carryOut(t *testing.T, in execute.Input) (*execute.Report, []string) {
	t.Helper()
	return carryOutIn(t.Context(), t, in)
}

func carryOutIn(ctx context.Context, t *testing.T, in execute.Input) (*execute.Report, []string) {
	t.Helper()
	var events []event.Event
	report, err := execute.Run(ctx, in, func(e event.Event) { events = append(events, e) })
	if err != nil {
		t.Fatal(err)
	}
	return report, testkit.Story(events)
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func reasons(r *execute.Report) map[string]string {
	out := map[string]string{}
	for _, x := range r.Results {
		out[x.ChangeID] = string(x.Status) + " " + x.Error
	}
	return out
}

// Values travel between the changes of different drivers: fields of what a change
// made, and other objects that it made, by ref.
func TestOutputsTravelBetweenDrivers(t *testing.T) {
	one := &toy{made: map[string]*resource.Object{"door": {ID: "7", Fields: map[string]any{"id": "7", "color": "red"}}}}
	two := &toy{}
	use := func(ref string, r plan.Reference) *plan.Change {
		c := change("car", ref, "house")
		r.Change = "house"
		c.References = map[string]plan.Reference{"text": r}
		return c
	}
	child := change("car", "child", "house")
	child.Parent = &plan.ParentRef{Type: "house", Ref: "house", Change: "house"}
	p := toys(change("house", "house"),
		use("a", plan.Reference{Type: "house", Ref: "house"}),
		use("b", plan.Reference{Type: "house", Ref: "house", Field: "text"}),
		use("c", plan.Reference{Type: "door", Ref: "door"}),
		use("d", plan.Reference{Type: "door", Ref: "door", Field: "color"}),
		use("e", plan.Reference{Type: "door", Ref: "gate"}),
		child)
	report, _ := carryOut(t, by(p, map[string]execute.Driver{"house": one, "car": two}))
	equal(t, "one", one.said, []string{"create house"})
	equal(t, "two", two.said, []string{"create a id-house", "create b text of house", "create c 7", "create d red", "create child"})
	equal(t, "what was not made", report.Results[5].Error, "text: door \"gate\" has no id")
	equal(t, "above", two.calls[5].Ancestors, []string{"id-house"})
}

// bare is a toy that returns no objects.
type bare struct{ *toy }

func (d bare) Do(ctx context.Context, c *execute.Call) (execute.Outcome, error) {
	_, err := d.toy.Do(ctx, c)
	return execute.Outcome{}, err
}

// Where a driver returns no object, the change names its id.
func TestOutcomeWithoutAnObject(t *testing.T) {
	gone := change("car", "a")
	gone.Action, gone.ResourceID = plan.Delete, "7"
	in := by(toys(gone), map[string]execute.Driver{"car": &bare{&toy{verdicts: map[string]execute.Verdict{"a": {Done: &execute.Outcome{}}}}}})
	report, _ := carryOut(t, in)
	equal(t, "id", report.Results[0].ResourceID, "7")
	found, err := execute.Check(t.Context(), in)
	if err != nil || found.Done["a"] == nil || found.Done["a"].Object.ID != "7" {
		t.Errorf("a check found %v, %v", found, err)
	}
}

// Everything that is wrong is said before the first write, in the plan's order
// and with the driver's names.
func TestProblemsOfAllDrivers(t *testing.T) {
	one := &toy{problems: map[string]error{"a": errors.New("bad"), "c": errors.New("worse")}}
	unset := change("car", "b")
	unset.Expressions = []plan.Expression{{Field: "text", Expression: map[string]any{"env": "UNSET"}}}
	in := by(toys(change("house", "a"), unset, change("house", "c"), change("ghost", "d")), map[string]execute.Driver{"house": one, "car": &toy{}})
	_, err := execute.Run(t.Context(), in, nil)
	equal(t, "error", err.Error(), "the toy a: bad\nthe toy b: text: the environment variable UNSET is not set\nthe toy c: worse\nghost d: this program cannot carry it out")
	equal(t, "said", one.said, []string(nil))
}

// A wait leaves its slot to others; what depends on the change starts after it.
func TestWaitTakesNoSlot(t *testing.T) {
	started := make(chan struct{})
	one := &toy{}
	driver := &waiting{one, func(_ context.Context, ref string) error {
		if ref == "a" {
			<-started
		}
		return nil
	}}
	two := &toy{during: func(ref string) {
		if ref == "b" {
			close(started)
		}
	}}
	recorded := map[string]int{}
	in := by(toys(change("house", "a"), change("car", "b"), change("car", "c", "a")), map[string]execute.Driver{"house": driver, "car": two})
	in.Record = func(r *execute.Result) error {
		one.mu.Lock()
		defer one.mu.Unlock()
		recorded[r.ChangeID] = len(one.said)
		return nil
	}
	report, _ := carryOut(t, in)
	equal(t, "succeeded", report.Succeeded, 3)
	equal(t, "one", one.said, []string{"create a", "wait a"})
	equal(t, "two", two.said, []string{"create b", "create c"})
	equal(t, "recorded after the wait", recorded["a"], 2)
}

func TestWaitThatFails(t *testing.T) {
	driver := &waiting{&toy{}, func(_ context.Context, ref string) error {
		if ref == "a" {
			return errors.New("not ready")
		}
		return nil
	}}
	report, told := carryOut(t, by(toys(change("house", "a"), change("house", "b", "a")), map[string]execute.Driver{"house": driver}))
	equal(t, "story", told, []string{"run 2", "start a", "wait for a", "fail a", "skip b: waits for the toy a, which failed", "end 0 applied, 1 failed, 1 skipped"})
	equal(t, "error", report.Results[0].Error, "not ready")
}

// A wait ends with the interrupt; the halves of a replace are carried out both.
func TestWaitWithinAReplace(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gone, again := change("house", "a"), change("house", "a", "gone")
	gone.ID, gone.Action, gone.ResourceID, gone.Replace = "gone", plan.Delete, "1", true
	again.ID, again.Replace = "again", true
	one := &toy{}
	driver := &waiting{one, func(ctx context.Context, _ string) error {
		if len(one.said) > 2 {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}}
	report, _ := carryOutIn(ctx, t, by(toys(gone, again, change("house", "b", "again")), map[string]execute.Driver{"house": driver}))
	equal(t, "said", one.said, []string{"delete a", "wait a", "create a", "wait a"})
	equal(t, "reasons", reasons(report), map[string]string{"gone": "success ", "again": "failed context canceled", "b": "skipped the run was interrupted"})
}

// A change of a stage starts when all of lower stages of its driver have ended,
// and does not care about those of others.
func TestStages(t *testing.T) {
	one, two := &toy{fails: map[string]error{"a": errors.New("no")}}, &toy{}
	last := change("house", "last")
	last.Stage = 2
	far := change("car", "far")
	far.Stage = 1
	p := toys(last, far, change("house", "a"), change("house", "b", "a"), change("car", "c"))
	report, told := carryOut(t, by(p, map[string]execute.Driver{"house": one, "car": two}))
	equal(t, "story", told, []string{
		"run 5", "start a", "fail a", "skip b: waits for the toy a, which failed",
		"start c", "done c", "start last", "done last", "start far", "done far", "end 3 applied, 1 failed, 1 skipped",
	})
	equal(t, "succeeded", report.Succeeded, 3)

	before := change("house", "a", "last")
	_, err := execute.Run(t.Context(), by(toys(before, last), map[string]execute.Driver{"house": one}), nil)
	if err == nil || !strings.Contains(err.Error(), "wait for each other") {
		t.Errorf("a stage that waits for itself: %v", err)
	}
}

// The first failure of a driver that stops the run lets nothing new start.
func TestStop(t *testing.T) {
	no := errors.New("no")
	one := &toy{fails: map[string]error{"a": execute.Stop(no)}}
	report, told := carryOut(t, by(toys(change("house", "a"), change("house", "b"), change("house", "c", "a")), map[string]execute.Driver{"house": one}))
	equal(t, "story", told, []string{
		"run 3", "start a", "fail a", "skip c: waits for the toy a, which failed",
		"skip b: the run stopped, because the toy a failed", "end 0 applied, 1 failed, 2 skipped",
	})
	if got := report.Results[0].Err; got != no { //nolint:errorlint // it is the very error, without the mark
		t.Errorf("got %#v", got)
	}
	if execute.Stop(nil) != nil {
		t.Error("nothing stops")
	}
}

// A check asks each driver, group by group, and only for what can be there.
func TestCheckAsksTheDrivers(t *testing.T) {
	done := execute.Outcome{Object: &resource.Object{ID: "old"}}
	one := &toy{verdicts: map[string]execute.Verdict{"a": {Done: &done}}}
	two := &toy{verdicts: map[string]execute.Verdict{"b": {Moved: "it was changed"}}}
	below := func(ref, parent string) *plan.Change {
		c := change("car", ref, parent)
		c.Parent = &plan.ParentRef{Type: "house", Ref: parent, Change: parent}
		return c
	}
	p := toys(change("house", "a"), change("house", "new"), change("car", "b"), below("c", "a"), below("d", "new"))
	drivers := map[string]execute.Driver{"house": one, "car": two}
	found, err := execute.Check(t.Context(), by(p, drivers))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "one", one.said, []string{"check a", "check new"})
	equal(t, "two", two.said, []string{"check b", "check c"})
	equal(t, "done", len(found.Done), 1)
	if len(found.Moved) != 1 || found.Moved[0].Change != p.Changes[2] || found.Moved[0].Why != "it was changed" {
		t.Errorf("moved: %+v", found.Moved)
	}

	in := by(p, drivers)
	in.Done, in.Skip = found.Done, map[string]string{"b": execute.SkippedBecause(found.Moved[0])}
	report, _ := carryOut(t, in)
	equal(t, "after the check", reasons(report), map[string]string{
		"a": "success ", "new": "success ", "b": "skipped changed since this plan was created: it was changed", "c": "success ", "d": "success ",
	})
}

// A change that starts long after the check is checked again.
func TestLateChangesAreCheckedAgain(t *testing.T) {
	one := &toy{verdicts: map[string]execute.Verdict{"b": {Moved: "it was changed", Stop: true}}}
	in := by(toys(change("house", "a"), change("house", "b"), change("house", "c")), map[string]execute.Driver{"house": one})
	in.Checked = testkit.Epoch().Add(-time.Minute)
	report, _ := carryOut(t, in)
	equal(t, "said", one.said, []string{"check again a", "create a", "check again b"})
	equal(t, "reasons", reasons(report), map[string]string{"a": "success ", "b": "failed house b: it was changed", "c": "skipped the run stopped, because the toy b failed"})
}

// journalled runs a plan with a journal and reads that.
func journalled(t *testing.T, in execute.Input, name string) (*execute.Report, *execute.Unfinished) {
	t.Helper()
	j, err := execute.Reopen(name, testkit.Epoch)
	if err != nil {
		t.Fatal(err)
	}
	in.Begin, in.Record, in.Finished = j.Begin, j.Record, j.Finished
	report, _ := carryOut(t, in)
	if err := j.Close(false); err != nil {
		t.Fatal(err)
	}
	u, err := execute.ReadJournal(name)
	if err != nil {
		t.Fatal(err)
	}
	return report, u
}

// A driver finishes once, after its last change. An error is kept in the report,
// and the next part of the run tries again; once it is recorded, none does.
func TestFinish(t *testing.T) {
	p := toys(change("house", "a"), change("car", "b"))
	raw, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	j, err := execute.NewJournal(t.TempDir(), raw, source.Folders{Dir: "/"}, testkit.Epoch)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(false); err != nil {
		t.Fatal(err)
	}
	one, other, problem := &toy{}, &toy{}, errors.New("no space")
	fine := error(nil)
	drivers := map[string]execute.Driver{"house": &finishing{one, &problem}, "car": &finishing{other, &fine}}

	report, u := journalled(t, by(p, drivers), j.Name())
	equal(t, "one", one.said, []string{"create a", "finish after 2"})
	equal(t, "other", other.said, []string{"create b", "finish after 2"})
	equal(t, "report", report.FinishError, "no space")
	equal(t, "recorded", u.Finished, map[string]bool{"car": true})

	// All changes are done, and one of the drivers has not finished.
	again := by(p, drivers)
	again.Unfinished, again.Done = u, map[string]*execute.Outcome{}
	for id, r := range u.Results {
		again.Done[id] = &execute.Outcome{Object: &resource.Object{ID: r.ResourceID}}
	}
	problem, one.said, other.said = nil, nil, nil
	report, u = journalled(t, again, j.Name())
	equal(t, "one", one.said, []string{"finish after 2"})
	equal(t, "other", other.said, []string(nil))
	equal(t, "report", report.FinishError, "")
	equal(t, "recorded", u.Finished, map[string]bool{"car": true, "house": true})

	// A change that is sent again makes it necessary again.
	again.Unfinished, one.said = u, nil
	delete(again.Done, "a")
	_, u = journalled(t, again, j.Name())
	equal(t, "one", one.said, []string{"create a", "finish after 2"})
	equal(t, "recorded", u.Finished, map[string]bool{"house": true})
	if raw, err := os.ReadFile(j.Name()); err != nil || !strings.Contains(string(raw), `"finish":{"resource_types":["house"]}`) {
		t.Errorf("%v: %s", err, raw)
	}
}

// A run that stops leaves it to the next part to finish.
func TestNoFinishAfterAStop(t *testing.T) {
	one, fine := &toy{fails: map[string]error{"a": execute.Stop(errors.New("no"))}}, error(nil)
	drivers := map[string]execute.Driver{"house": &finishing{one, &fine}}
	carryOut(t, by(toys(change("house", "a"), change("house", "b")), drivers))
	equal(t, "after a stop", one.said, []string{"create a"})

	one.said, one.fails = nil, map[string]error{"a": errors.New("no")}
	carryOut(t, by(toys(change("house", "a"), change("house", "b")), drivers))
	equal(t, "after a failure", one.said, []string{"create a", "create b", "finish after 1"})
}

// A DELETE is not sent when the driver refuses what the CREATE would send.
type refusing struct{ *toy }

func (d refusing) MayReplace(_ context.Context, create *execute.Call) error {
	text, _ := create.Fields["text"].(string)
	return errors.New("no " + text)
}

func TestReplaceThatADriverRefuses(t *testing.T) {
	gone, again := change("house", "a"), change("house", "a", "gone")
	gone.ID, gone.Action, gone.ResourceID, gone.Replace = "gone", plan.Delete, "1", true
	again.ID, again.Replace, again.Fields = "again", true, map[string]any{"text": "room"}
	one := &toy{}
	report, _ := carryOut(t, by(toys(gone, again), map[string]execute.Driver{"house": refusing{one}}))
	equal(t, "said", one.said, []string(nil))
	equal(t, "error", report.Results[0].Error, "no room")
}
