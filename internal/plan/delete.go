package plan

import (
	"slices"
	"sort"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/value"
)

// deleteDeclared deletes what is declared and exists. What belongs to a deleted
// resource goes with it, also when it is isolated. What is ignored stays, and so
// does what it belongs to and what it uses.
func (b *builder) deleteDeclared() {
	b.goes = map[*config.Resource]*Change{}
	for _, r := range b.Links.Sorted() {
		if r.Parent != nil && b.goes[r.Parent] != nil {
			b.goes[r] = b.goes[r.Parent]
			continue
		}
		if b.broken[r] != nil || b.selection.leftOut(r) || !b.deletable(r) {
			continue
		}
		if because := b.selection.stays(r); because != "" {
			b.keep(r.Describe(), because)
			continue
		}
		b.goes[r] = b.deleteOne(r)
	}
}

// deletable tells whether there is something that may be deleted: what Konnect
// makes by itself and what can only be changed is not.
func (b *builder) deletable(r *config.Resource) bool {
	o := b.Snapshot.Object(r)
	return o != nil && !r.Type.External && r.Type.Optional() && !isSystem(r.Type, o)
}

func (b *builder) deleteOne(r *config.Resource) *Change {
	c := b.delete(r.Type, b.Snapshot.Object(r), b.knownAncestors(r), nil)
	c.ResourceRef, c.ResourceName, c.Namespace = r.Ref, r.Name, r.Namespace
	c.Protection = b.protected(r.Root())
	c.Source = &Source{File: r.Pos.File, Line: r.Pos.Line, Column: r.Pos.Column}
	if c.Parent != nil {
		c.Parent.Ref = r.Parent.Ref
	}
	b.recordCurrent(c, r.Type, b.Snapshot.Object(r), b.resolve(r))
	return c
}

// orderDeletes lets users go before what they use: by what is declared and by
// what exists, then by what the types allow, because not all that belongs to a
// deleted resource was read. Where users use each other, some order is taken.
func (b *builder) orderDeletes() {
	users := b.users()
	g := kindGraph(b.Catalog)
	var kinds []string // users first
	for _, group := range g.Groups() {
		kinds = append(group, kinds...)
	}
	starts := slices.Clone(b.plan.Changes)
	sort.SliceStable(starts, func(i, j int) bool {
		return slices.Index(kinds, b.rootKind(starts[i])) < slices.Index(kinds, b.rootKind(starts[j]))
	})
	place := places(starts, users)
	for _, c := range b.plan.Changes {
		for _, user := range users[c] {
			if place[user] < place[c] {
				b.need(c, user)
			}
		}
	}
	for _, user := range b.plan.Changes {
		uses := g.Needs(user.ResourceType)
		for _, c := range b.plan.Changes {
			if slices.Contains(uses, c.ResourceType) && place[user] < place[c] && !slices.Contains(users[c], user) {
				b.need(c, user)
			}
		}
	}
}

// places numbers the changes so that users come first. A circle is cut where it
// closes.
func places(changes []*Change, users map[*Change][]*Change) map[*Change]int {
	place, seen := map[*Change]int{}, map[*Change]bool{}
	var visit func(*Change)
	visit = func(c *Change) {
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

func (b *builder) rootKind(c *Change) string {
	t := b.Catalog.Kind(c.ResourceType)
	for t.Parent != nil {
		t = t.Parent
	}
	return t.Kind
}

// users lists for every delete the deletes of what refers to its resource, or
// nests in it.
func (b *builder) users() map[*Change][]*Change {
	out := map[*Change][]*Change{}
	add := func(used, user *Change) {
		if used != nil && user != nil && used != user && !slices.Contains(out[used], user) {
			out[used] = append(out[used], user)
		}
	}
	byID := map[string]*Change{}
	for _, r := range b.Links.Sorted() {
		c := b.goes[r]
		if c == nil {
			continue
		}
		if o := b.Snapshot.Object(r); o != nil && r.Type.Shape != catalog.Map {
			byID[o.ID] = c
		}
		for _, link := range b.Links.From(r) {
			add(b.goes[link.Target], c)
		}
		for _, before := range b.Links.After(r) {
			add(b.goes[before], c)
		}
		if r.Above != nil {
			add(b.goes[r.Above], c)
		}
	}
	for _, r := range b.Links.Sorted() {
		o := b.Snapshot.Object(r)
		if b.goes[r] == nil || o == nil {
			continue
		}
		for _, ref := range r.Type.References {
			v, _ := value.Get(o.Fields, value.ParsePath(ref.Field))
			for _, id := range texts(v) {
				add(byID[id], b.goes[r])
			}
		}
	}
	return out
}
