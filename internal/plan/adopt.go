package plan

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/diff"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/resource"
)

// Adoption is a root to mark as managed.
type Adoption struct {
	Type      *catalog.Bound
	Object    *resource.Object
	Namespace string
}

// adopt writes the labels that mark what exists as managed, and nothing else.
func (b *builder) adopt() {
	if b.Adopt != nil {
		b.mark(*b.Adopt, nil)
	}
	for _, r := range b.Links.Sorted() {
		o := b.Snapshot.Object(r)
		if o == nil || r.External != nil || !catalog.Of(r).HasLabels() || b.broken[r] != nil || isSystem(catalog.Of(r), o) {
			continue
		}
		b.mark(Adoption{Type: catalog.Of(r), Object: o, Namespace: r.Namespace}, r)
	}
}

// mark plans the labels of one root; r is its declaration, nil where there is
// none. What belongs to the namespace already is as it shall be.
func (b *builder) mark(a Adoption, r *resource.Resource) {
	t, o := a.Type, a.Object
	before, marked := remote.Labels(o)[label.Namespace]
	if before == a.Namespace {
		return
	}
	labels := labelDelta{changes: []labelChange{{"kongctl.namespace", orNil(before, marked), a.Namespace}}}
	want := map[string]any{label.Namespace: a.Namespace, label.Managed: "true", label.LastUpdated: NowText}
	if _, old := remote.Labels(o)[label.Hash]; old {
		want[label.Hash] = nil // of a declaration that is not this one
	}
	c := &Change{
		ResourceType: t.Kind, ResourceID: o.ID, Namespace: a.Namespace, Action: Update, DependsOn: []string{},
		Protection:       label.Protects(remote.Labels(o)),
		ExecutionContext: ExecutionContext{HTTPMethod: t.Update.Method, APIEndpoint: t.Update.Path},
	}
	c.ResourceName = objectName(t, o)
	c.ResourceRef = c.ResourceName
	var desired resolved
	if r != nil {
		desired = b.resolve(r)
		c.ResourceRef, c.ResourceName = r.Ref, r.Name
		c.Source = &Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column}
		if r.Protected && !c.Protection {
			c.Protection = true
			want[label.Protected] = "true"
			labels.changes = append(labels.changes, labelChange{"kongctl.protected", false, true})
		}
		if b.broughtAbout(r) {
			want[label.Hash] = resourceHash(b.Set, r)
		}
	}
	labels.payload = want
	if !t.LabelsMerge() {
		labels.payload = whole(remote.Labels(o), want)
	}
	c.Fields = updatePayload(t, o.Fields, resolved{env: desired.env}, diff.Delta{})
	c.Fields["labels"] = labels.payload
	c.recordChanges(desired, diff.Delta{}, labels)
	b.recordCurrent(c, t, o, desired)
	b.plan.Changes = append(b.plan.Changes, c)
}

// broughtAbout tells that a resource and all that belongs to it exist as
// declared. Only then may the hash of the declaration be written: drift takes
// it for what was carried out.
func (b *builder) broughtAbout(r *resource.Resource) bool {
	for _, x := range b.Set.Resources {
		if x.External != nil || x != r && !below(x, r) {
			continue
		}
		o := b.Snapshot.Object(x)
		if o == nil || b.broken[x] != nil || !b.compare(x, b.resolve(x), o, b.diffMode()).Empty() {
			return false
		}
		for _, c := range b.labels(x, o).changes {
			if c.field != "kongctl.protected" || !x.Protected {
				return false
			}
		}
	}
	return true
}
