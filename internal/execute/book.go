package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// book holds the changes of a plan as calls, and what is known of how they ended.
type book struct {
	in     *Input
	values Values
	// calls are by id; drivers are those that the plan needs, each with its calls.
	calls   map[string]*Call
	drivers []Driver
	driven  map[Driver][]*Call
	awaited map[string]*await // by node

	mu      sync.Mutex
	done    map[string]*Outcome // what changes made, by change
	above   map[string][]string // the ancestors it was made below
	results map[string]*Result
}

func newBook(in *Input) *book {
	return &book{
		in: in, values: in.Values(), calls: map[string]*Call{}, driven: map[Driver][]*Call{}, awaited: map[string]*await{},
		done: map[string]*Outcome{}, above: map[string][]string{}, results: map[string]*Result{},
	}
}

// prepare refuses a plan that asks for what its kind does not allow, and puts
// together what every change sends, except for what other changes make. What is
// missing is among its problems, so that nothing is written then.
func (b *book) prepare(ctx context.Context) error {
	if b.in.Validate != nil {
		if err := b.in.Validate(b.in.Plan); err != nil {
			return err
		}
	}
	for _, c := range b.in.Plan.Changes {
		call := b.call(c)
		if call.driver == nil {
			call.Problem = errors.New("this program cannot carry it out")
			continue
		}
		call.Fields, call.Secrets, call.Missing = b.values.gather(c)
		call.Problem = call.Missing.err()
	}
	for _, d := range b.drivers {
		if err := d.Prepare(ctx, b.in.Plan, b.driven[d]); err != nil {
			return err
		}
	}
	return nil
}

// call makes the call of a change and notes it with its driver.
func (b *book) call(c *plan.Change) *Call {
	out := &Call{Change: c, Name: c.ResourceType + " " + c.ResourceRef, Before: b.in.Unfinished.before(c.ID), book: b}
	if b.in.Driver != nil {
		out.driver = b.in.Driver(c.ResourceType)
	}
	b.calls[c.ID] = out
	if out.driver != nil {
		if !slices.Contains(b.drivers, out.driver) {
			b.drivers = append(b.drivers, out.driver)
		}
		b.driven[out.driver] = append(b.driven[out.driver], out)
	}
	return out
}

// place finds the ids above a change; those that this run made are known by now.
func (b *book) place(call *Call) error {
	parent := call.Change.Parent
	switch {
	case parent == nil:
		return nil
	case parent.Change == "":
		call.Ancestors = parent.Ancestors
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.done[parent.Change]
	if o == nil {
		return fmt.Errorf("the plan does not order %s after %s", call.Change.ID, parent.Change)
	}
	call.Ancestors = append(slices.Clone(b.above[parent.Change]), o.Object.ID)
	return nil
}

// fill puts the value of a reference into what a change sends.
func (b *book) fill(c *Call, path string, ref plan.Reference) error {
	v, err := b.made(ref)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	value.Set(c.Fields, value.ParsePath(path), v)
	return nil
}

// made returns the value that an earlier change brought about. A change may make
// more than its own resource: such objects are of other types and found by ref.
func (b *book) made(ref plan.Reference) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.done[ref.Change]
	if o == nil {
		return nil, fmt.Errorf("the plan does not order this after %s", ref.Change)
	}
	if ref.Type != "" && ref.Type != b.calls[ref.Change].Change.ResourceType {
		return madeBeside(o, ref)
	}
	if ref.Field == "" {
		return o.Object.ID, nil
	}
	v, ok := value.Get(o.Object.Fields, value.ParsePath(ref.Field))
	if !ok || v == nil {
		return nil, fmt.Errorf("%s %q has no %s after its change", resource.Words(ref.Type), ref.Ref, ref.Field)
	}
	return resource.Unmarked(v), nil
}

// madeBeside returns a field of an object that a change made besides its
// resource.
func madeBeside(o *Outcome, ref plan.Reference) (any, error) {
	field := ref.Field
	if field == "" {
		field = "id"
	}
	if made := o.Made[ref.Ref]; made != nil {
		if v, ok := value.Get(made.Fields, value.ParsePath(field)); ok && v != nil {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%s %q has no %s", resource.Words(ref.Type), ref.Ref, field)
}

// store keeps how a change ended and what it made.
func (b *book) store(res *Result, o *Outcome, ancestors []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.results[res.ChangeID] = res
	if o != nil {
		b.done[res.ChangeID], b.above[res.ChangeID] = o, ancestors
	}
}

// leftOut reports whether a change was left out because its resource changed.
func (b *book) leftOut(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.results[id] != nil && b.results[id].LeftOut
}

// aborted reports whether a change was cut off.
func (b *book) aborted(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.results[id] != nil && b.results[id].Status == Aborted
}

// ended is the outcome of a change that was carried out with its other half.
func (b *book) ended(id string) (graph.Outcome, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	res := b.results[id]
	if res == nil {
		return graph.Done, false
	}
	switch res.Status {
	case Succeeded:
		return graph.Done, true
	case Failed, Aborted:
		return graph.Failed, true
	default:
		return graph.Skipped, true
	}
}

// groups are the changes that do not wait for each other.
func (b *book) groups() [][]*Call {
	var out [][]*Call
	for _, ids := range b.in.Plan.ExecutionGroups {
		var group []*Call
		for _, id := range ids {
			if c := b.calls[id]; c != nil {
				group = append(group, c)
			}
		}
		out = append(out, group)
	}
	return out
}

// kinds lists the resource types of a driver's changes.
func (b *book) kinds(d Driver) []string {
	var out []string
	for _, c := range b.driven[d] {
		out = append(out, c.Change.ResourceType)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// look makes calls of all changes that are only to be looked at.
func (b *book) look() []*Call {
	var out []*Call
	for _, c := range b.in.Plan.Changes {
		call := b.call(c)
		call.Fields = b.values.known(c)
		out = append(out, call)
	}
	return out
}

// doneBefore reports whether an earlier part of the run carried a change out,
// and its result was seen.
func (b *book) doneBefore(id string) bool {
	return b.in.Done[id] != nil && b.calls[id].Before.Succeeded()
}
