// Package execute carries out plans.
//
// In: a plan document and a target; nothing else is looked at, so that a plan
// does the same whenever it runs. Out: events on the way and a report. All
// values are put together before the first write. It must never decide what to
// change.
package execute

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kongctl/internal/resource"

	"kongctl/internal/event"
	"kongctl/internal/gateway"
	"kongctl/internal/graph"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
)

// Input is what a run needs.
type Input struct {
	Plan *plan.Plan
	// Seed says that the plan fills an embedded Konnect with a saved state,
	// labels and all, which no other plan may do.
	Seed    bool
	Catalog *catalog.Catalog
	Target  remote.Target
	// Env looks up the variables that expressions name.
	Env func(string) (string, bool)
	// Dir is the folder that paths in the plan are relative to.
	Dir string
	// Bases are the folders that files may be read from; nil is Dir alone.
	Bases []string
	// Concurrency is how many changes run at once; the target may bound it
	// further.
	Concurrency int
	Now         func() time.Time
	// Sleep waits between tries of a write; nil is real time.
	Sleep func(context.Context, time.Duration) error
	// Done are changes that need not be carried out any more, Skip those that
	// must not be, with the reason: what Check found.
	Done map[string]*resource.Object
	Skip map[string]string
	// Checked is when Konnect was read, for the plan or by Check; a change that
	// starts much later is checked again. Zero turns that off.
	Checked time.Time
	// SkipMoved leaves out what such a check finds changed; without it the run
	// stops.
	SkipMoved bool
	// Unfinished is the run that this one continues; nil for a new one.
	Unfinished *Unfinished
	// Made are resources that other runs created: a check looks for them where a
	// list does not show them.
	Made []live.Made
	// Gateway runs decK; nil where a plan has no work for it.
	Gateway gateway.Reconciler
	// GoOnAfterDeck lets what does not depend on a failed decK run go on.
	GoOnAfterDeck bool
	// Begin keeps that a change is about to be sent, Record its result before
	// anything that depends on it starts. When they fail, nothing new starts.
	Begin  func(*Attempt) error
	Record func(*Result) error
	// Abort ends what is in flight, too; nil never does.
	Abort <-chan struct{}
}

// Status is how a change ended.
type Status string

// The statuses.
const (
	Succeeded Status = "success"
	Failed    Status = "failed"
	Skipped   Status = "skipped"
)

// Result is how one change ended.
type Result struct {
	ChangeID     string      `json:"change_id"`
	Action       plan.Action `json:"action"`
	ResourceType string      `json:"resource_type"`
	ResourceRef  string      `json:"resource_ref"`
	ResourceName string      `json:"resource_name"`
	ResourceID   string      `json:"resource_id,omitempty"`
	Status       Status      `json:"status"`
	Error        string      `json:"error,omitempty"`
	DurationMS   int64       `json:"duration_ms"`

	// AlreadyDone reports that there was nothing left to do.
	AlreadyDone bool `json:"already_done,omitempty"`
	// LeftOut reports that the resource changed after the plan was created.
	LeftOut bool `json:"-"`
	// Unknown reports that the change was sent and no answer came: it may have
	// been carried out.
	Unknown bool `json:"outcome_unknown,omitempty"`
	// GatewayChanges are what decK did, before it failed too.
	GatewayChanges []gateway.Change `json:"gateway_changes,omitempty"`

	Err error `json:"-"`
}

// Report is how a run ended.
type Report struct {
	Mode       plan.Mode `json:"mode"`
	StartedAt  string    `json:"started_at"`
	FinishedAt string    `json:"finished_at"`
	Total      int       `json:"total_changes"`
	Succeeded  int       `json:"succeeded"`
	Failed     int       `json:"failed"`
	Skipped    int       `json:"skipped"`
	// LeftOut counts the skipped changes whose resource changed after the plan
	// was created: they were not tried, and neither was what waits for them.
	LeftOut     int       `json:"left_out,omitempty"`
	Interrupted bool      `json:"interrupted"`
	Results     []*Result `json:"results"`
	// Stopped is why the run ended by itself before all changes were tried.
	Stopped string `json:"stopped,omitempty"`
	// Resumable reports whether resume can finish the run.
	Resumable bool `json:"-"`
	// Detached are the updates that attach resources again and that the run did
	// not get to.
	Detached []plan.Reattach `json:"-"`
}

