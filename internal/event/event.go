// Package event is the closed set of things that happen during a run.
//
// In: nothing. Out: values that the engine hands to one sink, serially, and
// that views render. It must never import a package that prints.
package event

import "time"

// Event is one of the types of this package.
type Event interface{ event() }

// Phase is a stage of a run.
type Phase string

// The phases, in order.
const (
	Loading   Phase = "loading"
	Reading   Phase = "reading"
	Planning  Phase = "planning"
	Checking  Phase = "checking"
	Executing Phase = "executing"
)

// PhaseStarted tells that a phase begins.
type PhaseStarted struct{ Phase Phase }

// PhaseFinished tells that a phase ended. Count is what it handled: documents,
// lists or changes.
type PhaseFinished struct {
	Phase Phase
	Count int
	Took  time.Duration
}

// RunStarted comes once, before the first change.
type RunStarted struct{ Total int }

// Change names a change of the plan in events.
type Change struct {
	ID, Action, Kind, Ref, Name string
}

// ChangeStarted tells that a change is being carried out.
type ChangeStarted struct{ Change Change }

// ChangeWaiting reports that a change was sent, and that the run now waits for
// its resource. AlreadyDone means that there was nothing to send.
type ChangeWaiting struct {
	Change      Change
	AlreadyDone bool
}

// Object names what events observe, in the words of its target.
type Object struct{ Group, Kind, Namespace, Name string }

// Observed reports the status of an object that a run waits for.
type Observed struct {
	Object          Object
	Status, Message string
}

// Settled reports that the wait for an object that needed no change has ended.
type Settled struct {
	Object Object
	Err    error
}

// ChangeFinished tells that a change was carried out. AlreadyDone means that
// there was nothing left to do.
type ChangeFinished struct {
	Change      Change
	ResourceID  string
	AlreadyDone bool
	Took        time.Duration
}

// ChangeFailed tells that a change could not be carried out.
type ChangeFailed struct {
	Change Change
	Err    error
	Took   time.Duration
}

// ChangeSkipped tells that a change was not tried, and why.
type ChangeSkipped struct {
	Change Change
	Reason string
	// NotStarted reports that the run ended before its turn came.
	NotStarted bool
}

// Stopping tells that the run was interrupted and waits for what is running.
type Stopping struct{ Running int }

// Read reports how many objects a list that was read has.
type Read struct{ Objects int }

// Answered reports that a request that reads has ended.
type Answered struct{}

// Reads reports how many reads for a plan are about to start, and how many ended. More
// may start later: what is found leads to others.
type Reads struct{ Started, Ended int }

// Retrying tells that a request is repeated.
type Retrying struct {
	Method, Path string
	Attempt      int
	Wait         time.Duration
	Reason       string
	// Throttled reports that the service wants fewer requests.
	Throttled bool
}

// Waiting tells that another run must end first: who holds what.
type Waiting struct{ Holder, What string }

// Warning is something to know that stops nothing.
type Warning struct{ Text string }

// RunFinished comes once, after the last change.
type RunFinished struct {
	Applied, Failed, Skipped int
	// Aborted counts the changes that were under way when the run was aborted.
	Aborted     int
	Took        time.Duration
	Interrupted bool
	// NotStarted counts the changes whose turn did not come, Why says why.
	NotStarted int
	Why        string
}

func (PhaseStarted) event()   {}
func (PhaseFinished) event()  {}
func (RunStarted) event()     {}
func (ChangeStarted) event()  {}
func (ChangeWaiting) event()  {}
func (Observed) event()       {}
func (Settled) event()        {}
func (ChangeFinished) event() {}
func (ChangeFailed) event()   {}
func (ChangeSkipped) event()  {}
func (Stopping) event()       {}
func (Read) event()           {}
func (Answered) event()       {}
func (Reads) event()          {}
func (Retrying) event()       {}
func (Waiting) event()        {}
func (Warning) event()        {}
func (RunFinished) event()    {}

// Sink receives events, one at a time.
type Sink func(Event)
