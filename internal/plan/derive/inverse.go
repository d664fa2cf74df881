package derive

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/guard"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// InverseInput is all that an inverse plan is made of.
type InverseInput struct {
	Types *resource.Types
	// Undoer is the one of a type's target; nil where nothing can be undone.
	Undoer func(*resource.Type) Undoer
	// Plan is the plan to undo.
	Plan *plan.Plan
	// Traces are by the ids of its changes.
	Traces    map[string]plan.Trace
	Now       time.Time
	Generator string
	// AllowReplace are the refs of resources that may be replaced once more.
	AllowReplace []string
}

// Inverse makes the plan that undoes an executed one, unfolded and traced, as far as what the plan
// recorded and what is there now allow. What cannot be undone is reported in
// warnings. It is pure.
func Inverse(in InverseInput) *plan.Plan {
	in.Plan = in.Plan.Following(in.Traces)
	v := &Undoing{
		InverseInput: in,
		b:            build.NewSequence(in.Types),
		undone:       map[string]*plan.Change{},
		goes:         map[string]bool{},
		remade:       map[string]*plan.Change{},
		restored:     map[string]bool{},
		used:         map[string]bool{},
		with:         map[string]bool{},
	}
	v.findGoing()
	for _, c := range slices.Backward(in.Plan.Changes) {
		v.undo(c)
	}
	tellLost(v)
	missing(v)
	takeAlong(v)
	distinct(v)
	for _, c := range v.b.Plan.Changes {
		v.link(c)
	}
	v.order()
	bind(v)
	show(v)
	if refused := guard.Protected(v.b); len(refused) > 0 {
		build.Refuse(v.b, "protected", refused)
	}
	if refused := replaces(v); len(refused) > 0 {
		build.Refuse(v.b, "replace", refused)
	}
	if refused := v.foreign(); len(refused) > 0 {
		build.Refuse(v.b, "cascade", refused)
	}
	build.Number(v.b)
	v.describe()
	return v.b.Plan
}

// Undoer makes the changes that undo those of its target. It is pure.
type Undoer interface {
	// Made reports whether what is there now is what a create made.
	Made(u *Undoing, c *plan.Change) bool
	// Undo makes the change that undoes c; nil where nothing can be undone, of
	// which it says why.
	Undo(u *Undoing, c *plan.Change, tr plan.Trace) *plan.Change
	// Shows lets a change that makes something again show what differs from what another
	// one deletes for it, which c made.
	Shows(u *Undoing, c, gone, made *plan.Change)
}

// Undoing is an inverse plan that is being made.
type Undoing struct {
	InverseInput
	b *build.Sequence
	// undone is the change that undoes a change, by the latter's id.
	undone map[string]*plan.Change
	// goes are the objects that are deleted, remade the changes that make
	// deleted ones again, by the id they had.
	goes   map[string]bool
	remade map[string]*plan.Change
	// restored are the deletes whose resource exists again, as it was, by id.
	restored map[string]bool
	// used are the creates whose resource stays because what stays uses it, by id.
	used map[string]bool
	// with are the creates whose resource is not deleted by itself, but with what it
	// belongs to, by id.
	with map[string]bool
	// warnings name a change that has no id yet, or none.
	warnings []inverseWarning
}

type inverseWarning struct {
	change *plan.Change
	text   string
}

// Cannot says what cannot be undone; with is the change that undoes the rest.
func (v *Undoing) Cannot(c, with *plan.Change, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if with == nil { // else whoever shows the warning names the resource
		text = fmt.Sprintf("%s: %s", undoneName(v, c), text)
	}
	v.Warn(with, "cannot undo: "+text)
}

// Nothing says that there is nothing left to undo.
func (v *Undoing) Nothing(c *plan.Change, why string) {
	v.Warn(nil, fmt.Sprintf("nothing to undo: %s %s", undoneName(v, c), why))
}

