package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Restater is a target that can state again, as configuration, what changes lead to
// that another program planned. All of them create and update, or all of them
// delete.
type Restater interface {
	Restate(ctx context.Context, changes []*plan.Change) (*execute.Restated, error)
}

// Expander is a target that knows kinds of changes of another program that stand for
// several of its own.
type Expander interface {
	Expand(ctx context.Context, changes []*plan.Change) ([]*plan.Change, []execute.Moved, error)
}

// allowForeign refuses a plan of another program, unless those are allowed, and one
// with placeholders that kongctl does not know.
func allowForeign(p *plan.Plan, allowed bool) error {
	switch {
	case !p.Foreign():
		return nil
	case !allowed:
		return &PlanError{fmt.Errorf("the plan was written by another program (%s): it has no seal, and does not say which organization it is for or what it expects to find. "+
			"Create a plan with kongctl plan, or pass --allow-foreign-plan to check this one against Konnect and execute it", p.Metadata.Generator)}
	default:
		return p.Deferred()
	}
}

// restated makes our own plan of a foreign one: what its changes lead to becomes a
// configuration, which is checked, compared with what exists and guarded like any
// other. A plan that would do anything else than the foreign one says is refused.
func restated(ctx context.Context, e *Engine, r PlanRequest) (*Planned, error) {
	if err := e.targets.load(); err != nil {
		return nil, err
	}
	theirs, moved, err := expanded(ctx, e.targets, r.Foreign.Plan)
	if err != nil {
		return nil, err
	}
	by, err := restater(e.targets, theirs)
	if err != nil {
		return nil, &PlanError{err}
	}
	var parts []*Planned
	for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeDelete} {
		var changes []*plan.Change
		for _, c := range theirs.Changes {
			if (c.Action == plan.Delete) == (mode == plan.ModeDelete) {
				changes = append(changes, c)
			}
		}
		if len(changes) == 0 {
			continue
		}
		p, more, err := restatedPart(ctx, e, by, r, mode, changes)
		if err != nil {
			return nil, err
		}
		if moved = append(moved, more...); p != nil {
			parts = append(parts, p)
		}
	}
	for _, p := range parts {
		moved = append(moved, beyond(e.targets.types, p.Plan, theirs)...)
	}
	if len(moved) > 0 {
		hideMoved(moved, e.targets.hide(true))
		return nil, &MovedError{Moved: moved, Foreign: true}
	}
	return joined(e, parts, r)
}

// expanded is a plan in which every change is about one resource.
func expanded(ctx context.Context, targets *registry, p *plan.Plan) (*plan.Plan, []execute.Moved, error) {
	out := *p
	var moved []execute.Moved
	for _, t := range targets.all {
		x, ok := t.(Expander)
		if !ok {
			continue
		}
		changes, more, err := x.Expand(ctx, out.Changes)
		if err != nil {
			return nil, nil, err
		}
		out.Changes, moved = changes, append(moved, more...)
	}
	return &out, moved, nil
}

