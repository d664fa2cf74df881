package plan

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
	"kongctl/internal/value"
)

// Trace is what is there now of what a change touched.
type Trace struct {
	// Object is the resource, all of it; nil when there is none. Listed is the
	// same as its list gives it.
	Object, Listed *resource.Object
	// Ancestors are the ids above it.
	Ancestors []string
	// Again tells of a deletion that another resource with the same identity is
	// there now: Object.
	Again bool
	// Orphan tells that what it belongs to is gone.
	Orphan bool
	// Protected tells of a protected root, RootProtected of what is below one.
	Protected, RootProtected bool
	// NotDone tells that the change was not carried out.
	NotDone bool
	// Reported tells that the report of the run names the resource.
	Reported bool
	// Below is what would go with the resource, were it deleted.
	Below []live.Part
	// Users is what refers to the resource, or to what is below it.
	Users []live.User
}

// InverseInput is all that an inverse plan is made of.
type InverseInput struct {
	Catalog *catalog.Catalog
	// Plan is the plan to undo.
	Plan *Plan
	// Traces are by the ids of its changes.
	Traces    map[string]Trace
	Now       time.Time
	Generator string
}

// Inverse makes the plan that undoes an executed one, as far as what the plan
// recorded and what is there now allow. What cannot be undone is told in
// warnings. It is pure.
func Inverse(in InverseInput) *Plan {
	v := &inverter{
		InverseInput: in,
		b:            &builder{plan: &Plan{Changes: []*Change{}, ExecutionOrder: []string{}, ExecutionGroups: [][]string{}}},
		undone:       map[string]*Change{},
		goes:         map[string]bool{},
		remade:       map[string]*Change{},
	}
	v.findGoing()
	for _, c := range slices.Backward(in.Plan.Changes) {
		v.undo(c)
	}
	for _, c := range v.b.plan.Changes {
		v.link(c)
	}
	v.order()
	if refused := guardProtected(v.b); len(refused) > 0 {
		v.b.refuse("protected", refused)
	}
	if refused := v.foreign(); len(refused) > 0 {
		v.b.refuse("cascade", refused)
	}
	v.b.number()
	v.describe()
	return v.b.plan
}

type inverter struct {
	InverseInput
	b *builder
	// undone is the change that undoes a change, by the latter's id.
	undone map[string]*Change
	// goes are the objects that are deleted, remade the changes that make
	// deleted ones again, by the id they had.
	goes   map[string]bool
	remade map[string]*Change
	// warnings name a change that has no id yet, or none.
	warnings []inverseWarning
}

type inverseWarning struct {
	change *Change
	text   string
}

// cannot says what cannot be undone; with is the change that undoes the rest.
func (v *inverter) cannot(c, with *Change, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if with == nil { // else whoever shows the warning names the resource
		text = fmt.Sprintf("%s: %s", called(c), text)
	}
	v.warn(with, "cannot undo: "+text)
}

// nothing says that there is nothing left to undo.
func (v *inverter) nothing(c *Change, why string) {
	v.warn(nil, fmt.Sprintf("nothing to undo: %s %s", called(c), why))
}

func (v *inverter) warn(c *Change, text string) {
	v.warnings = append(v.warnings, inverseWarning{c, text})
}

// findGoing notes the objects that undoing creates will delete.
func (v *inverter) findGoing() {
	for _, c := range v.Plan.Changes {
		tr := v.Traces[c.ID]
		if t := v.Catalog.Kind(c.ResourceType); t != nil && c.Action == Create && !tr.NotDone && tr.Object != nil && v.proven(t, c) && v.sameResource(t, c, tr.Object) {
			v.goes[objectKey(t, tr.Object.ID, tr.Ancestors)] = true
		}
	}
}

func (v *inverter) undo(c *Change) {
	tr := v.Traces[c.ID]
	t := v.Catalog.Kind(c.ResourceType)
	switch {
	case tr.NotDone:
		return
	case c.Action == ExternalTool:
		v.cannot(c, nil, "decK carried it out; run it with the files as they were")
		return
	case t == nil:
		v.cannot(c, nil, "this program does not know the type")
		return
	}
	var back *Change
	switch c.Action {
	case Create:
		back = v.undoCreate(t, c, tr)
	case Update:
		back = v.undoUpdate(t, c, tr)
	case Delete:
		back = v.undoDelete(t, c, tr)
	default:
	}
	if back != nil {
		v.undone[c.ID] = back
		v.b.plan.Changes = append(v.b.plan.Changes, back)
	}
}

// start begins the change that undoes c.
func (v *inverter) start(c *Change, action Action) *Change {
	back := &Change{
		ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, ResourceName: c.ResourceName, Namespace: c.Namespace,
		Action: action, Replace: c.Replace, DependsOn: []string{}, Source: c.Source,
	}
	if c.Parent != nil {
		back.Parent = &ParentRef{Ref: c.Parent.Ref, Type: c.Parent.Type}
	}
	return back
}