// undoneName names the resource of a change, or of one that undoes a change, as the plan to
// undo does.
func undoneName(v *Undoing, c *plan.Change) string {
	for id, back := range v.undone {
		if back == c {
			return called(v.Types, v.Plan.Change(id))
		}
	}
	return called(v.Types, c)
}

// Warn says what people should know of a change.
func (v *Undoing) Warn(c *plan.Change, text string) {
	v.warnings = append(v.warnings, inverseWarning{c, text})
}

// Warned counts what was said so far.
func (v *Undoing) Warned() int { return len(v.warnings) }

// Block refuses to undo a change.
func (v *Undoing) Block(b plan.Blocked) { v.b.Plan.Blocked = append(v.b.Plan.Blocked, b) }

// Goes reports whether undoing deletes an object.
func (v *Undoing) Goes(t *resource.Type, id string, ancestors []string) bool {
	return v.goes[build.ObjectKey(t, id, ancestors)]
}

// Remade is the change that makes a deleted object again; nil where none does.
func (v *Undoing) Remade(id string) *plan.Change { return v.remade[id] }

// Remakes notes the change that makes a deleted object again.
func (v *Undoing) Remakes(id string, back *plan.Change) { v.remade[id] = back }

// Restored notes that what a change deleted exists again, as it was: what was deleted
// with it is restored below it.
func (v *Undoing) Restored(c *plan.Change) { v.restored[c.ID] = true }

// Undone is the change that undoes another one; nil where none does.
func (v *Undoing) Undone(id string) *plan.Change { return v.undone[id] }

// After lets a change start from what another one leaves.
func (v *Undoing) After(c, first *plan.Change) {
	v.b.Need(c, first)
	v.b.Together(first, c)
	c.After = first
}

// alone lists what goes with an object and is not undone by itself.
func alone(v *Undoing, t *resource.Type, tr plan.Trace) []resource.Part {
	own := build.ObjectKey(t, tr.Object.ID, tr.Ancestors)
	return plan.Without(tr.Below, func(t *resource.Type, ancestors []string, id string) bool {
		key := build.ObjectKey(t, id, ancestors)
		return key != own && v.goes[key]
	})
}

func (v *Undoing) undoer(c *plan.Change) (*resource.Type, Undoer) {
	t := v.Types.Kind(c.ResourceType)
	if t == nil {
		return nil, nil
	}
	return t, v.Undoer(t)
}

// findGoing notes the objects that undoing creates will delete.
func (v *Undoing) findGoing() {
	for _, c := range v.Plan.Changes {
		tr := v.Traces[c.ID]
		if t, by := v.undoer(c); by != nil && c.Action == plan.Create && !tr.NotDone && tr.Object != nil && by.Made(v, c) && notReached(v, c) == nil {
			v.goes[build.ObjectKey(t, tr.Object.ID, tr.Ancestors)] = true
		}
	}
}

func (v *Undoing) undo(c *plan.Change) {
	tr := v.Traces[c.ID]
	if tr.NotDone || c.With != nil && v.stayed(c.With) {
		return
	}
	if first := notReached(v, c); first != nil {
		v.Nothing(c, fmt.Sprintf("%s: %s, which the plan deletes before that, is there", notDone(c), called(v.Types, first)))
		return
	}
	_, by := v.undoer(c)
	if t := v.Types.Kind(c.ResourceType); t != nil && t.Attached {
		v.Cannot(c, nil, "%s carried it out; run it with the files as they were", t.Tool)
		return
	}
	if t := v.Types.Kind(c.ResourceType); by == nil && t != nil {
		v.Cannot(c, nil, "changes of a %s cannot be undone", t.Words)
		return
	}
	if by == nil {
		v.Cannot(c, nil, "this program does not know the type")
		return
	}
	if back := by.Undo(v, c, tr); back != nil {
		v.undone[c.ID] = back
		v.b.Plan.Changes = append(v.b.Plan.Changes, back)
	}
}

