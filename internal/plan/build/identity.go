package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// awaitsIdentity is why a resource cannot be looked for yet: a field of its
// identity comes from something that has no such value before this plan is
// carried out, and one of the resources that exist may be it. Where none can be,
// the resource is created as soon as the value is known, and nil is returned.
func awaitsIdentity(b *Draft, r *resource.Resource) *waiting {
	if r.External != nil || r.Type.Single || b.Snapshot.Object(r) != nil || knows(b, r) {
		return nil
	}
	link, path, found := unknownSource(b, r)
	if !found || !mayExist(b, r) {
		return nil
	}
	return &waiting{
		reason: fmt.Sprintf("identity: %s is not known yet; it comes from %s of the %s", path, link.Field, link.Target.Describe()),
		of:     link.Target,
	}
}

// unknownSource finds the reference that makes the identity of a resource
// unknown. It has none when the identity holds the id of something that does
// not exist: nothing that exists can have that.
func unknownSource(b *Draft, r *resource.Resource) (from resource.Edge, path value.Path, found bool) {
	if r.Above != nil && b.Snapshot.Object(r.Above) == nil {
		return from, nil, false
	}
	for _, f := range r.Type.Identity {
		p := value.ParsePath(f)
		if _, known := resource.FieldValue(b.Snapshot, b.Links, r, p); known {
			continue
		}
		link, ok := sourceOf(b, r, p)
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
func sourceOf(b *Draft, r *resource.Resource, p value.Path) (resource.Edge, bool) {
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
func mayExist(b *Draft, r *resource.Resource) bool {
	ancestors, ok := b.Snapshot.Ancestors(r)
	if !ok {
		return false // what it belongs to is new
	}
	objects, _ := b.Snapshot.Undeclared(r.Type, ancestors)
	return slices.ContainsFunc(objects, func(o *resource.Object) bool { return !o.System })
}

// movedIdentity lists the fields that an existing resource is known by and that
// it must be replaced for, because they take another value in this plan.
func movedIdentity(r *resource.Resource, desired Desired) []string {
	var out []string
	for _, p := range desired.UnknownIdentity(r.Type) {
		if r.Type.Immutable(p.Generic()) {
			out = append(out, p.String())
		}
	}
	return out
}

// knows reports whether what a resource is known by is known now.
func knows(b *Draft, r *resource.Resource) bool {
	_, known := resource.KnownIdentity(b.Snapshot, b.Links, r)
	return known
}
