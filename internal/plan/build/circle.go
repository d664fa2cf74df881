package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// going is an object that is deleted, by a change of its own or with another.
type going struct {
	resource.Part
	r      *resource.Resource // nil where it is not declared
	change *plan.Change
	own    bool // the change is its own
}

// allGoing lists all that a plan deletes.
func allGoing(b *Draft, deletes []*plan.Change) []going {
	var out []going
	seen := map[string]bool{}
	add := func(x resource.Part, c *plan.Change, own bool) {
		if key := ObjectKey(x.Type, x.Object.ID, x.Ancestors); !seen[key] {
			seen[key] = true
			out = append(out, going{x, b.declaredAt[key], c, own})
		}
	}
	for _, c := range deletes {
		for i, x := range removed(b, c) {
			add(x, c, i == 0)
		}
	}
	for _, x := range slices.Clone(out) { // not all below a deleted resource may have been read
		for _, user := range b.Users.Of(x.Type.Kind, x.Object.ID) {
			if c := deletedBy(b, user.Part); c != nil && slices.Contains(deletes, c) {
				add(user.Part, c, false)
			}
		}
	}
	return out
}

// use says that one delete must go before another, and because of what.
type use struct {
	used, user *plan.Change
	because    going
}

// uses lists for the deletes what refers to what, or nests in it, by what exists
// and by what is declared.
func uses(b *Draft, deletes []*plan.Change) []use {
	all := allGoing(b, deletes)
	byID, byPlace, named := map[string]*plan.Change{}, map[string]*plan.Change{}, names{}
	for _, x := range all {
		if x.Type.KeyField == "" { // that has the id of what its key names
			byID[x.Object.ID] = x.change
		}
		byPlace[ObjectKey(x.Type, x.Object.ID, x.Ancestors)] = x.change
		named.add(x.Type, x.Ancestors, x.Object.Fields, x.change)
	}
	var out []use
	for _, x := range all {
		add := func(used *plan.Change) {
			if used != nil && used != x.change {
				out = append(out, use{used, x.change, x})
			}
		}
		for _, id := range x.Type.RefersTo(x.Object.Fields) {
			add(byID[id])
		}
		named.each(x.Type, x.Ancestors, x.Object.Fields, add)
		t, above := x.Type, x.Ancestors
		for t.Parent != nil && len(above) > 0 {
			last := len(above) - 1
			add(byPlace[ObjectKey(t.Parent, above[last], above[:last])])
			t, above = t.Parent, above[:last]
		}
		for _, r := range linked(b, x.r) {
			if o := b.Snapshot.Object(r); o != nil {
				add(byPlace[ObjectKey(r.Type, o.ID, b.KnownAncestors(r))])
			}
		}
	}
	return out
}

// linked lists what a declared resource refers to, follows, or nests in.
func linked(b *Draft, r *resource.Resource) []*resource.Resource {
	if r == nil {
		return nil
	}
	out := slices.Clone(b.Links.After(r))
	for _, link := range b.Links.From(r) {
		out = append(out, link.Target)
	}
	if r.Above != nil {
		out = append(out, r.Above)
	}
	return out
}

// breakCircles lets parts go by themselves, before all else, where resources use
// each other by their parts: else Konnect would refuse whichever goes first.
func breakCircles(b *Draft, deletes []*plan.Change) []*plan.Change {
	users := map[*plan.Change][]*plan.Change{}
	uses := uses(b, deletes)
	for _, u := range uses {
		if !slices.Contains(users[u.used], u.user) {
			users[u.used] = append(users[u.used], u.user)
		}
	}
	for _, u := range uses {
		x := u.because
		key := ObjectKey(x.Type, x.Object.ID, x.Ancestors)
		if x.own || x.Type.ReadOnly || x.Object.System || b.Deletes[key] != nil || b.staying(u.user) || b.staying(u.used) || !Reaches(users, u.user, u.used) {
			continue
		}
		c := remove(b, x.Type, x.Object, x.Ancestors, nil)
		c.Namespace, c.With = u.user.Namespace, u.user
		nameParent(b, c)
		if x.r != nil {
			declare(b, c, x.r)
		}
		deletes = append(deletes, c)
	}
	return deletes
}
