package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// tellUnlisted names what a declared order does not list, declared or not: leaving
// something out of an order does not delete it.
func tellUnlisted(b *Draft) {
	for _, r := range b.Set.Resources {
		of := b.Types.Kind(r.Type.Orders)
		if r.Type.Orders == "" || of == nil || r.Implied || r.Parent == nil || b.refused[r] || !plannable(b, r) {
			continue
		}
		field := ordersIn(r.Type)
		names := append(unlistedDeclared(b, r, of, field), unlistedLive(b, r, of, field)...)
		if len(names) == 0 {
			continue
		}
		stay, them := "it stays", "it"
		if len(names) > 1 {
			stay, them = "they stay", "them"
		}
		tell(b, r, []string{fmt.Sprintf("%s does not list the %s %s: %s active, after what is listed. List %s to choose the order, or delete %s.", field, of.Words, plan.Few(names), stay, them, them)})
	}
}

// ordersIn is the field of an order that holds the ids.
func ordersIn(t *resource.Type) string {
	for _, ref := range t.References {
		if ref.Kind == t.Orders {
			return ref.Field
		}
	}
	return ""
}

// unlistedDeclared names the declared resources that an order does not list.
func unlistedDeclared(b *Draft, r *resource.Resource, of *resource.Type, field string) []string {
	listed := listedIn(b, r, field)
	var out []string
	for _, x := range b.Set.ChildrenOf(r.Parent, of) {
		if x.External == nil && !b.selection.LeftOut(x) && !slices.ContainsFunc(listed, func(y *resource.Resource) bool { return resource.Same(b.Snapshot, x, y) }) {
			out = append(out, fmt.Sprintf("%q", x.Ref))
		}
	}
	return out
}

// listedIn are the resources that an order lists.
func listedIn(b *Draft, r *resource.Resource, field string) []*resource.Resource {
	var out []*resource.Resource
	for _, e := range b.Links.From(r) {
		if e.Path.Generic().String() == field {
			out = append(out, e.Target)
		}
	}
	return out
}

// Order is what a plan knows of an order besides its declaration.
type Order struct {
	// Written reports that somebody wrote it. Unlisted are then the ids of what exists
	// beside it and stays, declared or not.
	Written  bool
	Unlisted []string
	// Former are the ids that exist of what it lists and the plan creates again, by
	// place; Gone are those of all that the plan creates again.
	Former map[int]string
	Gone   []string
}

// orderOf finds out what a plan knows of the order that a resource holds; nil where it
// holds none.
func orderOf(b *Draft, r *resource.Resource) func(Desired) Order {
	of := b.Types.Kind(r.Type.Orders)
	if r.Type.Orders == "" || of == nil || r.Parent == nil {
		return nil
	}
	return func(desired Desired) Order {
		out := Order{Written: !r.Implied, Former: map[int]string{}}
		for _, x := range b.Set.ChildrenOf(r.Parent, of) {
			if o := b.Snapshot.Object(x); b.replaced[x] && o != nil {
				out.Gone = append(out.Gone, o.ID)
			}
		}
		for _, l := range desired.Links {
			last := len(l.Path) - 1
			i, isItem := value.Place(l.Path[last])
			if isItem && l.Path[:last].String() == ordersIn(r.Type) && b.replaced[l.Target] {
				out.Former[i] = b.Snapshot.Object(l.Target).ID
			}
		}
		if out.Written {
			out.Unlisted = unlistedIDs(b, r, of)
		}
		return out
	}
}

// unlistedIDs are the ids of what exists beside a written order and stays, declared or
// not.
func unlistedIDs(b *Draft, r *resource.Resource, of *resource.Type) []string {
	listed := idsIn(b, r, ordersIn(r.Type))
	out := []string{}
	add := func(o *resource.Object) {
		if o != nil && !slices.Contains(listed, o.ID) {
			out = append(out, o.ID)
		}
	}
	for _, x := range b.Set.ChildrenOf(r.Parent, of) {
		add(b.object(x))
	}
	above := b.object(r.Parent)
	if above == nil || b.Mode.Prunes() && resource.Prunes(of, r.Parent, b.Prune) {
		return out
	}
	objects, _ := b.Snapshot.Undeclared(of, append(b.KnownAncestors(r.Parent), above.ID))
	for _, o := range objects {
		add(o)
	}
	return out
}

// idsIn are the ids of what exists and an order lists.
func idsIn(b *Draft, r *resource.Resource, field string) []string {
	ids := value.TextsAt(r.Fields.Plain(func(value.Path, *value.Expression) any { return nil }), value.ParsePath(field))
	for _, x := range listedIn(b, r, field) {
		if o := b.Snapshot.Object(x); o != nil {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// unlistedLive names what exists beside an order, is not declared, and stays.
func unlistedLive(b *Draft, r *resource.Resource, of *resource.Type, field string) []string {
	above := b.object(r.Parent)
	if above == nil {
		return nil
	}
	ids := idsIn(b, r, field)
	ancestors := append(b.KnownAncestors(r.Parent), above.ID)
	objects, _ := b.Snapshot.Undeclared(of, ancestors)
	var out []string
	for _, o := range byName(of, objects) {
		if !slices.Contains(ids, o.ID) && !b.deletes(of, o.ID, ancestors) {
			out = append(out, fmt.Sprintf("%q", liveRef(b, of, o, ancestors)))
		}
	}
	return out
}
