package build

import (
	"slices"
	"sort"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// deleteDeclared deletes what is declared and exists. What belongs to a deleted
// resource goes with it, also when it is isolated. What is ignored stays, and so
// does what it belongs to and what it uses.
func deleteDeclared(b *Draft) {
	b.goes = map[*resource.Resource]*plan.Change{}
	kept := map[*resource.Resource]bool{} // with what belongs to them
	for _, r := range b.Links.Sorted() {
		if r.Parent != nil && b.goes[r.Parent] != nil {
			b.goes[r] = b.goes[r.Parent]
			continue
		}
		if b.broken[r] != nil || b.selection.LeftOut(r) {
			continue
		}
		if kept[r.Parent] {
			kept[r] = true
		}
		if !deletable(b, r) {
			if !kept[r] {
				tellLasting(b, r)
			}
			continue
		}
		if why := holdsItems(b, r); why != "" {
			tell(b, r, []string{"it is not deleted: " + why})
			kept[r] = true
			continue
		}
		if because := b.selection.Stays(r); because != "" {
			keep(b, r.Describe(), because)
			kept[r] = true
			continue
		}
		if unread := unreadUsers(b, r.Type); unread != "" {
			stays(b, r.Describe(), unread)
			kept[r] = true
			continue
		}
		b.goes[r] = deleteOne(b, r)
	}
	deleteAttached(b)
	tellStillNamed(b)
}

// deletable tells whether there is something that may be deleted: what Konnect
// makes by itself and what can only be changed is not.
func deletable(b *Draft, r *resource.Resource) bool {
	o := b.Snapshot.Object(r)
	return o != nil && r.External == nil && !r.Type.ReadOnly && !r.Type.Fixed && !o.System
}

func deleteOne(b *Draft, r *resource.Resource) *plan.Change {
	c := remove(b, r.Type, b.Snapshot.Object(r), b.KnownAncestors(r), nil)
	declare(b, c, r)
	return c
}

// declare names a delete as the configuration does.
func declare(b *Draft, c *plan.Change, r *resource.Resource) {
	c.ResourceRef, c.ResourceName, c.Namespace = r.Ref, b.names.Current(r, b.Snapshot.Object(r)), r.Namespace
	c.Protection = b.protected(r)
	c.Source = &plan.Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column}
	if c.Parent != nil {
		c.Parent.Ref, c.Parent.Lookup, c.Parent.RootProtected = r.Parent.Ref, plan.Named(r.Parent.Name), b.protected(r.Root())
	}
	b.record(c, r.Type, b.Snapshot.Object(r), b.resolve(r))
}

// orderDeletes lets users go before what they use, by what is declared and by
// what exists. Where users use each other, some order is taken.
func orderDeletes(b *Draft) {
	var deletes []*plan.Change
	for _, c := range b.Plan.Changes {
		if c.Action == plan.Delete && !c.Replace {
			deletes = append(deletes, c)
		}
	}
	deletes = breakCircles(b, deletes)
	users := map[*plan.Change][]*plan.Change{}
	for _, u := range uses(b, deletes) {
		if !slices.Contains(users[u.used], u.user) {
			users[u.used] = append(users[u.used], u.user)
		}
	}
	var kinds []string // users first
	for _, group := range kindGraph(b.Types).Groups() {
		kinds = append(group, kinds...)
	}
	starts := slices.Clone(deletes)
	sort.SliceStable(starts, func(i, j int) bool {
		return slices.Index(kinds, rootKind(b, starts[i])) < slices.Index(kinds, rootKind(b, starts[j]))
	})
	place := places(starts, users)
	for _, c := range deletes {
		for _, user := range users[c] {
			if b.staying(user) || place[user] < place[c] && !b.staying(c) {
				b.Need(c, user)
			}
		}
	}
}

// places numbers the changes so that users come first. A circle is cut where it
// closes.
func places(changes []*plan.Change, users map[*plan.Change][]*plan.Change) map[*plan.Change]int {
	place, seen := map[*plan.Change]int{}, map[*plan.Change]bool{}
	var visit func(*plan.Change)
	visit = func(c *plan.Change) {
		if seen[c] {
			return
		}
		seen[c] = true
		for _, user := range users[c] {
			visit(user)
		}
		place[c] = len(place)
	}
	for _, c := range changes {
		visit(c)
	}
	return place
}

func rootKind(b *Draft, c *plan.Change) string {
	t := b.Types.Kind(c.ResourceType)
	for t.Parent != nil {
		t = t.Parent
	}
	return t.Kind
}
