package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
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
func Validate(p *Plan, types *resource.Types, rules func(*resource.Type) Rules) error {
	v := &Validation{Plan: p, Types: types, byID: map[string]*Change{}, modes: modesOf(types, rules)}
	for _, c := range p.Changes {
		v.byID[c.ID] = c
	}
	v.document()
	v.order()
	for _, c := range p.Changes {
		v.change(c, rules)
	}
	v.targets()
	v.externals()
	v.notCompared(rules)
	if len(v.problems) == 0 {
		return nil
	}
	return &InvalidError{v.problems}
}

// Rules are what a target allows a change to ask for.
type Rules interface {
	Check(v *Validation, c *Change)
}

// ModeRules are rules of a target that brings plan modes of its own, with the
// actions that each allows.
type ModeRules interface {
	Modes() map[Mode][]Action
}

// FieldRules are rules of a target whose types have fields that are known.
type FieldRules interface {
	Has(t *resource.Type, field value.Path) bool
}

// Validation is a plan that is being checked.
type Validation struct {
	Plan     *Plan
	Types    *resource.Types
	byID     map[string]*Change
	modes    map[Mode][]Action
	problems []string
}

func (v *Validation) add(format string, args ...any) {
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

// Say adds a problem of one change.
func (v *Validation) Say(c *Change, format string, args ...any) {
	v.add("change %s: %s", c.ID, fmt.Sprintf(format, args...))
}

var versionForm = pattern.New(`^1\.[0-9]+$`)

// notCompared checks what the plan says that it could not compare.
func (v *Validation) notCompared(rules func(*resource.Type) Rules) {
	for i, x := range v.Plan.NotCompared {
		t, p := v.Types.Kind(x.ResourceType), value.ParsePath(x.Field)
		if t == nil || x.ResourceRef == "" {
			v.add("not_compared[%d]: needs a type that is known, and a ref", i)
		} else if own, ok := rules(t).(FieldRules); !ok || len(p) == 0 || !own.Has(t, p.Generic()) || x.Immutable != t.Immutable(p.Generic()) {
			v.add("not_compared[%d]: the type %s has no such field %q", i, x.ResourceType, x.Field)
		} else if x.Noun != "" && x.Noun != t.Noun() {
			v.add("not_compared[%d]: the type %s is not called %q", i, x.ResourceType, x.Noun)
		}
	}
}

// document checks what the plan says of itself.
func (v *Validation) document() {
	for _, key := range v.Plan.unread {
		v.add("%s: not part of the plan format %s", key, Version)
	}
	m := v.Plan.Metadata
	if !versionForm.MatchString(m.PlanVersion) || m.VersionAlias != m.PlanVersion {
		v.add("metadata.plan_version: %q is not a version of the format", m.PlanVersion)
	}
	if v.modes[m.Mode] == nil {
		v.add("metadata.mode: unknown mode %q", m.Mode)
	}
	if !slices.Contains(resource.Prunings(), m.SyncScope.Prune) {
		v.add("metadata.sync_scope.prune: unknown value %q", m.SyncScope.Prune)
	}
	for _, file := range slices.Sorted(maps.Keys(m.SyncScope.Narrowed)) {
		if !slices.Contains(resource.Prunings(), m.SyncScope.Narrowed[file]) {
			v.add("metadata.sync_scope.narrowed: unknown value %q", m.SyncScope.Narrowed[file])
		}
	}
	if !v.Plan.summedUp() {
		v.add("summary: does not match the changes")
	}
	if !sameJSON(v.Plan.reads(), m.Reads) {
		v.add("metadata.reads: does not match the files and variables that the changes read")
	}
}

// change checks one change.
func (v *Validation) change(c *Change, rules func(*resource.Type) Rules) {
	t := v.Types.Kind(c.ResourceType)
	if len(c.OwnLabels) > 0 {
		v.Say(c, "marks: the labels have marks, too")
	}
	if tool := v.attached(); tool != nil && (c.Action == ExternalTool || t == tool) {
		rules(tool).Check(v, c)
		return
	}
	switch {
	case t == nil:
		v.Say(c, "unknown resource type %q", c.ResourceType)
	case t.ReadOnly:
		v.Say(c, "kongctl does not write resources of type %s", c.ResourceType)
	default:
		rules(t).Check(v, c)
	}
}

// Inverse reports whether the plan undoes another one, which may take any
// action.
func (v *Validation) Inverse() bool { return v.Plan.Metadata.Inverse }
