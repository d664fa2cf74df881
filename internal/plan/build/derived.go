package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// settleDerived deals with all that refers to what is derived from resources that the
// plan deletes, or updates so that they no longer have it. A change of the plan that
// keeps what is derived comes first.
func settleDerived(b *Draft) {
	for _, c := range b.Plan.Changes {
		if b.staying(c) {
			continue
		}
		keep := func(keeper *plan.Change) bool {
			can := !b.WaitsFor(keeper, c)
			if can {
				b.Need(c, keeper)
			}
			return can
		}
		for _, user := range b.Plan.Sheds(b.Types, c, b.Users, keep) {
			loseThrough(c, user)
			r := b.declaredAt[ObjectKey(user.Type, user.Object.ID, user.Ancestors)]
			del := deletedBy(b, user.Part)
			switch {
			case del != nil:
				if !b.WaitsFor(del, c) {
					b.Need(c, del)
				}
			case b.writes(r):
				b.inUse = append(b.inUse, inUse{c, lostInUse(c, r, user)})
			case prunesFormer(b, used{by: c, user: user, r: r}):
				b.Need(c, pruneFormer(b, used{by: c, user: user}))
			case user.Use.OnDelete == resource.Cascades:
				c.Cascade(user, b.names.Name(user.Part), shielded(b, user, r))
				noteLeftOut(b, used{by: c, user: user, r: r})
			default:
				b.inUse = append(b.inUse, inUse{c, lostInUse(c, r, user)})
			}
		}
	}
}

// prunesFormer reports whether a sync deletes a child that nothing declares before what
// it refers to goes. It stayed because it may be one that waits, but that one waits
// for something that is not there, and this one refers to what still is.
func prunesFormer(b *Draft, u used) bool {
	t, parent := u.user.Type, parentOf(b, u)
	if !b.Mode.Prunes() || u.r != nil || parent == nil || !resource.Prunes(t, parent, b.Prune) || !isFormer(b, u) {
		return false
	}
	share, isShare := resource.PrunesShare(t, parent, b.Prune)
	return !isShare || share.Holds(u.user.Object, b.object)
}

func pruneFormer(b *Draft, u used) *plan.Change {
	c, parent := pruneUser(b, u), parentOf(b, u)
	c.Parent.Ref, c.Parent.RootProtected = parent.Ref, b.protected(parent.Root())
	return c
}

// isFormer reports whether an object that nothing declares is left alone only because it
// may be a declared one that waits for an external that is not there.
func isFormer(b *Draft, u used) bool {
	parent := parentOf(b, u)
	r := b.selection.Maybe(u.user.Type, u.user.Object, parent)
	if r == nil || b.pending[r] == nil || b.selection.Others[parent] || b.selection.Omits(u.user.Type, u.user.Object, parent) {
		return false
	}
	of := b.pending[r].of
	return of != nil && of.External != nil && b.Snapshot.Missing(of)
}

// loseThrough notes of a delete what is derived from its resource and in use: it goes
// unlisted, and comes back with another id, if at all.
func loseThrough(c *plan.Change, u resource.User) {
	x := u.Through
	if x == nil || c.Action != plan.Delete || slices.ContainsFunc(c.Lost, func(k plan.Kept) bool { return k.Type == x.Type.Kind && k.ID == x.Object.ID }) {
		return
	}
	c.Lost = append(c.Lost, plan.Kept{Type: x.Type.Kind, Name: resource.ShortRef(x.Name()), ID: x.Object.ID, Namespace: c.Namespace})
}

// lostInUse reports that something uses what goes with a change.
func lostInUse(c *plan.Change, r *resource.Resource, u resource.User) diag.Diagnostic {
	who, pos := plan.UserName(u)+plan.Owner(u), value.Pos{}
	if r != nil {
		who, pos = r.Describe(), r.Fields.Nearest(value.ParsePath(u.Use.Field))
	}
	lost := fmt.Sprintf("%s %s", u.Through.Type.Words, u.Through.Name())
	how := deletes(c)
	if c.Action == plan.Update {
		how = "updates"
	}
	return diag.New(diag.LiveInUse, pos,
		fmt.Sprintf("This plan %s the %s, which the %s comes from, but the %s uses it.", how, resource.WithName(resource.Words(c.ResourceType), c.ResourceRef), lost, who),
		fmt.Sprintf("remove the %s, or keep the %s.", u.Type.Words, lost))
}
