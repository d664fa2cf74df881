package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/event"
)

// The actions of steps, as programs read them.
const (
	StepInventory = "Inventory"
	StepApply     = "Apply"
	StepPrune     = "Prune"
	StepDelete    = "Delete"
	stepWait      = "Wait"
)

// The ways a step may end.
const (
	stepSuccessful = "Successful"
	stepSkipped    = "Skipped"
	stepFailed     = "Failed"
	stepTimeout    = "Timeout"
	stepPending    = "Pending"
)

// Step is what a change of a plan does to an object.
type Step struct {
	Change string // its id
	Action string
	Object event.Object
	// Level is that of the change in the graph: lower levels come first.
	Level int
	// Kept is why an object that leaves the set is not deleted, "" where it is.
	Kept string
	// Unchecked is why the change could not be tried beforehand.
	Unchecked string
}

// waits reports whether a run waits for the object of a step.
func (s Step) waits(dryRun bool) bool { return s.Action != StepInventory && s.Kept == "" && !dryRun }

// Steps are what a run does to objects.
type Steps struct {
	List []Step
	// Declared counts the declared objects, changed or not; 0 where that is not
	// known.
	Declared int
}

// unchanged counts the declared objects that no step changes; -1 where that is
// not known.
func (s Steps) unchanged() int {
	n := s.Declared
	if n == 0 {
		return -1
	}
	for _, step := range s.List {
		if step.Action == StepApply {
			n--
		}
	}
	return max(n, 0)
}

// Rehearse shows steps as if each were carried out.
func Rehearse(p StepProgress, s Steps) {
	p.Handle(event.RunStarted{Total: len(s.List)})
	for _, step := range s.List {
		p.Handle(event.ChangeFinished{Change: event.Change{ID: step.Change}})
	}
	p.Handle(event.RunFinished{})
}

// spread reports whether the objects are in several namespaces.
func (s Steps) spread() bool {
	first := ""
	for _, step := range s.List {
		switch ns := step.Object.Namespace; {
		case step.Action == StepInventory, ns == "", ns == first:
		case first == "":
			first = ns
		default:
			return true
		}
	}
	return false
}

// objectName names an object as kubectl does: deployment.apps/web.
func objectName(o event.Object) string {
	kind := o.Kind
	if o.Group != "" {
		kind += "." + o.Group
	}
	return printable(strings.ToLower(kind) + "/" + o.Name)
}

// StepLine is one thing that happened in a run, for one line of output.
type StepLine struct {
	// Type is group, apply, prune, delete, wait, status, validation, error or
	// summary.
	Type string
	// Action and Counts are those of groups and summaries.
	Action string
	Counts *StepCounts
	Object *event.Object
	Status string
	// Of names what lists the object, where there may be several.
	Of string
	// Unchecked is why the server could not check it in a dry run.
	Unchecked string
	// Message is that of a status, Error why something failed or was skipped.
	Message, Error string
	// More is what only some lines say, for programs.
	More map[string]any
}

// StepCounts count how steps ended.
type StepCounts struct {
	Successful, Skipped, Failed, Timeout int
	Unchanged                            int // declared objects; -1 where that is not known
}

func (c *StepCounts) add(status string) {
	switch status {
	case stepSuccessful:
		c.Successful++
	case stepSkipped:
		c.Skipped++
	case stepFailed:
		c.Failed++
	case stepTimeout:
		c.Timeout++
	}
}

func (c *StepCounts) sum() int { return c.Successful + c.Skipped + c.Failed + c.Timeout }

// stage is the part of a run in which the steps of one level are carried out, or
// waited for.
type stage struct {
	action string
	left   map[string]bool // changes that have not ended
	counts StepCounts
	held   []StepLine // until its turn comes
}

// course puts what happens into the order of the graph: lines of a level are held
// back until all lower levels have ended.
type course struct {
	steps  map[string]Step // by change
	stages []*stage
	act    map[string]int // the stage of a change
	wait   map[string]int // that in which it is waited for
	now    int            // the stage that is being shown
	begun  bool
	dryRun bool
	// unordered shows lines as they come.
	unordered bool
	total     map[string]*StepCounts // by action
	sent      map[string]bool        // changes that are waited for
	// pending are the changes whose wait was shown to continue.
	pending map[string]bool
	about   map[event.Object][]string // the changes of an object
	// settling are objects without a change that are waited for.
	settling map[event.Object]bool
	write    func(StepLine)
}

// newCourse puts steps in order. A dry run waits for nothing.
func newCourse(s Steps, dryRun bool, write func(StepLine)) *course {
	c := &course{
		steps: map[string]Step{}, act: map[string]int{}, wait: map[string]int{}, sent: map[string]bool{}, pending: map[string]bool{},
		about: map[event.Object][]string{}, dryRun: dryRun, total: map[string]*StepCounts{}, write: write,
	}
	list := slices.Clone(s.List)
	order := []string{StepInventory, StepApply, StepPrune, StepDelete}
	slices.SortStableFunc(list, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(slices.Index(order, a.Action), slices.Index(order, b.Action)))
	})
	var acts, waits *stage
	for i, step := range list {
		c.steps[step.Change] = step
		if i == 0 || list[i-1].Level != step.Level || list[i-1].Action != step.Action {
			acts, waits = &stage{action: step.Action, left: map[string]bool{}}, &stage{action: stepWait, left: map[string]bool{}}
			c.stages = append(c.stages, acts)
			if step.Action != StepInventory && !dryRun {
				c.stages = append(c.stages, waits)
			}
		}
		c.act[step.Change] = slices.Index(c.stages, acts)
		acts.left[step.Change] = true
		if step.waits(dryRun) {
			c.wait[step.Change] = slices.Index(c.stages, waits)
			c.about[step.Object] = append(c.about[step.Object], step.Change)
			waits.left[step.Change] = true
		}
	}
	for _, s := range c.stages {
		c.total[s.action] = &StepCounts{}
	}
	c.counts(StepApply).Unchanged = s.unchanged()
	return c
}

// counts are those of an action in the whole run.
func (c *course) counts(action string) *StepCounts {
	if c.total[action] == nil {
		c.total[action] = &StepCounts{}
	}
	return c.total[action]
}

// line shows a line of a stage, when its turn comes.
func (c *course) line(stage int, l StepLine) {
	if c.unordered || stage == c.now && c.begun {
		c.write(l)
		return
	}
	s := c.stages[stage]
	s.held = append(s.held, l)
}

// ended counts how a change ended in a stage, and continues with the next stage where
// it was the last one.
func (c *course) ended(at int, change, status string) {
	s := c.stages[at]
	if !s.left[change] {
		return
	}
	delete(s.left, change)
	s.counts.add(status)
	c.counts(s.action).add(status)
	for c.begun && c.now < len(c.stages) && len(c.stages[c.now].left) == 0 {
		c.finish()
		c.now++
		c.start()
	}
}

// start shows that the current stage begins, and what was held back for it.
func (c *course) start() {
	if c.now >= len(c.stages) {
		return
	}
	s := c.stages[c.now]
	c.write(StepLine{Type: "group", Action: s.action, Status: "Started"})
	for _, l := range s.held {
		c.write(l)
	}
	s.held = nil
}

// finish shows that the current stage has ended.
func (c *course) finish() {
	s := c.stages[c.now]
	l := StepLine{Type: "group", Action: s.action, Status: "Finished"}
	if s.action == StepInventory && s.counts.Successful < s.counts.sum() {
		l.Status = stepFailed
	}
	if s.action != StepInventory {
		l.Counts = &s.counts
	}
	c.write(l)
}
