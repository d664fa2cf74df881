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

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// Input is what a run needs.
type Input struct {
	Plan *plan.Plan
	// Validate refuses a plan that asks for what its types do not allow; nil
	// takes any.
	Validate func(*plan.Plan) error
	// Driver returns what carries out changes of a resource type; nil where
	// nothing does.
	Driver func(kind string) Driver
	// Env looks up the variables that expressions name; with false, the text is why one
	// may not be read, "" where it is not set.
	Env func(string) (string, bool)
	// Dir is the folder that paths in the plan are relative to.
	Dir string
	// Bases are the folders that files may be read from; nil is Dir alone.
	Bases []string
	// Concurrency is how many changes run at once; the target may bound it
	// further.
	Concurrency int
	Now         func() time.Time
	// Done are changes that need not be carried out any more, Skip those that
	// must not be, with the reason: what Check found.
	Done map[string]*Outcome
	Skip map[string]string
	// Checked is when the live resources were read, for the plan or by Check; a
	// change that starts much later is checked again. Zero turns that off.
	Checked time.Time
	// SkipMoved leaves out what such a check finds changed; without it the run
	// stops.
	SkipMoved bool
	// GoOn lets what does not depend on a failed attached change continue.
	GoOn bool
	// CheckOnly says that the plan is compared with what exists, and nothing is
	// carried out.
	CheckOnly bool
	// Beside are values that a target made with the plan and that the plan does
	// not hold, by the target's name. A saved plan has none.
	Beside map[string]any
	// Unfinished is the run that this one continues; nil for a new one.
	Unfinished *Unfinished
	// Begin keeps that a change is about to be sent, Record its result before
	// anything that depends on it starts, Finished that a driver has finished.
	// When they fail, nothing new starts.
	Begin    func(*Attempt) error
	Record   func(*Result) error
	Finished func(*Finish) error
	// ShownOnce keeps a secret that the target generated, before Record; nil drops it.
	// When it fails, nothing new starts.
	ShownOnce func(ShownOnce) error
	// Abort ends what is in flight, too; nil never does.
	Abort <-chan struct{}
}

// Values returns what expressions of the plan are evaluated with.
func (in Input) Values() Values {
	v := Values{Env: in.Env, Folders: source.Folders{Dir: in.Dir, Bases: in.Bases}}
	if in.Plan != nil {
		v.Inputs = in.Plan.Metadata.Inputs
	}
	if v.Env == nil {
		v.Env = func(string) (string, bool) { return "", false }
	}
	if v.Folders.Bases == nil {
		v.Folders.Bases = []string{in.Dir}
	}
	return v
}

// Status is how a change ended.
type Status string

// The statuses.
const (
	Succeeded Status = "success"
	Failed    Status = "failed"
	Skipped   Status = "skipped"
	// Aborted ones were under way when the run was aborted: their outcome is unknown.
	Aborted Status = "aborted"
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
	// GatewayChanges are what was done to parts, before it failed too.
	GatewayChanges []plan.Part `json:"gateway_changes,omitempty"`

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
	// Aborted counts the changes that were under way when the run was aborted.
	Aborted int `json:"aborted,omitempty"`
	// LeftOut counts the skipped changes whose resource changed after the plan
	// was created: they were not tried, and neither was what waits for them.
	LeftOut     int       `json:"left_out,omitempty"`
	Interrupted bool      `json:"interrupted"`
	Results     []*Result `json:"results"`
	// Stopped is why the run ended by itself before all changes were tried.
	Stopped string `json:"stopped,omitempty"`
	// FinishError is why a target could not finish after its changes.
	FinishError string `json:"finish_error,omitempty"`
	FinishErr   error  `json:"-"`
	// FinishLeft reports that the run ended before a target could finish.
	FinishLeft bool `json:"-"`
	// Resumable reports whether resume can finish the run.
	Resumable bool `json:"-"`
	// Again reports that the run can be finished only from its beginning: it took
	// values that are not kept.
	Again bool `json:"-"`
	// Detached are the updates that attach resources again and that the run did
	// not get to.
	Detached []plan.Reattach `json:"-"`
}

