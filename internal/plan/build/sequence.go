package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Sequence is the changes of a plan that is being made, and what waits for what.
type Sequence struct {
	Plan     *plan.Plan
	AllTypes *resource.Types
	diags    diag.List
	// needs are the changes that each change waits for.
	Needs []Need
	// waits are Needs by the change that waits; nil where that is to be found out.
	waits map[*plan.Change][]*plan.Change
	// together are changes that make sense only when others are carried out that
	// they do not wait for.
	together []Need
}

// NewSequence starts a plan without changes.
func NewSequence(types *resource.Types) *Sequence {
	return &Sequence{Plan: &plan.Plan{Changes: []*plan.Change{}, ExecutionOrder: []string{}, ExecutionGroups: [][]string{}}, AllTypes: types}
}

// Need says that one change waits for another.
type Need struct{ Change, Before *plan.Change }

// Together lets a change be made only where another one is, for which it does not
// wait.
func (b *Sequence) Together(c, with *plan.Change) { b.together = append(b.together, Need{c, with}) }

// Drop takes a change out; nothing waits for it any more.
func (b *Sequence) Drop(c *plan.Change) {
	about := func(n Need) bool { return n.Change == c || n.Before == c }
	b.Plan.Changes = slices.DeleteFunc(b.Plan.Changes, func(x *plan.Change) bool { return x == c })
	b.forget(about)
	b.together = slices.DeleteFunc(b.together, about)
	for _, x := range b.Plan.Changes {
		if x.After == c {
			x.After = nil
		}
	}
}

// Need lets a change wait for another one.
func (b *Sequence) Need(c, before *plan.Change) {
	if c != nil && before != nil && c != before {
		b.Needs = append(b.Needs, Need{c, before})
		if b.waits != nil {
			b.waits[c] = append(b.waits[c], before)
		}
	}
}

// forget leaves out what changes wait for.
func (b *Sequence) forget(what func(Need) bool) {
	b.Needs, b.waits = slices.DeleteFunc(b.Needs, what), nil
}
