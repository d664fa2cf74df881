package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// With makes a plan. When it deletes what others may refer to, read finds
// those first: in every namespace, and unmanaged. Where it refuses what needs
// permissions, it names all of them at once.
func With(in Input, read func([]resource.Removed) (*resource.Users, error)) (*plan.Plan, diag.List, error) {
	b, err := withUsers(&in, read)
	if err != nil {
		return nil, nil, err
	}
	if len(b.asks) > 0 && !b.diags.HasErrors() {
		in.wholly = permitted(in, b, read)
		b = drafted(in)
	}
	return b.Plan, b.diags, nil
}

// withUsers is a draft that knows what refers to what it deletes.
func withUsers(in *Input, read func([]resource.Removed) (*resource.Users, error)) (*Draft, error) {
	b := drafted(*in)
	changes := slices.Concat(b.Plan.Changes, onlyWaiting(b))
	removed := plan.Removes(in.Types, changes)
	in.partsAlone = !slices.ContainsFunc(changes, func(c *plan.Change) bool {
		return c.Action != plan.ExternalTool && len(plan.Removes(in.Types, []*plan.Change{c})) > 0
	})
	if len(removed) == 0 || b.diags.HasErrors() {
		return b, nil
	}
	users, err := read(removed)
	if err != nil {
		return nil, err
	}
	in.Users = users
	return drafted(*in), nil
}

// used is an object that a change deletes, with one that refers to it.
type used struct {
	by     *plan.Change
	object resource.Part
	user   resource.User
	// r is the user's declaration, nil where it has none.
	r *resource.Resource
}

// settleUses deals with all that refers to what the plan deletes: what the plan
// deletes too goes first, what it manages is detached, what Konnect deletes with
// it is listed, and the rest is in the way.
func settleUses(b *Draft) {
	b.declaredAt = declaredObjects(b)
	if b.Users == nil {
		return
	}
	releases := map[*resource.Resource][]used{}
	var order []*resource.Resource
	settleDerived(b)
	taking := pruneUsers(b)
	for _, c := range slices.Clone(b.Plan.Changes) {
		if c.Action != plan.Delete || b.staying(c) {
			continue
		}
		for _, x := range removed(b, c) {
			for _, user := range b.Users.Of(x.Type.Kind, x.Object.ID) {
				loseThrough(c, user)
				u := used{by: c, object: x, user: user, r: b.declaredAt[ObjectKey(user.Type, user.Object.ID, user.Ancestors)]}
				del := deletedBy(b, user.Part)
				switch {
				case b.staying(del): // and keeps using x
					b.Need(c, del)
				case user.Use.ByName:
					settleNamed(b, u, del)
				case del != nil && user.Through != nil && !b.WaitsFor(del, c):
					b.Need(c, del)
				case del != nil:
					goFirst(b, del, c)
				case b.refused[u.r]:
					refuseWith(b, u)
				case b.writes(u.r) && user.Use.Kind != x.Type.Kind: // what it refers to goes with x
					stillUses(b, u)
				case b.writes(u.r):
					if releases[u.r] == nil {
						order = append(order, u.r)
					}
					releases[u.r] = append(releases[u.r], u)
				case user.Use.OnDelete == resource.Cascades:
					c.Cascade(user, userName(b, u), shielded(b, user, u.r))
					noteLeftOut(b, u)
				case taking.lets(b, u):
				default:
					hinder(b, u)
				}
			}
		}
	}
	for _, r := range order {
		release(b, r, releases[r])
	}
}

// declaredObjects finds the declared resources by the objects that they are.
func declaredObjects(b *Draft) map[string]*resource.Resource {
	out := map[string]*resource.Resource{}
	for _, r := range b.Links.Sorted() {
		if o := b.Snapshot.Object(r); o != nil {
			out[ObjectKey(r.Type, o.ID, b.KnownAncestors(r))] = r
		}
	}
	return out
}

// removed lists the object that a change deletes and what goes with it.
func removed(b *Draft, c *plan.Change) []resource.Part {
	own := resource.Part{Type: b.Types.Kind(c.ResourceType), Ancestors: plan.AncestorsOf(c), Object: b.gone[c]}
	return append([]resource.Part{own}, Parts(b, c)...)
}

// deletedBy is the change that deletes an object, by itself or with what it belongs
// to.
func deletedBy(b *Draft, x resource.Part) *plan.Change {
	t, id, above := x.Type, x.Object.ID, x.Ancestors
	for {
		if c := b.Deletes[ObjectKey(t, id, above)]; c != nil || t.Parent == nil || len(above) == 0 {
			return c
		}
		t, id, above = t.Parent, above[len(above)-1], above[:len(above)-1]
	}
}

// goFirst lets a user go before what it uses, where one of the two is created
// again; orderDeletes sees to the others.
func goFirst(b *Draft, user, c *plan.Change) {
	if user != c && (user.Replace || c.Replace) && !b.WaitsFor(user, c) {
		b.Need(c, user)
	}
}

