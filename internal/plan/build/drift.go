package build

import (
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// FindDrift compares a configuration with what exists, as a full sync would.
func FindDrift(in Input) (*plan.Drift, diag.List) {
	in.Mode = plan.ModeSync
	b := newDraft(in)
	findBroken(b)
	findPending(b)
	setAside(b)
	checkNamed(b)
	checkRepeated(b)
	d := &plan.Drift{
		Namespaces: append([]string{}, in.Set.Namespaces...),
		RemoteOnly: []plan.Difference{}, ChangedRemotely: []plan.Difference{}, ConfigurationAhead: []plan.Difference{}, Unclear: []plan.Difference{},
		Errors: b.Plan.Errors, Pending: b.Plan.Pending,
	}
	var found []differing
	for _, r := range in.Links.Sorted() {
		if b.broken[r] != nil || b.pending[r] != nil || r.External != nil {
			continue
		}
		x, p, differs := compared(b, r)
		if tellKept(b, r, p); differs {
			found = append(found, differing{r, x})
		}
	}
	moved := byHash(b, found)
	for _, f := range found {
		who, likely := whoMoved(b, f, moved)
		f.Likely = side(likely)
		at := map[Mover]*[]plan.Difference{TargetMoved: &d.ChangedRemotely, ConfigurationMoved: &d.ConfigurationAhead, NobodyKnown: &d.Unclear}[who]
		*at = append(*at, f.Difference)
	}
	for _, j := range in.Attached {
		if j.Err != nil {
			d.Errors = append(d.Errors, plan.Problem{ResourceType: j.Type.Kind, ResourceRef: j.On.Ref, Message: j.Err.Error()})
		}
		if len(j.Parts) > 0 {
			d.Unclear = append(d.Unclear, plan.Difference{
				ResourceType: j.Type.Kind, ResourceRef: j.On.Ref, ResourceName: j.On.Name, Namespace: j.On.Namespace,
				State: plan.Differs, GatewayChanges: j.Parts, Source: &j.Pos,
			})
		}
	}
	prune(b)
	for _, c := range b.Plan.Changes {
		d.RemoteOnly = append(d.RemoteOnly, plan.Difference{
			ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, ResourceName: c.ResourceName, ResourceID: c.ResourceID,
			Namespace: c.Namespace, Parent: c.Parent, State: plan.Undeclared,
		})
	}
	d.Warnings = whatStays(b)
	d.Names = map[string]string{}
	for _, r := range b.Set.Resources {
		if o := b.object(r); o != nil {
			d.Names[o.ID] = r.Ref
		}
	}
	return d, b.diags
}

// whatStays are the warnings of what a sync would leave as it is though nothing declares
// it so. What is said of deletes is left out: those are reported.
func whatStays(b *Draft) []plan.Warning {
	tellHeld(b)
	tellSpared(b)
	tellItems(b)
	tellUnnamed(b)
	return slices.DeleteFunc(b.Plan.Warnings, func(x plan.Warning) bool {
		return x.ResourceRef != "" && slices.ContainsFunc(b.Plan.Changes, func(c *plan.Change) bool {
			return c.ResourceType == x.ResourceType && c.ResourceRef == x.ResourceRef
		})
	})
}

// space is the namespace of a resource, "" where its root carries no mark of one.
func space(r *resource.Resource) string {
	if !r.Root().Type.Owned {
		return ""
	}
	return r.Namespace
}

// difference compares one resource. What belongs to a missing one is not reported
// by itself.
func difference(b *Draft, r *resource.Resource) (plan.Difference, bool) {
	x, _, differs := compared(b, r)
	return x, differs
}

// compared is the same, with what the target would do.
func compared(b *Draft, r *resource.Resource) (x plan.Difference, p Proposal, differs bool) {
	x = plan.Difference{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, ResourceName: r.Name, Namespace: space(r),
		Source: &plan.Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column},
	}
	if r.Parent != nil {
		above := b.Snapshot.Object(r.Parent)
		if above == nil {
			return x, p, false
		}
		x.Parent = &plan.ParentRef{Ref: r.Parent.Ref, Type: r.Parent.Type.Kind, ID: above.ID, Ancestors: b.KnownAncestors(r)}
	}
	o := b.Snapshot.Object(r)
	if o == nil {
		x.State = plan.Missing
		return x, p, r.Above == nil || b.Snapshot.Object(r.Above) != nil
	}
	p = b.proposed(r, o)
	x.ResourceID, x.State, x.FieldChanges = o.ID, plan.Differs, p.Changes
	return x, p, len(x.FieldChanges) > 0
}

