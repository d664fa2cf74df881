package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
)

// InvalidError lists what a plan asks for although its kind does not allow it.
type InvalidError struct{ Problems []string }

const maxProblems = 10

// Error names the first problems.
func (e *InvalidError) Error() string {
	lines := e.Problems
	if more := len(lines) - maxProblems; more > 0 {
		lines = append(slices.Clone(lines[:maxProblems]), fmt.Sprintf("and %d more", more))
	}
	return "the plan asks for what a plan of its kind does not allow; nothing was changed\n  " +
		strings.Join(lines, "\n  ") + "\n  create a new plan with kongctl plan."
}

// Validate reports whether a plan asks only for what its kind allows, and shows
// all that it sends. A seal proves that a file was not damaged; it does not
// prove that kongctl wrote it. Validate is pure: what only the live resources
// can tell, whoever executes the plan checks.
func Validate(p *Plan, cat *catalog.Catalog) error {
	v := &validator{plan: p, cat: cat, byID: map[string]*Change{}}
	for _, c := range p.Changes {
		v.byID[c.ID] = c
	}
	v.document()
	v.order()
	for _, c := range p.Changes {
		v.change(c)
	}
	v.targets()
	v.externals()
	if len(v.problems) == 0 {
		return nil
	}
	return &InvalidError{v.problems}
}

type validator struct {
	plan     *Plan
	cat      *catalog.Catalog
	byID     map[string]*Change
	problems []string
}

func (v *validator) add(format string, args ...any) {
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

// say adds a problem of one change.
func (v *validator) say(c *Change, format string, args ...any) {
	v.add("change %s: %s", c.ID, fmt.Sprintf(format, args...))
}

var versionForm = regexp.MustCompile(`^1\.[0-9]+$`)

// document checks what the plan says of itself.
func (v *validator) document() {
	for _, key := range v.plan.unread {
		v.add("%s: not part of the plan format %s", key, Version)
	}
	m := v.plan.Metadata
	if !versionForm.MatchString(m.PlanVersion) || m.VersionAlias != m.PlanVersion {
		v.add("metadata.plan_version: %q is not a version of the format", m.PlanVersion)
	}
	if !slices.Contains([]Mode{ModeSync, ModeApply, ModeDelete, ModeAdopt}, m.Mode) {
		v.add("metadata.mode: unknown mode %q", m.Mode)
	}
	if !slices.Contains([]string{live.PruneFull, live.PruneDeclared, live.PruneNone}, m.SyncScope.Prune) {
		v.add("metadata.sync_scope.prune: unknown value %q", m.SyncScope.Prune)
	}
	counted := &Plan{Changes: v.plan.Changes, Pending: v.plan.Pending, Blocked: v.plan.Blocked}
	counted.summarize()
	if !sameJSON(counted.Summary, v.plan.Summary) {
		v.add("summary: does not match the changes")
	}
	if !sameJSON(v.plan.reads(), m.Reads) {
		v.add("metadata.reads: does not match the files and variables that the changes read")
	}
}

// change checks one change.
func (v *validator) change(c *Change) {
	if c.Action == ExternalTool || c.ResourceType == DeckType {
		v.deck(c)
		return
	}
	t := v.cat.Kind(c.ResourceType)
	switch {
	case t == nil:
		v.say(c, "unknown resource type %q", c.ResourceType)
		return
	case t.ReadOnly:
		v.say(c, "kongctl does not write resources of type %s", c.ResourceType)
		return
	case v.operation(c, t) == nil:
		v.say(c, "the type %s does not support %s", c.ResourceType, c.Action)
		return
	}
	v.action(c, t)
	v.place(c, t)
	v.namespace(c, t)
	v.expectation(c, t)
	v.references(c, t)
	v.expressions(c, t)
	v.payload(c, t)
	if len(c.GatewayChanges) > 0 {
		v.say(c, "gateway_changes belong to decK")
	}
}

// inverse reports whether the plan undoes another one, which may take any
// action.
func (v *validator) inverse() bool { return v.plan.Metadata.Inverse }
