package plan

import (
	"fmt"
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// awaitsIdentity is why a resource cannot be looked for yet: a field of its
// identity comes from something that has no such value before this plan is
// carried out, and one of the resources that exist may be it. Where none can be,
// the resource is created as soon as the value is known, and nil is returned.
func (b *builder) awaitsIdentity(r *resource.Resource) *waiting {
	if r.External != nil || catalog.Of(r).Shape == catalog.Singleton || b.Snapshot.Object(r) != nil || b.Snapshot.Knows(r, b.Links) {
		return nil
	}
	link, path, found := b.unknownSource(r)
	if !found || !b.mayExist(r) {
		return nil
	}
	return &waiting{
		reason: fmt.Sprintf("identity: %s is not known yet; it comes from %s of the %s", path, link.Field, link.Target.Describe()),
		of:     link.Target,
	}
}

// unknownSource finds the reference that makes the identity of a resource
// unknown. There is none when the identity holds the id of something that does
// not exist: nothing that exists can have that.
func (b *builder) unknownSource(r *resource.Resource) (from resource.Edge, path value.Path, found bool) {
	if r.Above != nil && b.Snapshot.Object(r.Above) == nil {
		return from, nil, false
	}
	for _, f := range catalog.Of(r).Identity {
		p := value.ParsePath(f)
		if _, known := b.Snapshot.Field(r, b.Links, p); known {
			continue
		}
		link, ok := b.sourceOf(r, p)
		if !ok {
			continue
		}
		if link.Field == "id" && b.Snapshot.Object(link.Target) == nil {
			return from, nil, false
		}
		from, path, found = link, p, true
	}
	return from, path, found
}

// sourceOf follows references from a field to the one whose target declares no
// further reference.
func (b *builder) sourceOf(r *resource.Resource, p value.Path) (resource.Edge, bool) {
	link, ok := b.Links.At(r, p)
	for ok {
		next, more := b.Links.At(link.Target, value.ParsePath(link.Field))
		if !more {
			break
		}
		link = next
	}
	return link, ok
}

// mayExist reports whether something that exists could be a resource whose
// identity is not known.
func (b *builder) mayExist(r *resource.Resource) bool {
	ancestors, ok := b.Snapshot.Ancestors(r)
	if !ok {
		return false // what it belongs to is new
	}
	objects, _ := b.Snapshot.Undeclared(catalog.Of(r), ancestors)
	return slices.ContainsFunc(objects, func(o *resource.Object) bool { return !isSystem(catalog.Of(r), o) })
}

// unknownIdentity lists the fields of a resource's identity that nobody knows
// yet.
func unknownIdentity(r *resource.Resource, desired resolved) []value.Path {
	var out []value.Path
	for _, f := range catalog.Of(r).Identity {
		p := value.ParsePath(f)
		v, _ := value.Get(desired.plain, p)
		if _, unknown := v.(value.Unknown); unknown {
			out = append(out, p)
		}
	}
	return out
}

// movedIdentity lists the fields that an existing resource is known by and that
// it must be replaced for, because they take another value in this plan.
func movedIdentity(r *resource.Resource, desired resolved) []string {
	var out []string
	for _, p := range unknownIdentity(r, desired) {
		if catalog.Of(r).Immutable(p.Generic()) {
			out = append(out, p.String())
		}
	}
	return out
}

// deckName reports whether a reference leads to the name of something that decK
// makes.
func deckName(link resource.Edge) bool {
	_, known := live.DeckName(link)
	return known
}