// Run carries out the changes of a plan, each as soon as all it depends on are
// done. A failure skips only what depends on it. When ctx ends, what is in
// flight is finished and nothing new starts. It fails before the first write
// when a value that the plan names cannot be had.
func Run(ctx context.Context, in Input, sink event.Sink) (*Report, error) {
	r := newRun(in, sink)
	if err := r.prepare(); err != nil {
		return nil, err
	}
	g, err := order(in.Plan)
	if err != nil {
		return nil, err
	}
	started := r.Now()
	r.emit(event.RunStarted{Total: len(in.Plan.Changes) - r.before()})
	walking, stop := context.WithCancel(ctx)
	defer stop()
	r.stop, r.interrupted = stop, func() bool { return ctx.Err() != nil }
	r.Skip, r.joined = skipWhole(in.Plan, in.Skip), joined(in.Plan)
	defer r.watch(ctx)()
	// A run that stops itself starts nothing new; only an interrupt reaches what
	// is in flight.
	do := func(_ context.Context, id string) graph.Outcome { return r.step(ctx, id) }
	g.Walk(walking, graph.Walker[string]{Do: do, Skip: r.skip, Limit: in.Concurrency})
	return r.report(ctx, started), nil
}

func newRun(in Input, sink event.Sink) *run {
	r := &run{Input: in, sink: sink, done: map[string]*resource.Object{}, above: map[string][]string{}, results: map[string]*Result{}, writes: map[string]remote.Write{}, scopes: map[string]*sync.RWMutex{}, decks: map[string]gateway.Request{}, entities: map[string][]gateway.Change{}, rechecks: &lookout{lists: map[string]*sight{}}}
	if r.Env == nil {
		r.Env = func(string) (string, bool) { return "", false }
	}
	return r
}

type run struct {
	Input
	sink event.Sink

	mu      sync.Mutex
	done    map[string]*resource.Object // what changes made, by change
	above   map[string][]string         // the ancestors it was made below
	results map[string]*Result
	writes  map[string]remote.Write // with everything but other changes' values
	scopes  map[string]*sync.RWMutex
	decks   map[string]gateway.Request
	// entities are what decK did, by change.
	entities map[string][]gateway.Change
	// stop lets nothing new start; stopped is the change that failed so.
	// Interrupted tells that somebody else ended the run.
	stop        context.CancelFunc
	stopped     *plan.Change
	halted      string // why nothing new may start
	running     int
	notStarted  int
	aborting    context.Context // ends when what is in flight must end
	rechecks    *lookout
	interrupted func() bool
	// joined are the replaces that are carried out in one go: the id of the
	// CREATE by that of the DELETE.
	joined map[string]string
}

func (r *run) emit(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sink != nil {
		r.sink(e)
	}
}

func describe(c *plan.Change) event.Change {
	return event.Change{ID: c.ID, Action: string(c.Action), Kind: c.ResourceType, Ref: c.ResourceRef, Name: c.ResourceName}
}

// change carries out one change. Its requests are not cut off when the run is
// interrupted, but when it is aborted: half a write is worse than a second of
// waiting.
func (r *run) change(ctx context.Context, id string) graph.Outcome {
	c := r.Plan.Change(id)
	began := r.Now()
	res := newResult(c)
	if reason, skip := r.Skip[id]; skip {
		return r.leaveOut(c, res, reason)
	}
	if r.doneBefore(id) {
		return r.keep(c, res)
	}
	r.start(c)
	doing := r.aborting
	if c.Action == plan.ExternalTool {
		doing = ctx // decK writes a lot: an interrupt stops it between two entities
	}
	o, ancestors, err := r.carryOut(doing, c, res)
	r.end()
	took := r.Now().Sub(began)
	res.GatewayChanges = r.did(c)
	res.DurationMS = took.Milliseconds()
	if err == nil {
		res.Status, res.ResourceID = Succeeded, o.ID
		r.record(res)
	}
	if drifted := (*MovedError)(nil); errors.As(err, &drifted) {
		if r.SkipMoved {
			return r.leaveOut(c, res, SkippedBecause(drifted.Moved[0]))
		}
		r.halt("Konnect has changed since this plan was created")
	}
	if err != nil {
		r.failed(res, r.leaves(c, err))
		r.store(res, nil, nil)
		r.failFast(c)
		r.emit(event.ChangeFailed{Change: describe(c), Err: res.Err, Took: took})
		return graph.Failed
	}
	r.store(res, o, ancestors)
	r.emit(event.ChangeFinished{Change: describe(c), ResourceID: o.ID, AlreadyDone: res.AlreadyDone, Took: took})
	return graph.Done
}

