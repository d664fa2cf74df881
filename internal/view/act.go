package view

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// act is what a change does to its resource, for people: a replacement is one act.
type act string

// The acts.
const (
	actCreate  act = "create"
	actUpdate  act = "update"
	actDelete  act = "delete"
	actReplace act = "replace"
	actRun     act = "run"
)

// actOf is what a change does; both halves of a replacement replace.
func actOf(c *plan.Change, replaced map[string]*plan.Change) act {
	switch {
	case replaced[c.ID] != nil:
		return actReplace
	case c.Action == plan.Create:
		return actCreate
	case c.Action == plan.Update:
		return actUpdate
	case c.Action == plan.Delete:
		return actDelete
	default:
		return actRun
	}
}

// deletes reports whether an act loses something.
func (a act) deletes() bool { return a == actDelete || a == actReplace }

// actLines are what changes of a resource.
func (d Diff) actLines(c *plan.Change, replaced map[string]*plan.Change) []line {
	switch actOf(c, replaced) {
	case actReplace:
		other := replaced[c.ID]
		return append(alongLines(other), d.replaceLines(other, c)...)
	case actCreate:
		return d.createLines(c)
	case actUpdate:
		return slices.Concat(alongLines(c), detachLines(c), d.updateLines(c))
	case actDelete:
		return alongLines(c)
	default:
		return d.externalLines(c)
	}
}