// Run carries out the changes of a plan, each as soon as all it depends on are
// done. A failure skips only what depends on it. When ctx ends, what is in
// flight is finished and nothing new starts. It fails before the first write
// when a value that the plan names cannot be had.
func Run(ctx context.Context, in Input, sink event.Sink) (*Report, error) {
	r := &run{Input: &in, book: newBook(&in), sink: sink, open: map[string]*work{}, running: map[string]*work{}, returned: map[string]bool{}}
	if err := r.book.prepare(ctx); err != nil {
		return nil, err
	}
	r.Skip, r.joined = r.skipWhole(), joined(in.Plan)
	if err := r.book.problems(r.settled); err != nil {
		return nil, err
	}
	g, err := r.book.order()
	if err != nil {
		return nil, err
	}
	started := r.Now()
	r.emit(event.RunStarted{Total: len(in.Plan.Changes) - r.before()})
	walking, stop := context.WithCancel(ctx)
	defer stop()
	r.stop, r.interrupted = stop, func() bool { return ctx.Err() != nil }
	defer r.watch(ctx)()
	// A run that stops itself starts nothing new; only an interrupt reaches what
	// is in flight.
	g.Walk(walking, graph.Walker[string]{
		Do:   func(_ context.Context, id string) graph.Outcome { return r.step(id) },
		Wait: func(_ context.Context, id string) graph.Outcome { return r.wait(id) },
		Skip: r.skip, Limit: in.Concurrency,
	})
	return r.report(ctx, started), nil
}

// settled reports whether a change is not to be sent: it is done, or left out.
func (r *run) settled(id string) bool {
	_, skip := r.Skip[id]
	return skip || r.Done[id] != nil
}