// carryOut makes the call of a change unless there is nothing left to do or,
// when the look at the live resources is old, somebody moved the resource.
func (r *run) carryOut(ctx context.Context, c *plan.Change, res *Result) (*resource.Object, []string, error) {
	o := r.Done[c.ID]
	if o == nil && r.outdated(c) {
		var err error
		if o, err = r.recheck(ctx, c); err != nil {
			return nil, nil, err
		}
	}
	ancestors, err := r.ancestors(c)
	if err != nil {
		return nil, nil, err
	}
	if o != nil {
		res.AlreadyDone = true
		return o, ancestors, nil
	}
	if err := r.mayDelete(ctx, c); err != nil {
		return nil, nil, err
	}
	if err := r.begin(c, ancestors); err != nil {
		return nil, nil, err
	}
	o, err = r.call(ctx, c, ancestors)
	return o, ancestors, err
}

// did is what decK has changed for a change, also before it failed.
func (r *run) did(c *plan.Change) []gateway.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entities[c.ID]
}

// failFast stops the run when decK fails: everything else may build on it.
func (r *run) failFast(c *plan.Change) {
	if c.Action != plan.ExternalTool || r.GoOnAfterDeck {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped != nil || r.interrupted() {
		return // it failed because the run was stopped
	}
	r.stopped = c
	r.stop()
}

func (r *run) failedFast() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped != nil
}

// halt lets nothing new start; what runs is finished.
func (r *run) halt(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.halted == "" {
		r.halted = reason
	}
	r.stop()
}

// why tells what kept a change from being tried.
func (r *run) why() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped != nil {
		return fmt.Sprintf("the run stopped, because %s failed", name(r.stopped))
	}
	if r.halted != "" && !r.interrupted() {
		return "the run stopped: " + r.halted
	}
	return "the run was interrupted"
}

func (r *run) store(res *Result, o *resource.Object, ancestors []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results[res.ChangeID] = res
	if o != nil {
		r.done[res.ChangeID], r.above[res.ChangeID] = o, ancestors
	}
}

func newResult(c *plan.Change) *Result {
	return &Result{ChangeID: c.ID, Action: c.Action, ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, ResourceName: c.ResourceName, ResourceID: c.ResourceID}
}

func (r *run) skip(id string, because *string) {
	if _, done := r.ended(id); done {
		return // it was carried out with its other half
	}
	c := r.Plan.Change(id)
	res := newResult(c)
	if r.doneBefore(id) {
		r.takeOver(c, res, nil)
		return
	}
	res.Status, res.Error = Skipped, r.why()
	late := because == nil && !r.failedFast()
	if late {
		r.notStarted++
	}
	if because != nil {
		first := r.Plan.Change(*because)
		how := "failed"
		if r.results[first.ID].LeftOut {
			how = "was skipped"
		}
		res.Error = fmt.Sprintf("waits for %s, which %s", name(first), how)
	}
	if reason := r.Skip[id]; reason != "" {
		res.Error = reason
	}
	r.store(res, nil, nil)
	r.emit(event.ChangeSkipped{Change: describe(c), Reason: res.Error, NotStarted: late})
}

func (r *run) report(ctx context.Context, started time.Time) *Report {
	out := &Report{
		Mode: r.Plan.Metadata.Mode, Total: len(r.Plan.Changes), Interrupted: ctx.Err() != nil,
		StartedAt: started.UTC().Format(time.RFC3339), FinishedAt: r.Now().UTC().Format(time.RFC3339),
		Results: []*Result{}, Stopped: r.halted,
	}
	for _, c := range r.Plan.Changes {
		res := r.results[c.ID]
		out.Results = append(out.Results, res)
		switch res.Status {
		case Succeeded:
			out.Succeeded++
		case Failed:
			out.Failed++
		case Skipped:
			out.Skipped++
			if res.LeftOut {
				out.LeftOut++
			}
		}
	}
	finished := event.RunFinished{Applied: out.Succeeded, Failed: out.Failed, Skipped: out.Skipped, Took: r.Now().Sub(started), Interrupted: out.Interrupted}
	if n := r.notStarted; n > 0 {
		finished.NotStarted, finished.Why = n, r.why()
	}
	r.emit(finished)
	out.findDetached(r.Plan)
	return out
}