// restater is the target that the changes are for. What is not for it is refused, and
// so is what a plan of its mode does not do.
func restater(targets *registry, p *plan.Plan) (Restater, error) {
	var by Restater
	for _, c := range p.Changes {
		t := targets.types.Kind(c.ResourceType)
		if t == nil {
			return nil, fmt.Errorf("change %s: kongctl has no resource type %q. Create a plan with kongctl plan", c.ID, c.ResourceType)
		}
		own, ok := targets.of(t.Kind).(Restater)
		if c.Action == plan.ExternalTool || t.Attached || !ok {
			return nil, fmt.Errorf("change %s: the plan does not show what %s would change, so nobody could review it. "+
				"Create a plan that does: kongctl plan -f FILE --mode %s --output-file plan.json", c.ID, orText(plan.Tool(c.ResourceType), t.Words), p.Metadata.Mode)
		}
		if t.ReadOnly {
			return nil, fmt.Errorf("change %s: kongctl does not write resources of type %s", c.ID, c.ResourceType)
		}
		if c.Action == plan.Delete && p.Metadata.Mode == plan.ModeApply || c.Action != plan.Delete && p.Metadata.Mode == plan.ModeDelete {
			return nil, fmt.Errorf("change %s: a plan for %s has no %s", c.ID, p.Metadata.Mode, c.Action)
		}
		for _, d := range p.Changes {
			if c.Action == plan.Delete && d.Action == plan.Create && d.ResourceType == c.ResourceType && d.ResourceRef == c.ResourceRef {
				return nil, fmt.Errorf("changes %s and %s replace a resource. Create a plan with kongctl plan", c.ID, d.ID)
			}
		}
		by = own
	}
	return by, nil
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// restatedPart plans what some changes lead to; nil where nothing is left to do.
func restatedPart(ctx context.Context, e *Engine, by Restater, r PlanRequest, mode plan.Mode, changes []*plan.Change) (*Planned, []execute.Moved, error) {
	var out *execute.Restated
	err := e.phase(event.Checking, func() (n int, err error) {
		out, err = by.Restate(ctx, changes)
		return len(changes), err
	})
	if err != nil {
		return nil, nil, err
	}
	if len(out.Moved) > 0 || len(out.Gone) == len(changes) {
		return nil, out.Moved, nil
	}
	r.Documents, r.Whole = []source.Document{{File: r.ForeignFile, Dir: r.Foreign.Dir, Base: r.Foreign.Dir, Root: out.Root}}, out.Whole
	r.Foreign, r.Mode, r.Dir = nil, mode, ""
	r.Scope.WriteSecrets = append(slices.Clone(r.Scope.WriteSecrets), out.Again...)
	if mode == plan.ModeDelete { // what the deleted belongs to is declared, too
		for _, c := range changes {
			if !out.Gone[c.ID] {
				r.Scope.Filter.Isolate = append(r.Scope.Filter.Isolate, orText(out.Refs[c.ID], c.ResourceRef))
			}
		}
	}
	p, err := e.Plan(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return p, nil, unmade(p.Plan, changes, out.Left)
}

// unmade refuses updates of which kongctl would leave something out.
func unmade(ours *plan.Plan, theirs []*plan.Change, left map[string][]string) error {
	var problems []string
	for _, c := range ours.Changes {
		their := among(theirs, c)
		for _, s := range c.SecretWrites {
			if their != nil && their.Action == plan.Update && !slices.ContainsFunc(their.SecretWrites, func(x plan.Expression) bool { return x.Field == s.Field }) {
				problems = append(problems, fmt.Sprintf("change %s: Konnect needs the secret %s with every update, and the plan does not write it", their.ID, s.Field))
			}
		}
	}
	for _, c := range theirs {
		fields := slices.DeleteFunc(slices.Clone(left[c.ID]), func(field string) bool { return made(ours, c, value.ParsePath(field)) })
		if len(fields) > 0 {
			problems = append(problems, fmt.Sprintf("change %s: Konnect would keep the value of %s", c.ID, strings.Join(fields, ", ")))
		}
	}
	if len(problems) > 0 {
		return &PlanError{&plan.InvalidError{Problems: problems}}
	}
	return nil
}

// made reports whether our plan changes a field of a resource, or is not to.
func made(ours *plan.Plan, theirs *plan.Change, field value.Path) bool {
	for _, c := range ours.Changes {
		if c.ResourceType == theirs.ResourceType && c.ResourceRef == theirs.ResourceRef && slices.ContainsFunc(c.FieldChanges, func(f plan.FieldChange) bool {
			p := value.ParsePath(f.Field)
			return p.HasPrefix(field) || field.HasPrefix(p)
		}) {
			return true
		}
	}
	return slices.ContainsFunc(ours.Blocked, func(x plan.Blocked) bool {
		return x.ResourceType == theirs.ResourceType && x.ResourceRef == theirs.ResourceRef
	})
}

// beyond are the changes of our plan that the foreign one does not have: Konnect is
// not what it was created from.
func beyond(types *resource.Types, ours, theirs *plan.Plan) []execute.Moved {
	var out []execute.Moved
	for _, c := range ours.Changes {
		their := counterpart(theirs, c)
		switch {
		case their == nil:
			out = append(out, execute.Moved{Change: c, Why: fmt.Sprintf("it needs the change %s, which the plan does not have", c.Action)})
		case their.Action == plan.Create && c.Action == plan.Update && fixed(types, c):
		case their.Action == plan.Create && c.Action == plan.Update:
			out = append(out, execute.Moved{Change: their, Why: "it exists already, with other values"})
		case their.Action != c.Action:
			out = append(out, execute.Moved{Change: their, Why: fmt.Sprintf("it needs the change %s, and the plan has %s", c.Action, their.Action)})
		case c.Action == plan.Update:
			if fields := unlisted(c, their); len(fields) > 0 {
				out = append(out, execute.Moved{Change: their, Why: "fields would change that the plan does not list", Fields: fields})
			}
		}
	}
	return out
}

// fixed reports whether a change is about what is always there: what is first
// declared of it, another program calls a create.
func fixed(types *resource.Types, c *plan.Change) bool {
	t := types.Kind(c.ResourceType)
	return t.Single && t.Fixed
}

// counterpart is the foreign change of the same resource.
func counterpart(theirs *plan.Plan, c *plan.Change) *plan.Change { return among(theirs.Changes, c) }

func among(theirs []*plan.Change, c *plan.Change) *plan.Change {
	var same []*plan.Change
	for _, x := range theirs {
		if x.ResourceType != c.ResourceType || (x.Action == plan.Delete) != (c.Action == plan.Delete) {
			continue
		}
		if x.ResourceRef == c.ResourceRef || c.ResourceID != "" && x.ResourceID == c.ResourceID {
			return x
		}
		same = append(same, x)
	}
	if len(same) == 1 && same[0].ResourceID == "" && c.Parent != nil && same[0].Parent != nil && same[0].Parent.Ref == c.Parent.Ref {
		return same[0] // one at most is below a parent, and has no ref of its own
	}
	return nil
}

// unlisted are the fields that our update changes and the foreign one does not.
func unlisted(ours, theirs *plan.Change) []execute.MovedField {
	var out []execute.MovedField
	for _, f := range ours.FieldChanges {
		p := value.ParsePath(f.Field)
		listed := strings.HasPrefix(f.Field, "kongctl.") || slices.ContainsFunc(ours.SecretWrites, func(s plan.Expression) bool { return s.Field == f.Field })
		for name := range theirs.ChangedFields {
			listed = listed || p.HasPrefix(value.ParsePath(name)) || value.ParsePath(name).HasPrefix(p)
		}
		// Where nothing says what changes, what is sent does.
		if _, sent := theirs.Fields[p[0]]; !listed && (!sent || len(theirs.ChangedFields) > 0) {
			out = append(out, execute.MovedField{Field: f.Field, Writes: f.DesiredValue, Is: f.CurrentValue})
		}
	}
	return out
}

// joined is one plan of what creates and updates, and what deletes.
func joined(e *Engine, parts []*Planned, r PlanRequest) (*Planned, error) {
	mode := r.Foreign.Plan.Metadata.Mode
	switch len(parts) {
	case 0:
		return nothingLeft(e, r)
	case 1:
		if mode == plan.ModeSync {
			asSync(parts[0].Plan)
		}
		return parts[0], e.targets.checkOwn(parts[0].Plan)
	}
	in := derive.MergeInput{Types: e.targets.types, Volatile: volatile(), Now: e.host.Now(), Generator: e.host.generator()}
	out := *parts[0]
	for i, p := range parts {
		asSync(p.Plan)
		in.Plans, in.Names = append(in.Plans, p.Plan), append(in.Names, []string{"its creates and updates", "its deletes"}[i])
		if i > 0 {
			out.Warnings, out.Compared = append(out.Warnings, p.Warnings...), out.Compared+p.Compared
		}
	}
	var conflicts []string
	if out.Plan, conflicts = derive.Merge(in); len(conflicts) > 0 {
		return nil, &PlanError{fmt.Errorf("the plan contradicts itself:\n  %s", strings.Join(conflicts, "\n  "))}
	}
	return &out, e.targets.checkOwn(out.Plan)
}

// asSync makes a plan one for sync that deletes no more than it says.
func asSync(p *plan.Plan) {
	p.Metadata.Mode, p.Metadata.SyncScope.Prune = plan.ModeSync, resource.PruneDeclared
}

// nothingLeft is the plan without changes, of what is done already.
func nothingLeft(e *Engine, r PlanRequest) (*Planned, error) {
	p := &plan.Plan{Metadata: r.Foreign.Plan.Metadata, Changes: []*plan.Change{}, ExecutionOrder: []string{}, ExecutionGroups: [][]string{}}
	p.Metadata.GeneratedBy, p.Metadata.Generator = e.host.generator(), e.host.generator()
	p.Summarize()
	return &Planned{Plan: p, Dir: r.Foreign.Dir, Read: e.host.Now()}, nil
}