// writes reports whether this plan brings a resource about.
func (b *Draft) writes(r *resource.Resource) bool {
	return r != nil && b.Mode.Brings() &&
		r.External == nil && b.broken[r] == nil && b.pending[r] == nil && !b.selection.LeftOut(r)
}

// refuseWith refuses a delete together with the replace of a user: what is not
// made again keeps using what it uses.
func refuseWith(b *Draft, u used) {
	by := "replace"
	if i := slices.IndexFunc(b.Plan.Blocked, func(x plan.Blocked) bool { return x.ResourceType == u.r.Type.Kind && x.ResourceRef == u.r.Ref }); i >= 0 {
		by = b.Plan.Blocked[i].By
	}
	noteRefusal(b, u.by, Proposal{RefusedBy: by, Refused: fmt.Sprintf("%s uses it in %s and stays as it is: its replace is refused", resource.WithName(u.r.Type.Words, u.r.Ref), u.user.Use.Field)})
}

// inUse is a delete that Konnect would refuse, and why.
type inUse struct {
	change *plan.Change
	diag   diag.Diagnostic
}

// letGo says how a user stops using a resource.
func letGo(b *Draft, u resource.User) string {
	if p := value.ParsePath(u.Use.Field).Generic(); !u.Type.Updatable || u.Type.Immutable(p) || u.Type.IsIdentity(p) {
		return fmt.Sprintf("remove the %s first, or let this plan have it too (with filters: --isolate-refs names both)", u.Type.Words)
	}
	if u.Type.Fixed && u.Type.Parent != nil { // it is there and not declared
		of := u.Type.Parent.Words
		if u.Root != nil && u.Type.Parent == u.Type.Top() {
			of = u.Type.Parent.Describe(u.Root)
		}
		if u.Type.SetField != "" && isExternal(b, u) {
			return fmt.Sprintf("take it out of the %s of the %s in Konnect first", u.Type.SetField, of)
		}
		return fmt.Sprintf("declare %s of the %s without it", u.Type.Key, of)
	}
	return fmt.Sprintf("change its %s first", u.Use.Field)
}

// hinder notes a user that this plan does not change.
func hinder(b *Draft, u used) {
	pos := value.Pos{}
	for _, r := range []*resource.Resource{u.r, declaration(b, u.by)} {
		if r != nil && pos == (value.Pos{}) {
			pos = r.Pos
		}
	}
	if pos == (value.Pos{}) {
		pos = listAt(b, u.by)
	}
	b.inUse = append(b.inUse, inUse{u.by, diag.New(diag.LiveInUse, pos,
		fmt.Sprintf("This plan %s the %s, but the %s%s uses it and is not part of this plan.", deletes(u.by), described(b, u.object.Type, u.object.Object, u.object.Ancestors), plan.UserName(u.user), plan.Owner(u.user)),
		fmt.Sprintf("%s, or keep the %s.", letGo(b, u.user), described(b, u.object.Type, u.object.Object, u.object.Ancestors)))})
}

// stillUses notes a declared resource that still uses what the plan deletes.
func stillUses(b *Draft, u used) {
	field := value.ParsePath(u.user.Use.Field)
	if u.r.Fields.Lookup(field).IsAbsent() && u.r.Type.Immutable(field.Generic()) {
		b.inUse = append(b.inUse, inUse{u.by, diag.New(diag.LiveInUse, u.r.Pos,
			fmt.Sprintf("This plan %s the %s, but the %s uses it in %s, which keeps its value: only a new resource can have another one.", deletes(u.by), described(b, u.object.Type, u.object.Object, u.object.Ancestors), u.r.Describe(), u.user.Use.Field),
			fmt.Sprintf("write %s: null, which replaces the %s, or declare the %s.", u.user.Use.Field, u.r.Describe(), described(b, u.object.Type, u.object.Object, u.object.Ancestors)))})
		return
	}
	b.inUse = append(b.inUse, inUse{u.by, diag.New(diag.LiveInUse, u.r.Fields.Nearest(value.ParsePath(u.user.Use.Field)),
		fmt.Sprintf("This plan %s the %s, but the %s uses it in %s.", deletes(u.by), described(b, u.object.Type, u.object.Object, u.object.Ancestors), u.r.Describe(), u.user.Use.Field),
		fmt.Sprintf("remove it from %s, or declare the %s.", u.user.Use.Field, u.object.Type.Words))})
}

func deletes(c *plan.Change) string {
	if c.Replace {
		return "replaces"
	}
	return "deletes"
}

// declaration is the declared resource that a change is about, nil where there
// is no such object.
func declaration(b *Draft, c *plan.Change) *resource.Resource {
	for r, own := range b.goes {
		if own == c && r.Ref == c.ResourceRef {
			return r
		}
	}
	for r := range b.replaced {
		if r.Type.Kind == c.ResourceType && r.Ref == c.ResourceRef {
			return r
		}
	}
	return nil
}

// reportInUse reports the deletes that Konnect would refuse, unless a guard did.
func reportInUse(b *Draft) {
	for _, x := range b.inUse {
		if slices.Contains(b.Plan.Changes, x.change) {
			b.diags = append(b.diags, x.diag)
		}
	}
}