// stayed reports whether the resource of a delete is there, still or again, so that
// nothing of what would have gone with it is restored, unless it is as it was. What
// undoing deletes, to make the former one again, does not stay.
func (v *Undoing) stayed(c *plan.Change) bool {
	tr, t := v.Traces[c.ID], v.Types.Kind(c.ResourceType)
	if v.restored[c.ID] {
		return false
	}
	return tr.NotDone || tr.Object != nil && (t == nil || !v.Goes(t, tr.Object.ID, tr.Ancestors))
}

// Start begins the change that undoes c.
func (v *Undoing) Start(c *plan.Change, action plan.Action) *plan.Change {
	back := &plan.Change{
		ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, ResourceName: c.ResourceName, Namespace: c.Namespace,
		Action: action, Replace: c.Replace, DependsOn: []string{}, Source: c.Source,
	}
	if c.Parent != nil {
		back.Parent = &plan.ParentRef{Ref: c.Parent.Ref, Type: c.Parent.Type, Lookup: c.Parent.Lookup}
	}
	return back
}

// link leads what referred to a deleted resource, or belonged to it, to the one
// that is made in its place.
func (v *Undoing) link(c *plan.Change) {
	t := v.Types.Kind(c.ResourceType)
	if c.Parent != nil {
		if made := v.remade[c.Parent.ID]; made != nil && c.Action != plan.Delete {
			c.Parent.Ref, c.Parent.ID, c.Parent.Ancestors, c.ParentChange = made.ResourceRef, plan.UnknownID, nil, made
			v.b.Need(c, made)
		}
	}
	if made := v.remade[c.ResourceID]; made != nil && t.KeyField != "" && c.Action == plan.Create {
		c.ResourceID = ""
		v.refer(c, value.Path{t.KeyField}, made)
	}
	paths := v.referring(t, c.Fields)
	for _, p := range holding(c.Fields, nil, func(id string) bool { return plan.IsUUID(id) && v.remade[id] != nil && v.remade[id] != c }) {
		paths[p.String()] = true // a label, for example
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		p := value.ParsePath(path)
		id, _ := value.Get(c.Fields, p)
		made := v.remade[fmt.Sprint(id)]
		switch {
		case made == nil:
			continue
		case v.b.WaitsFor(made, c):
			value.Delete(c.Fields, p.Whole())
			v.Cannot(c, c, "%s: it and the %s refer to each other", path, called(v.Types, made))
			continue
		}
		value.Set(c.Fields, p, plan.UnknownID)
		for name, x := range c.ChangedFields {
			if q := value.ParsePath(name); p.HasPrefix(q) { // a list changes whole
				x.New = value.Set(value.Clone(x.New), p[len(q):], plan.UnknownID)
				c.ChangedFields[name] = x
			}
		}
		v.refer(c, p, made)
	}
	for i, f := range c.FieldChanges {
		c.FieldChanges[i].DesiredValue = c.ChangedFields[f.Field].New
	}
}

// referring lists the paths of the ids of others that a payload holds.
func (v *Undoing) referring(t *resource.Type, fields map[string]any) map[string]bool {
	names := []string{}
	for _, r := range t.References {
		names = append(names, r.Field)
	}
	if t.Nest != "" {
		names = append(names, t.Nest)
	}
	out := map[string]bool{}
	for _, name := range names {
		for _, p := range value.Places(fields, value.ParsePath(name)) {
			x, _ := value.Get(fields, p)
			list, isList := x.([]any)
			for i := range list {
				out[p.Index(i).String()] = true
			}
			if !isList {
				out[p.String()] = true
			}
		}
	}
	return out
}

func (v *Undoing) refer(c *plan.Change, p value.Path, made *plan.Change) {
	if c.References == nil {
		c.References = map[string]plan.Reference{}
	}
	c.References[p.String()] = plan.Reference{Ref: made.ResourceRef, Type: made.ResourceType, ID: plan.UnknownID, Made: made}
	v.b.Need(c, made)
}