type run struct {
	*Input
	book *book
	sink event.Sink

	mu   sync.Mutex
	open map[string]*work // what waits
	// stop lets nothing new start; stopped is the change that failed so.
	// Interrupted reports whether somebody else ended it.
	stop        context.CancelFunc
	stopped     *Call
	halted      string // why nothing new may start
	running     map[string]*work
	returned    map[string]bool // those that were not started after all
	notStarted  int
	aborting    context.Context // ends when what is in flight must end
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

// work is a change that is being carried out.
type work struct {
	call    *Call
	res     *Result
	began   time.Time
	outcome Outcome
	sending *resource.Sending // nil for what is finished in any case
	begun   bool              // the journal says that it is about to be sent
}

// change carries out one change. Its requests are not cut off when the run is
// interrupted, but when it is aborted: half a write is worse than a second of
// waiting.
func (r *run) change(id string) graph.Outcome {
	w := &work{call: r.book.calls[id], began: r.Now()}
	w.res = newResult(w.call.Change)
	if reason, skip := r.Skip[id]; skip {
		return r.leaveOut(w, reason)
	}
	if r.book.doneBefore(id) {
		return r.keep(w)
	}
	err := r.carryOut(r.start(w), w)
	if _, waits := w.call.driver.(Waiter); waits && err == nil {
		r.emit(event.ChangeWaiting{Change: describe(w.call.Change), AlreadyDone: w.res.AlreadyDone})
		r.mu.Lock()
		defer r.mu.Unlock()
		r.open[id] = w
		return graph.Waiting
	}
	return r.conclude(w, err)
}

// wait waits for what step left waiting: a change, or the CREATE that was
// carried out with it.
func (r *run) wait(id string) graph.Outcome {
	if a := r.book.awaited[id]; a != nil {
		return r.awaitOne(a)
	}
	outcome := graph.Done
	if w := r.waiting(id); w != nil {
		outcome = r.follow(id, r.await(w))
	}
	if w := r.waiting(r.joined[id]); w != nil {
		r.await(w)
		outcome = graph.Done
	}
	return outcome
}

// waiting takes what waits off the list.
func (r *run) waiting(id string) *work {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.open[id]
	delete(r.open, id)
	return w
}

func (r *run) await(w *work) graph.Outcome {
	ctx, cancel := resource.Waiting(r.aborting)
	defer cancel()
	waiter, _ := w.call.driver.(Waiter)
	o, err := waiter.Wait(ctx, w.call, w.outcome)
	if err == nil {
		w.outcome = o
	}
	return r.conclude(w, err)
}

// conclude records and reports how a change ended.
func (r *run) conclude(w *work, err error) graph.Outcome {
	c, res := w.call.Change, w.res
	r.end(c)
	if err != nil && r.givenBack(w, err) {
		return r.giveBack(w)
	}
	took := r.Now().Sub(w.began)
	res.GatewayChanges = w.outcome.Parts
	res.DurationMS = took.Milliseconds()
	if err == nil {
		w.outcome.complete(c)
		res.Status, res.ResourceID = Succeeded, w.outcome.Object.ID
		handOut(r, w)
		r.record(res)
		r.book.store(res, &w.outcome, w.call.Ancestors)
		r.emit(event.ChangeFinished{Change: describe(c), ResourceID: res.ResourceID, AlreadyDone: res.AlreadyDone, Took: took})
		return graph.Done
	}
	stops, err := stops(err)
	if drifted := (*MovedError)(nil); errors.As(err, &drifted) {
		if r.SkipMoved {
			return r.leaveOut(w, SkippedBecause(drifted.Moved[0]))
		}
		r.halt(r.Plan.Metadata.Where() + " has changed since this plan was created")
	}
	if resource.TokenRefused(err) {
		r.halt("the token is no longer accepted")
	}
	r.failed(res, r.leaves(c, err))
	r.book.store(res, nil, nil)
	if stops {
		r.failFast(w.call)
	}
	r.emit(event.ChangeFailed{Change: describe(c), Err: res.Err, Took: took})
	return graph.Failed
}

// carryOut makes the call of a change unless there is nothing left to do or,
// when the look at the live resources is old, somebody moved the resource.
func (r *run) carryOut(ctx context.Context, w *work) error {
	c := w.call
	if err := r.book.place(c); err != nil {
		return err
	}
	done := r.Done[c.Change.ID]
	if done == nil && r.outdated(c) {
		var err error
		if done, err = r.recheck(ctx, c); err != nil {
			return err
		}
	}
	if done != nil {
		w.res.AlreadyDone, w.outcome = true, *done
		return nil
	}
	if err := r.mayDelete(ctx, c); err != nil {
		return err
	}
	if err := r.begin(c); err != nil {
		return err
	}
	w.begun = true
	err := c.Fill()
	if err == nil {
		w.outcome, err = c.driver.Do(ctx, c)
	}
	return err
}

// failFast stops the run when a change fails that everything else may build on.
func (r *run) failFast(c *Call) {
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

// why says what kept a change from being tried.
func (r *run) why() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped != nil {
		return fmt.Sprintf("the run stopped, because %s failed", r.stopped.Name)
	}
	if r.halted != "" && !r.interrupted() {
		return "the run stopped: " + r.halted
	}
	return "the run was interrupted"
}

func newResult(c *plan.Change) *Result {
	return &Result{ChangeID: c.ID, Action: c.Action, ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, ResourceName: c.ResourceName, ResourceID: c.ResourceID}
}

func (r *run) skip(id string, because *string) {
	if isGate(id) {
		return
	}
	if _, done := r.book.ended(id); done {
		return // it was carried out with its other half
	}
	c := r.Plan.Change(id)
	res := newResult(c)
	if r.book.doneBefore(id) {
		r.takeOver(&work{call: r.book.calls[id], res: res})
		return
	}
	res.Status, res.Error = Skipped, r.why()
	if because != nil && isGate(*because) && r.interrupted() {
		because = nil // the wait was interrupted
	}
	if because != nil && r.wasReturned(*because) {
		because = nil
	}
	late := because == nil && !r.failedFast()
	if late {
		r.mu.Lock()
		r.notStarted++
		r.mu.Unlock()
	}
	if because != nil {
		r.because(res, *because)
	}
	if reason := r.Skip[id]; reason != "" {
		res.Error = reason
	}
	r.book.store(res, nil, nil)
	r.emit(event.ChangeSkipped{Change: describe(c), Reason: res.Error, NotStarted: late})
}

func (r *run) report(ctx context.Context, started time.Time) *Report {
	out := &Report{
		Mode: r.Plan.Metadata.Mode, Total: len(r.Plan.Changes), Interrupted: ctx.Err() != nil,
		StartedAt: started.UTC().Format(time.RFC3339), FinishedAt: r.Now().UTC().Format(time.RFC3339),
		Results: []*Result{}, Stopped: r.halted,
	}
	for _, c := range r.Plan.Changes {
		res := r.book.results[c.ID]
		out.Results = append(out.Results, res)
		switch res.Status {
		case Succeeded:
			out.Succeeded++
		case Failed:
			out.Failed++
		case Aborted:
			out.Aborted++
		case Skipped:
			out.Skipped++
			if res.LeftOut {
				out.LeftOut++
			}
		}
	}
	r.finish(out)
	finished := event.RunFinished{Applied: out.Succeeded, Failed: out.Failed, Aborted: out.Aborted, Skipped: out.Skipped, Took: r.Now().Sub(started), Interrupted: out.Interrupted}
	if n := r.notStarted; n > 0 {
		finished.NotStarted, finished.Why = n, r.why()
	}
	r.emit(finished)
	out.findDetached(r.Plan)
	return out
}