// Mover is who changed something since the last run.
type Mover uint8

// Who it may be.
const (
	NobodyKnown Mover = iota
	TargetMoved
	ConfigurationMoved
)

// Witness is a proposer that says by itself who moved a resource that differs or
// does not exist, because its target knows more than a hash of the declaration.
type Witness interface {
	WhoMoved(r *resource.Resource) Mover
}

// side is what a mover is called where nothing proves that it was the one.
func side(m Mover) plan.Side {
	return map[Mover]plan.Side{TargetMoved: plan.SideRemote, ConfigurationMoved: plan.SideConfiguration}[m]
}

// whoMoved says who moved a resource that differs, by the hash that its root
// carries: that of the declaration which the root was last written with, children
// included. It proves something of the fields of the root alone: a run that changes
// children alone leaves it as it was, so a child may have been another one since.
// Where nothing is proven, nobody is named, and likely says who probably moved it.
// Variables and fields of other resources are hashed by name: they prove nothing.
func whoMoved(b *Draft, f differing, moved map[*resource.Resource]Mover) (who, likely Mover) {
	if w, ok := b.Proposer(f.r.Type).(Witness); ok {
		return w.WhoMoved(f.r), NobodyKnown
	}
	top := f.r.Root()
	root, o := b.Snapshot.Object(top), b.Snapshot.Object(f.r)
	if root == nil || root.Owner.Hash == "" { // new, or deleted, or adopted: what would say so is not there
		return NobodyKnown, NobodyKnown
	}
	taken, all := takenFields(b, f.r, f.Difference)
	found, proven := moved[f.r]
	switch {
	case all:
		return NobodyKnown, NobodyKnown
	case proven && found == ConfigurationMoved && o != nil && writtenAfter(o, root):
		return NobodyKnown, NobodyKnown
	case proven && f.r == top && !taken:
		return found, NobodyKnown
	case proven:
		return NobodyKnown, found
	default:
		return NobodyKnown, byTime(o, root)
	}
}

// byTime says who probably moved a resource that exists: what was last written
// before its root was declared since, and a root that was written after its label
// was not written by a run.
func byTime(o, root *resource.Object) Mover {
	switch {
	case o == nil:
		return NobodyKnown
	case writtenBefore(o, root):
		return ConfigurationMoved
	case o == root && writtenAfter(o, root):
		return TargetMoved
	default:
		return NobodyKnown
	}
}

// takenFields reports whether some and whether all of the fields that differ come
// from the environment or from fields of other resources.
func takenFields(b *Draft, r *resource.Resource, x plan.Difference) (some, all bool) {
	desired := b.resolve(r)
	var taken []value.Path
	for _, e := range desired.Env {
		taken = append(taken, value.ParsePath(e.Field))
	}
	for _, l := range desired.Links {
		if l.Field != "id" {
			taken = append(taken, l.Path)
		}
	}
	all = x.State == plan.Differs
	for _, c := range x.FieldChanges {
		at := value.ParsePath(c.Field)
		if slices.ContainsFunc(taken, func(p value.Path) bool { return p.HasPrefix(at) || at.HasPrefix(p) }) {
			some = true
		} else {
			all = false
		}
	}
	return some, all
}

// slack is how far apart two times must be to say which was first: clocks differ,
// and some count whole seconds.
const slack = 2 * time.Second

// reach is how long after the time in the label of a root the run that wrote it
// may have made what belongs to the root.
const reach = 10 * time.Minute

// timeOf is a time that an object tells.
func timeOf(o *resource.Object, field string) (time.Time, bool) {
	text, _ := o.Fields[field].(string)
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil
}

// writtenAfter reports whether an object was written after the run that wrote its
// root: what that run made and nobody changed was not.
func writtenAfter(o, root *resource.Object) bool {
	last := root.Owner.At
	changed, known := timeOf(o, "updated_at")
	if !known || last.IsZero() {
		return false
	}
	if made, known := timeOf(o, "created_at"); known && made.Equal(changed) {
		return made.After(last.Add(reach))
	}
	return changed.After(last.Add(slack))
}

// writtenBefore reports whether an object was last written clearly before its root
// was. The root's label tells the time of the client, its fields that of the
// target: both must say so.
func writtenBefore(o, root *resource.Object) bool {
	changed, known := timeOf(o, "updated_at")
	above, knownAbove := timeOf(root, "updated_at")
	last := root.Owner.At
	return known && knownAbove && !last.IsZero() && changed.Add(slack).Before(last) && changed.Add(slack).Before(above)
}
