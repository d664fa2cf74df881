package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Adoption is a root to mark as managed.
type Adoption struct {
	Type      *resource.Type
	Object    *resource.Object
	Namespace string
}

// adopt writes the marks of what exists, and nothing else.
func adopt(b *Draft) {
	if b.Adopt != nil {
		mark(b, *b.Adopt, nil)
	}
	for _, r := range b.Links.Sorted() {
		o := b.Snapshot.Object(r)
		if o == nil || r.External != nil || !r.Type.Owned || b.broken[r] != nil || o.System {
			continue
		}
		mark(b, Adoption{Type: r.Type, Object: o, Namespace: r.Namespace}, r)
	}
}

// mark plans the mark of one root; r is its declaration, nil where there is
// none. What belongs to the namespace already is up to date.
func mark(b *Draft, a Adoption, r *resource.Resource) {
	t, o := a.Type, a.Object
	if o.Owner.Namespace == a.Namespace {
		return
	}
	c := &plan.Change{
		ResourceType: t.Kind, ResourceID: o.ID, Namespace: a.Namespace, Action: plan.Update, DependsOn: []string{},
		Protection: o.Owner.Protected,
	}
	c.ResourceName = t.Name(o)
	c.ResourceRef = c.ResourceName
	s := Subject{Resource: r, Type: t, Live: o, Mode: b.Mode, Namespace: a.Namespace}
	if r != nil {
		s.Desired = b.resolve(r)
		c.ResourceRef, c.ResourceName = r.Ref, r.Name
		c.Source = &plan.Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column}
		c.Protection = c.Protection || r.Protected
		if broughtAbout(b, r) {
			s.Hash = func() string { return resourceHash(b.Set, r) }
		}
	}
	p := b.Proposer(t).Propose(s)
	fill(c, p)
	noteRefusal(b, c, p)
	b.Plan.Changes = append(b.Plan.Changes, c)
}

// broughtAbout reports whether a resource and all that belongs to it exist as
// declared. Only then may the hash of the declaration be written: drift takes
// it for what was carried out.
func broughtAbout(b *Draft, r *resource.Resource) bool {
	for _, x := range b.Set.Under(r) {
		if x.External != nil {
			continue
		}
		o := b.Snapshot.Object(x)
		if o == nil || b.broken[x] != nil {
			return false
		}
		for _, c := range b.proposed(x, o).Changes {
			if c.Field != plan.ProtectedField || !x.Protected {
				return false
			}
		}
	}
	return true
}
