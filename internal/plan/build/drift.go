package build

import (
	"slices"
	"time"

	"kongctl/internal/plan"

	"kongctl/internal/resource"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// FindDrift compares a configuration with what exists, as a full sync would.
func FindDrift(in Input) (*plan.Drift, diag.List) {
	in.Mode = plan.ModeSync
	b := newDraft(in)
	findBroken(b)
	findPending(b)
	setAside(b)
	d := &plan.Drift{
		Namespaces: append([]string{}, in.Set.Namespaces...),
		RemoteOnly: []plan.Difference{}, ChangedRemotely: []plan.Difference{}, ConfigurationAhead: []plan.Difference{}, Unclear: []plan.Difference{},
		Errors: b.Plan.Errors, Pending: b.Plan.Pending,
	}
	for _, r := range in.Links.Sorted() {
		if b.broken[r] != nil || b.pending[r] != nil || r.External != nil {
			continue
		}
		x, differs := difference(b, r)
		if !differs {
			continue
		}
		at := map[Mover]*[]plan.Difference{TargetMoved: &d.ChangedRemotely, ConfigurationMoved: &d.ConfigurationAhead, NobodyKnown: &d.Unclear}[whoMoved(b, r, x)]
		*at = append(*at, x)
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
	return d, b.diags
}

// difference compares one resource. What belongs to a missing one is not told
// by itself.
func difference(b *Draft, r *resource.Resource) (plan.Difference, bool) {
	x := plan.Difference{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, ResourceName: r.Name, Namespace: r.Namespace,
		Source: &plan.Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column},
	}
	if r.Parent != nil {
		above := b.Snapshot.Object(r.Parent)
		if above == nil {
			return x, false
		}
		x.Parent = &plan.ParentRef{Ref: r.Parent.Ref, Type: r.Parent.Type.Kind, ID: above.ID, Ancestors: b.KnownAncestors(r)}
	}
	o := b.Snapshot.Object(r)
	if o == nil {
		x.State = plan.Missing
		return x, r.Above == nil || b.Snapshot.Object(r.Above) != nil
	}
	x.ResourceID, x.State, x.FieldChanges = o.ID, plan.Differs, b.differences(r, o)
	return x, len(x.FieldChanges) > 0
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

// slack forgives clocks that differ. It is short: that nothing tells who moved is
// better than to name the wrong one.
const slack = 2 * time.Second

// reach is how long after the time in the label of a root the run that wrote it
// may have made what belongs to the root.
const reach = 10 * time.Minute

// whoMoved says who moved a resource that differs. The root's label says which
// declaration it was last written with, children included; it is not written
// when a child alone changes. So an equal hash means that the declaration did
// not move. Another hash means that it did, but maybe long ago, and was carried
// out for children alone: then the configuration is ahead only of what nobody
// has written since. Variables and fields of other resources are hashed by name:
// where only they differ, nobody is named.
func whoMoved(b *Draft, r *resource.Resource, x plan.Difference) Mover {
	if w, ok := b.Proposer(r.Type).(Witness); ok {
		return w.WhoMoved(r)
	}
	root, o := b.Snapshot.Object(r.Root()), b.Snapshot.Object(r)
	if root == nil {
		return ConfigurationMoved
	}
	switch hash := root.Owner.Hash; {
	case hash == "", onlyTaken(b, r, x):
		return NobodyKnown
	case hash == resourceHash(b.Set, r.Root()):
		return TargetMoved
	case o == nil, untouched(o, root.Owner.At):
		return ConfigurationMoved
	default:
		return NobodyKnown
	}
}

// onlyTaken reports whether all fields that differ come from the environment or
// from fields of other resources.
func onlyTaken(b *Draft, r *resource.Resource, x plan.Difference) bool {
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
	return x.State == plan.Differs && !slices.ContainsFunc(x.FieldChanges, func(c plan.FieldChange) bool {
		at := value.ParsePath(c.Field)
		return !slices.ContainsFunc(taken, func(p value.Path) bool { return p.HasPrefix(at) || at.HasPrefix(p) })
	})
}

// untouched reports whether nobody has written an object since a time, zero
// where it is not known: it was made by that run and never changed, or it was
// changed before.
func untouched(o *resource.Object, last time.Time) bool {
	if last.IsZero() {
		return false
	}
	at := func(field string) (time.Time, bool) {
		text, _ := o.Fields[field].(string)
		t, err := time.Parse(time.RFC3339, text)
		return t, err == nil
	}
	changed, known := at("updated_at")
	if !known {
		return false
	}
	if made, known := at("created_at"); known && made.Equal(changed) {
		return !made.After(last.Add(reach))
	}
	return !changed.After(last.Add(slack))
}
