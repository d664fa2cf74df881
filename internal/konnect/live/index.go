package live

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
)

// index finds what was read and what is declared by identity, without a comparison with
// each. Its parts are made when they are first asked for.
type index struct {
	q    *Query
	snap *Snapshot
	// lists are what was read, by scope.
	lists map[string]*resource.Identities
	// declared are the resources by type.
	declared map[*resource.Type]*namesakes
}

func newIndex(q *Query, snap *Snapshot) index {
	return index{q: q, snap: snap, lists: map[string]*resource.Identities{}, declared: map[*resource.Type]*namesakes{}}
}

// same are the objects of a scope with an identity.
func (x index) same(t *resource.Type, scope string, want map[string]any) []*resource.Object {
	if x.lists[scope] == nil {
		x.lists[scope] = resource.NewIdentities(t, x.snap.scopes[scope])
	}
	return x.lists[scope].Same(want)
}

// namesakes are the resources with the identity of one, whatever their variant.
func (x index) namesakes(of *resource.Resource) []*resource.Resource {
	names := x.declared[of.Type]
	if names == nil {
		names = &namesakes{by: map[string][]*resource.Resource{}}
		for _, r := range x.q.Set.Of(of.Type) {
			if r.External == nil {
				names.late = append(names.late, r)
			}
		}
		x.declared[of.Type] = names
	}
	names.late = slices.DeleteFunc(names.late, func(r *resource.Resource) bool {
		want, known := resource.SharedIdentity(x.snap, x.q.Links, r)
		if known {
			key := resource.IdentityKey(of.Type, want)
			names.by[key] = append(names.by[key], r)
		}
		return known
	})
	want, _ := resource.SharedIdentity(x.snap, x.q.Links, of)
	return names.by[resource.IdentityKey(of.Type, want)]
}

// namesakes are the declared resources of a type by IdentityKey. The identity of late ones
// depends on what is not matched yet.
type namesakes struct {
	by   map[string][]*resource.Resource
	late []*resource.Resource
}
