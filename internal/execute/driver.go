package execute

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Driver carries out the changes of one target. A run asks for one by resource
// type; all types of a target have the same one, which is a pointer.
type Driver interface {
	// Prepare puts together what can be had before the first write and takes note
	// of the calls, which are all that the plan has for this driver. A call that
	// cannot be made gets a Problem; an error is about all of them.
	Prepare(ctx context.Context, p *plan.Plan, calls []*Call) error
	// Check compares what changes expect with what is there now. It is called
	// with the changes of one execution group after the other, as far as it is
	// known what they stand below, and with a single one that is Late. What is
	// as expected has no verdict, or one that says what is left.
	Check(ctx context.Context, calls []*Call) ([]Verdict, error)
	// Do carries a change out. Its context ends when the run is aborted, and
	// resource.Waiting gives one that ends with an interrupt. Parts of the
	// outcome count although there is an error.
	Do(ctx context.Context, c *Call) (Outcome, error)
}

// Waiter is a driver whose changes are done only when Wait returns. A wait takes
// no execution slot, and its context ends when the run is interrupted.
type Waiter interface {
	Wait(ctx context.Context, c *Call, o Outcome) (Outcome, error)
}

// Awaiter is a driver with changes that must not start before something is ready
// that no change of the plan is about. What waits for something that does not get
// ready is skipped.
type Awaiter interface {
	// Awaits lists what a change waits for, in words of the driver.
	Awaits(c *Call) []string
	// Await waits for one of them, without an execution slot. Its context ends
	// when the run is interrupted.
	Await(ctx context.Context, what string) error
}

// Finisher is a driver that has something to do after its last change ended. An
// error fails the run and keeps its journal; resume calls it again.
type Finisher interface {
	Finish(ctx context.Context, r *Report) error
}

// Replacer is a driver that may refuse the DELETE of a replace for what its
// CREATE would send, now that all of it is known.
type Replacer interface {
	MayReplace(ctx context.Context, create *Call) error
}

// Tracer is a driver that finds what a plan that was carried out left behind.
type Tracer interface {
	// Trace finds it for one change. Reported reports whether a report says how
	// the change ended, id is the one that it gives. Nil is nothing to say.
	Trace(ctx context.Context, c *Call, id string, reported bool) (*plan.Trace, error)
	// Uses completes what was found for all changes.
	Uses(ctx context.Context, p *plan.Plan, traces map[string]plan.Trace) error
}

// Call is a change with what it takes from others.
type Call struct {
	Change *plan.Change
	// Name is what messages call it; Prepare may give it another one.
	Name string
	// Ancestors are the ids above the resource, root first.
	Ancestors []string
	// Fields are what the change sends, with the values of expressions and
	// secrets. Fill adds what other changes make.
	Fields map[string]any
	// Secrets are what nobody may be shown of it.
	Secrets []string
	// Before is how far an earlier part of the run got; nil where it did not try.
	Before *Before
	// Late says that the change is about to be carried out, and that the last
	// check is some time ago.
	Late bool
	// Missing are values of Fields that cannot be had here, each with its place.
	Missing Missing
	// Problem is why the change cannot be carried out. Where something is Missing it says
	// so from the start. Prepare removes that where Check can do without the value: the
	// change is refused then unless it is done.
	Problem error

	book   *book
	driver Driver
}

// Outcome is what a change brought about.
type Outcome struct {
	// Object is the resource as it is now; nil where only its id is known, which
	// the change names.
	Object *resource.Object
	// Made are other objects that it made, by ref.
	Made map[string]*resource.Object
	// Parts are what it did to parts of the resource.
	Parts []plan.Part
	// ShownOnce are the secrets that the target generated and that nothing shows again,
	// by field; "" is one whose answer was lost.
	ShownOnce map[string]string
}

// complete adds the object where the driver gave none.
func (o *Outcome) complete(c *plan.Change) {
	if o.Object == nil {
		o.Object = &resource.Object{ID: c.ResourceID}
	}
}

// PlaceError is a plan that was made for another place: Prepare refuses it.
type PlaceError struct{ Made, Here string }

func (e *PlaceError) Error() string {
	return fmt.Sprintf("the plan was created for %s, but this is %s", e.Made, e.Here)
}

// Verdict is what a check says of a change: that it is done already, or that its
// resource is not what the plan expects.
type Verdict struct {
	Call *Call
	Done *Outcome
	// Moved says in words why the resource is not what is expected; Fields show
	// it.
	Moved  string
	Fields []MovedField
	// Left are the fields of a change that is not done which are not as planned yet;
	// nil where the driver does not know. A verdict may have nothing else.
	Left []plan.FieldChange
	// Stop says that such a change stops the run, like one that fails with Stop.
	Stop bool
}

// stopError is an error that stops the run.
type stopError struct{ error }

func (e *stopError) Unwrap() error { return e.error }

// Stop marks the error of a change: nothing new starts after it.
func Stop(err error) error {
	if err == nil {
		return nil
	}
	return &stopError{err}
}

// stops reports whether an error stops the run, and returns it without the mark.
func stops(err error) (stop bool, cause error) {
	if s := (*stopError)(nil); errors.As(err, &s) {
		return true, s.error
	}
	return false, err
}

// Fill adds the values that other changes made; it fails while one of those is
// not done, and adds the others.
func (c *Call) Fill() error {
	var first error
	for _, path := range slices.Sorted(maps.Keys(c.Change.References)) {
		ref := c.Change.References[path]
		if ref.Change == "" {
			continue
		}
		if err := c.book.fill(c, path, ref); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Open lists the fields with values that other changes make and that are not there yet.
func (c *Call) Open() []string {
	var out []string
	for path, ref := range c.Change.References {
		if ref.Change == "" {
			continue
		}
		if _, err := c.book.made(ref); err != nil {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// Done reports whether the change is carried out, or was found to be.
func (c *Call) Done() bool {
	c.book.mu.Lock()
	defer c.book.mu.Unlock()
	return c.book.done[c.Change.ID] != nil
}

// Expected reports whether the change is still to come or this run has carried
// it out.
func (c *Call) Expected() bool {
	c.book.mu.Lock()
	defer c.book.mu.Unlock()
	_, skipped := c.book.in.Skip[c.Change.ID]
	res := c.book.results[c.Change.ID]
	return !skipped && (res == nil || res.Status == Succeeded)
}

// Written reports whether this run has already changed the resource: it is not
// what the plan expects any more, and that is right.
func (c *Call) Written() bool {
	if c.Change.ResourceID == "" {
		return false
	}
	c.book.mu.Lock()
	defer c.book.mu.Unlock()
	for _, other := range c.book.in.Plan.Changes {
		if other != c.Change && other.ResourceType == c.Change.ResourceType && other.ResourceID == c.Change.ResourceID && c.book.done[other.ID] != nil {
			return true
		}
	}
	return false
}
