package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// takers are the deletes with which Konnect deletes other resources, by the places of
// those.
type takers map[string][]*plan.Change

// pruneUsers deletes what cannot be without something that the plan deletes, before
// that, and finds what Konnect deletes together with it. Whatever else those use can
// be deleted after them.
func pruneUsers(b *Draft) takers {
	taking := takers{}
	for i := 0; i < len(b.Plan.Changes); i++ { // with those that are added here
		c := b.Plan.Changes[i]
		if c.Action != plan.Delete || b.staying(c) {
			continue
		}
		for _, x := range removed(b, c) {
			for _, user := range b.Users.Of(x.Type.Kind, x.Object.ID) {
				key := ObjectKey(user.Type, user.Object.ID, user.Ancestors)
				u := used{by: c, object: x, user: user, r: b.declaredAt[key]}
				switch gone := deletedBy(b, user.Part); {
				case gone != nil && !b.staying(gone) || b.writes(u.r):
				case user.Use.OnDelete == resource.Cascades:
					taking[key] = append(taking[key], c)
				case prunesUser(b, u):
					b.Need(c, pruneUser(b, u))
				}
			}
		}
	}
	return taking
}

// lets lets a delete wait for another one that takes the user with it; false where none
// does.
func (t takers) lets(b *Draft, u used) bool {
	for _, c := range t[ObjectKey(u.user.Type, u.user.Object.ID, u.user.Ancestors)] {
		if c != u.by && !b.WaitsFor(c, u.by) {
			b.Need(u.by, c)
			return true
		}
	}
	return false
}

// prunesUser reports whether a sync deletes a child that nothing declares before
// what it cannot be without: a publication before its portal.
func prunesUser(b *Draft, u used) bool {
	t, p := u.user.Type, value.ParsePath(u.user.Use.Field).Generic()
	return b.Mode.Prunes() && !u.by.Replace && u.r == nil && t.Parent != nil && !t.Fixed && t.IsIdentity(p) &&
		slices.Contains(b.Set.Namespaces, u.user.Namespace()) && !b.selection.Spares(t, u.user.Object, parentOf(b, u))
}

func pruneUser(b *Draft, u used) *plan.Change {
	c := remove(b, u.user.Type, u.user.Object, u.user.Ancestors, nil)
	c.Namespace = u.user.Namespace()
	nameParent(b, c)
	if root := u.user.Root; c.Parent.Ref == "" && root != nil && root.ID == c.Parent.ID {
		c.Parent.Ref = u.user.Type.Parent.Name(root)
	}
	return c
}

// listAt is where the configuration stops declaring what a change deletes: the empty
// list, else the first that its list still has, or what it belongs to.
func listAt(b *Draft, c *plan.Change) value.Pos {
	t := b.Types.Kind(c.ResourceType)
	if above := plan.AncestorsOf(c); t.Parent != nil && len(above) > 0 {
		if r := b.declaredAt[ObjectKey(t.Parent, above[len(above)-1], above[:len(above)-1])]; r != nil {
			return r.Pos
		}
		return value.Pos{}
	}
	if pos, empty := b.Set.EmptyAt[resource.Mention{Kind: t.Kind, Namespace: c.Namespace}]; empty {
		return pos
	}
	if i := slices.IndexFunc(b.Set.Of(t), func(r *resource.Resource) bool { return r.Namespace == c.Namespace && r.External == nil }); i >= 0 {
		return b.Set.Of(t)[i].Pos
	}
	return value.Pos{}
}
