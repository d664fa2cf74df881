package execute

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Moved is a change whose resource is not what the plan expects.
type Moved struct {
	Change *plan.Change
	// Why says it in words where there are no fields to show.
	Why    string
	Fields []MovedField
}

// MovedField is a field that is not what it was when the plan was made.
type MovedField struct {
	// Of names the resource that has the field; "" is that of the change.
	Of              string
	Field           string
	PlannedFrom, Is any
	// Writes is what the plan writes, known for a create and for what a plan of another
	// program does not list.
	Writes any
}

// Restated is what changes of another program lead to.
type Restated struct {
	// Root declares it.
	Root value.Value
	// Moved are the changes whose resource is not what they expect. Gone are deletes
	// of what does not exist any more, by the ids of changes.
	Moved []Moved
	Gone  map[string]bool
	// Refs are what the document calls the resources of deletes, by the ids of changes:
	// other programs put names there, which may be no refs.
	Refs map[string]string
	// Left are the fields that updates change and that do not have their value yet,
	// by the ids of changes.
	Left map[string][]string
	// Whole are the resources that lose values, by addresses: kind and ref.
	Whole map[string]bool
	// Again are the fields that updates write and that no comparison can find, as
	// type:ref#field: secrets, and what the target does not return.
	Again []string
}

// Finding is what a look at the live resources says of a plan.
type Finding struct {
	// Done are changes whose resource is already as planned.
	Done map[string]*Outcome
	// Moved are changes that would overwrite what somebody else did.
	Moved []Moved
	// Left are the fields that are not as planned yet, by change, where that is known.
	Left map[string][]plan.FieldChange
}

// Check compares what every change expects with what is there now, before
// anything is written. What hangs on something that is not made yet cannot have
// moved.
func Check(ctx context.Context, in Input) (*Finding, error) {
	b := newBook(&in)
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	if err := b.problems(func(string) bool { return true }); err != nil {
		return nil, err
	}
	out := &Finding{Done: map[string]*Outcome{}, Left: map[string][]plan.FieldChange{}}
	for _, group := range b.groups() {
		for _, d := range b.drivers {
			calls := slices.DeleteFunc(slices.Clone(group), func(c *Call) bool { return c.driver != d || b.place(c) != nil })
			if len(calls) == 0 {
				continue
			}
			verdicts, err := d.Check(ctx, calls)
			if err != nil {
				_, err = stops(err)
				return nil, err
			}
			for _, v := range verdicts {
				out.add(v)
				if v.Done != nil {
					b.store(newResult(v.Call.Change), v.Done, v.Call.Ancestors)
				}
			}
		}
	}
	if err := b.problems(out.settles); err != nil {
		return nil, err
	}
	place := func(m Moved) int { return slices.Index(in.Plan.ExecutionOrder, m.Change.ID) }
	sort.SliceStable(out.Moved, func(i, j int) bool { return place(out.Moved[i]) < place(out.Moved[j]) })
	return out, nil
}

// settles reports whether a change is not to be sent: it is done, or not as expected.
func (f *Finding) settles(id string) bool {
	return f.Done[id] != nil || slices.ContainsFunc(f.Moved, func(m Moved) bool { return m.Change.ID == id })
}

func (f *Finding) add(v Verdict) {
	if v.Done != nil {
		v.Done.complete(v.Call.Change)
		f.Done[v.Call.Change.ID] = v.Done
		return
	}
	if v.Left != nil && f.Left != nil {
		f.Left[v.Call.Change.ID] = v.Left
	}
	if v.Moved == "" {
		return
	}
	f.Moved = append(f.Moved, Moved{Change: v.Call.Change, Why: v.Moved, Fields: v.Fields})
}

// MovedError says that the world is not what the plan expects.
type MovedError struct{ Moved []Moved }

// Error names the resources.
func (e *MovedError) Error() string {
	var lines []string
	for _, m := range e.Moved {
		lines = append(lines, fmt.Sprintf("%s %s: %s", m.Change.ResourceType, m.Change.ResourceRef, m.Why))
	}
	return strings.Join(lines, "; ")
}