// settle says where the change's resource is now.
func (c *Change) settle(ancestors []string) {
	if c.Parent != nil && len(ancestors) > 0 {
		c.Parent.Ancestors, c.Parent.ID = ancestors, ancestors[len(ancestors)-1]
	}
}

// link leads what referred to a deleted resource, or belonged to it, to the one
// that is made in its place.
func (v *inverter) link(c *Change) {
	t := v.Catalog.Kind(c.ResourceType)
	if c.Parent != nil {
		if made := v.remade[c.Parent.ID]; made != nil && c.Action != Delete {
			c.Parent.ID, c.Parent.Ancestors, c.parentChange = unknownID, nil, made
			v.b.need(c, made)
		}
	}
	if made := v.remade[c.ResourceID]; made != nil && t.MapKey != "" && c.Action == Create {
		c.ResourceID = ""
		v.refer(c, value.Path{t.MapKey}, made)
	}
	for _, path := range slices.Sorted(maps.Keys(v.referring(t, c.Fields))) {
		p := value.ParsePath(path)
		id, _ := value.Get(c.Fields, p)
		made := v.remade[fmt.Sprint(id)]
		switch {
		case made == nil:
			continue
		case v.b.waitsFor(made, c):
			value.Delete(c.Fields, p.Whole())
			v.cannot(c, c, "%s: it and the %s %q refer to each other", path, catalog.Words(made.ResourceType), made.ResourceRef)
			continue
		}
		value.Set(c.Fields, p, unknownID)
		if x, ok := c.ChangedFields[path]; ok {
			x.New = unknownID
			c.ChangedFields[path] = x
		}
		v.refer(c, p, made)
	}
	for i, f := range c.FieldChanges {
		c.FieldChanges[i].DesiredValue = c.ChangedFields[f.Field].New
	}
}

// referring lists the paths of the ids of others that a payload holds.
func (v *inverter) referring(t *catalog.Bound, fields map[string]any) map[string]bool {
	names := []string{}
	for _, r := range t.References {
		names = append(names, r.Field)
	}
	if t.Tree != nil {
		names = append(names, t.Tree.Parent)
	}
	out := map[string]bool{}
	for _, name := range names {
		p := value.ParsePath(name)
		x, ok := value.Get(fields, p)
		list, isList := x.([]any)
		switch {
		case !ok:
		case isList:
			for i := range list {
				out[p.Index(i).String()] = true
			}
		default:
			out[p.String()] = true
		}
	}
	return out
}

func (v *inverter) refer(c *Change, p value.Path, made *Change) {
	if c.References == nil {
		c.References = map[string]Reference{}
	}
	c.References[p.String()] = Reference{Ref: made.ResourceRef, Type: made.ResourceType, ID: unknownID, change: made}
	v.b.need(c, made)
}

// order turns the order of the plan around. What is needed to know an id comes
// first; an edge that would run against that is not needed.
func (v *inverter) order() {
	before := map[*Change][]*Change{}
	for _, n := range v.b.needs {
		before[n.change] = append(before[n.change], n.before)
	}
	add := func(c, first *Change) {
		if c == nil || first == nil || c == first || reaches(before, first, c) {
			return
		}
		before[c] = append(before[c], first)
		v.b.need(c, first)
	}
	for _, replaces := range []bool{true, false} {
		for _, c := range v.Plan.Changes {
			for _, id := range c.DependsOn {
				d := v.Plan.Change(id)
				if d != nil && replaces == (c.Replace && d.Replace && c.ResourceType == d.ResourceType && c.ResourceRef == d.ResourceRef) {
					add(v.undone[id], v.undone[c.ID])
				}
			}
		}
	}
}

func (v *inverter) describe() {
	p, m := v.b.plan, v.Plan.Metadata
	p.Metadata = Metadata{
		PlanVersion: Version, VersionAlias: Version,
		GeneratedAt: v.Now.UTC().Format("2006-01-02T15:04:05Z"), GeneratedBy: v.Generator, Generator: v.Generator,
		Mode: m.Mode, Inverse: true, ConfigHash: m.ConfigHash, Organization: m.Organization, SyncScope: m.SyncScope,
		ReferenceMappings: v.mappings(), Externals: p.using(m.Externals),
	}
	p.summarize()
	for _, w := range slices.Backward(v.warnings) { // as the plan had it
		entry := Warning{Message: w.text}
		if w.change != nil {
			entry.ChangeID = w.change.ID
		}
		p.Warnings = append(p.Warnings, entry)
	}
}

// mappings are the plan's, and the ids of what it made.
func (v *inverter) mappings() map[string]string {
	out := maps.Clone(v.Plan.Metadata.ReferenceMappings)
	if out == nil {
		out = map[string]string{}
	}
	for _, c := range v.Plan.Changes {
		o := v.Traces[c.ID].Object
		if c.Action != Create || o == nil || o.ID == "" {
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
