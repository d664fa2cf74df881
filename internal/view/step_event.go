package view

import (
	"context"
	"errors"
	"strings"

	"github.com/kongctl/kongctl/internal/event"
)

// handle turns an event of a run into lines; false for events that are not about
// steps.
func (c *course) handle(e event.Event) bool {
	switch e := e.(type) {
	case event.RunStarted:
		c.begin()
	case event.ChangeStarted:
		return c.known(e.Change)
	case event.ChangeWaiting:
		c.sentOff(e.Change, e.AlreadyDone)
	case event.ChangeFinished:
		c.sentOff(e.Change, e.AlreadyDone)
		c.waited(e.Change, stepSuccessful, nil)
	case event.ChangeFailed:
		c.fails(e.Change, e.Err)
	case event.ChangeSkipped:
		c.skips(e.Change, e.Reason)
	case event.Observed:
		c.observed(e)
	case event.Settled:
		c.settled(e)
	case event.RunFinished:
		c.end()
	default:
		return false
	}
	return true
}

func (c *course) known(change event.Change) bool {
	_, ok := c.steps[change.ID]
	return ok
}

func (c *course) begin() {
	if !c.begun {
		c.begun = true
		c.start()
	}
}

// end shows all that was held back: the run is over.
func (c *course) end() {
	for c.begun && c.now < len(c.stages) {
		c.finish()
		c.now++
		if c.now < len(c.stages) && len(c.stages[c.now].held) == 0 && c.stages[c.now].counts == (StepCounts{}) {
			c.now = len(c.stages) // nothing happened from here on
			return
		}
		c.start()
	}
}

// acted shows how a change itself ended.
func (c *course) acted(change event.Change, status, why string) {
	at, ok := c.act[change.ID]
	if !ok || !c.stages[at].left[change.ID] {
		return
	}
	step := c.steps[change.ID]
	if step.Kept != "" && status == stepSuccessful {
		status, why = stepSkipped, "kept, and no longer managed: "+step.Kept
	}
	switch {
	case step.Action != StepInventory:
		l := StepLine{Type: strings.ToLower(step.Action), Object: &step.Object, Status: status, Error: why}
		if step.Unchecked != "" && c.dryRun {
			l.Unchecked = step.Unchecked
		}
		c.line(at, l)
	case status != stepSuccessful:
		c.line(at, StepLine{Type: "error", Object: &step.Object, Error: why})
	}
	c.ended(at, change.ID, status)
}

// sentOff shows that a change was carried out, or was found to be.
func (c *course) sentOff(change event.Change, already bool) {
	c.sent[change.ID] = true
	if already && c.steps[change.ID].Action != StepInventory {
		c.acted(change, stepSkipped, "up to date")
		return
	}
	c.acted(change, stepSuccessful, "")
}

// waited shows how the wait for an object ended.
func (c *course) waited(change event.Change, status string, err error) {
	at, ok := c.wait[change.ID]
	if !ok || !c.stages[at].left[change.ID] {
		return
	}
	step, why := c.steps[change.ID], ""
	if err != nil {
		why = errorText(err)
	}
	c.line(at, StepLine{Type: "wait", Object: &step.Object, Status: status, Error: why})
	c.ended(at, change.ID, status)
}

func (c *course) fails(change event.Change, err error) {
	if c.sent[change.ID] {
		c.waited(change, waitStatus(err), err)
		return
	}
	c.acted(change, stepFailed, errorText(err))
	c.waited(change, stepSkipped, nil)
}

func (c *course) skips(change event.Change, reason string) {
	c.acted(change, stepSkipped, reason)
	c.waited(change, stepSkipped, nil)
}

// waitStatus is how a wait that failed ended.
func waitStatus(err error) string {
	var t interface{ Expired() bool }
	switch {
	case errors.As(err, &t) && t.Expired():
		return stepTimeout
	case errors.Is(err, context.Canceled):
		return stepSkipped // nobody knows how it would have ended
	default:
		return stepFailed
	}
}

// observed shows the status of an object, and that it is waited for.
func (c *course) observed(e event.Observed) {
	line := StepLine{Type: "status", Object: &e.Object, Status: e.Status, Message: e.Message}
	for _, id := range c.about[e.Object] {
		at := c.wait[id]
		if !c.stages[at].left[id] {
			continue
		}
		if !c.pending[id] && c.sent[id] && e.Status != "Current" && e.Status != "NotFound" {
			c.pending[id] = true
			c.line(at, StepLine{Type: "wait", Object: &e.Object, Status: stepPending})
		}
		c.line(at, line)
		return
	}
	if c.settling == nil {
		c.settling = map[event.Object]bool{}
	}
	if !c.settling[e.Object] && len(c.about[e.Object]) == 0 && e.Status != "Current" {
		c.settling[e.Object] = true
		c.write(StepLine{Type: "wait", Object: &e.Object, Status: stepPending})
	}
	c.write(line)
}

// settled shows how the wait for an object without a change ended.
func (c *course) settled(e event.Settled) {
	status, why := stepSuccessful, ""
	if e.Err != nil {
		status, why = waitStatus(e.Err), errorText(e.Err)
	}
	c.counts(stepWait).add(status)
	c.write(StepLine{Type: "wait", Object: &e.Object, Status: status, Error: why})
}

// summary returns a line for each action.
func (c *course) summary() []StepLine {
	var out []StepLine
	for _, action := range []string{StepApply, StepPrune, StepDelete, stepWait} {
		if n := c.total[action]; n != nil && (n.sum() > 0 || n.Unchanged > 0) {
			out = append(out, StepLine{Type: "summary", Action: action, Counts: n})
		}
	}
	return out
}
