package live

import "github.com/kongctl/kongctl/internal/resource"

// index finds what was read and what is declared by identity, without a comparison with
// each. Its parts are made when they are first asked for.
type index struct {
	q    *Query
	snap *Snapshot
	// lists are what was read, by scope.
	lists map[string]*resource.Identities
	// declared are the resources by type and IdentityKey.
	declared map[*resource.Type]map[string][]*resource.Resource
}

func newIndex(q *Query, snap *Snapshot) index {
	return index{q: q, snap: snap, lists: map[string]*resource.Identities{}, declared: map[*resource.Type]map[string][]*resource.Resource{}}
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
	all := x.declared[of.Type]
	if all == nil {
		all = map[string][]*resource.Resource{}
		for _, r := range x.q.Set.Of(of.Type) {
			if want, known := resource.SharedIdentity(x.snap, x.q.Links, r); known && r.External == nil {
				key := resource.IdentityKey(of.Type, want)
				all[key] = append(all[key], r)
			}
		}
		x.declared[of.Type] = all
	}
	want, _ := resource.SharedIdentity(x.snap, x.q.Links, of)
	return all[resource.IdentityKey(of.Type, want)]
}