// order turns the order of the plan around. What is needed to know an id comes
// first; an edge that would run against that is not needed.
func (v *Undoing) order() {
	before := map[*plan.Change][]*plan.Change{}
	for _, n := range v.b.Needs {
		before[n.Change] = append(before[n.Change], n.Before)
	}
	add := func(c, first *plan.Change) {
		if c == nil || first == nil || c == first || build.Reaches(before, first, c) {
			return
		}
		before[c] = append(before[c], first)
		v.b.Need(c, first)
	}
	goers := goersFirst(v)
	for _, c := range v.b.Plan.Changes {
		for _, first := range goers[c] {
			add(c, first)
		}
	}
	follow(v, add)
	byName(v, add)
	for _, replaces := range []bool{true, false} {
		for _, c := range v.Plan.Changes {
			for _, id := range c.DependsOn {
				if d := v.Plan.Change(id); d != nil && replaces == (v.Plan.Half(c) == d) {
					add(undoneWith(v, d), undoneWith(v, c))
				}
			}
		}
	}
	released(v, add)
}

// undoneWith is the change that undoes another one; what is deleted with the
// resource that it belongs to is undone by that delete. nil where none does.
func undoneWith(v *Undoing, c *plan.Change) *plan.Change {
	if back := v.undone[c.ID]; back != nil {
		return back
	}
	for range v.Plan.Changes {
		if c.Parent == nil || c.Parent.Change == "" {
			return nil
		}
		c = v.Plan.Change(c.Parent.Change)
		if c == nil {
			return nil
		}
		if back := v.undone[c.ID]; back != nil {
			if back.Action == plan.Delete {
				return back
			}
			return nil
		}
	}
	return nil
}

func (v *Undoing) describe() {
	p, m := v.b.Plan, v.Plan.Metadata
	p.Metadata = plan.Metadata{
		PlanVersion: plan.Version, VersionAlias: plan.Version,
		GeneratedAt: v.Now.UTC().Format("2006-01-02T15:04:05Z"), GeneratedBy: v.Generator, Generator: v.Generator,
		Mode: m.Mode, Inverse: true, ConfigHash: m.ConfigHash, Organization: m.Organization, Cluster: m.Cluster, Targets: m.Targets, SyncScope: m.SyncScope,
		ReferenceMappings: nameAbove(v, v.mappings()), Externals: p.Using(m.Externals),
	}
	p.Summarize()
	for _, w := range slices.Backward(v.warnings) { // as the plan had it
		entry := plan.Warning{Message: w.text}
		switch {
		case w.change == nil:
		case w.change.ID != "":
			entry.ChangeID = w.change.ID
		case slices.Contains(slices.Collect(maps.Values(v.undone)), w.change): // it is blocked
			entry.Message = undoneName(v, w.change) + ": " + w.text
		default:
			continue // the change was taken out again, of which another one says why
		}
		p.Warnings = append(p.Warnings, entry)
	}
}

// holds reports whether a change of the inverse plan stands below an object.
func holds(v *Undoing, o *resource.Object) bool {
	return o != nil && slices.ContainsFunc(v.b.Plan.Changes, func(c *plan.Change) bool { return c.Parent != nil && c.Parent.ID == o.ID })
}

// mappings are the plan's, and the ids of what it made and of what exists again and
// something comes back below.
func (v *Undoing) mappings() map[string]string {
	out := maps.Clone(v.Plan.Metadata.ReferenceMappings)
	if out == nil {
		out = map[string]string{}
	}
	for _, c := range v.Plan.Changes {
		tr := v.Traces[c.ID]
		o := tr.Object
		if c.Action != plan.Create && !holds(v, o) || o == nil || o.ID == "" {
			continue
		}
		if _, taken := out[c.ResourceRef]; taken {
			out[c.ResourceType+":"+c.ResourceRef] = o.ID
		} else {
			out[c.ResourceRef] = o.ID
		}
	}
	return out
}
