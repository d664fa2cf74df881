package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// prune deletes what is in scope and not declared: roots that carry the label
// of a named namespace, and children of declared parents. What nests below a
// deleted resource goes with it.
func prune(b *Draft) {
	if b.Prune == resource.PruneNone {
		return
	}
	for _, t := range b.Types.All() {
		if t.Parent == nil && t.Owned {
			pruneRoots(b, t)
		}
	}
	keptByName(b)
	var all []pruned
	for _, r := range b.Set.Resources {
		o := b.object(r)
		if o == nil {
			continue
		}
		ancestors := append(b.KnownAncestors(r), o.ID)
		for _, t := range r.Type.Children {
			if resource.Prunes(t, r, b.Prune) {
				all = append(all, pruneChildren(b, t, r, ancestors)...)
			}
		}
	}
	removeChildren(b, keepNamed(b, all))
}

// keptByName tells of what would be deleted because it is not declared, but for a name of
// it in a field: what is named there must exist.
func keptByName(b *Draft) {
	said, declared := map[*resource.Resource]bool{}, map[string]bool{}
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); r.External == nil && o != nil {
			declared[ObjectKey(r.Type, o.ID, b.KnownAncestors(r))] = true // by its id, too
		}
	}
	for _, r := range b.Set.Resources {
		for _, x := range r.After {
			if x.External == nil || !x.External.Named || said[x] || x.Parent == nil || b.object(x.Parent) == nil || !resource.Prunes(x.Type, x.Parent, b.Prune) {
				continue
			}
			said[x] = true
			if o := b.object(x); o != nil && !o.System && !declared[ObjectKey(x.Type, o.ID, b.KnownAncestors(x))] {
				b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("the %s is not declared and stays, because the %s names it", x.Type.Describe(o), r.Describe())})
			}
		}
	}
}

func pruneRoots(b *Draft, t *resource.Type) {
	objects, read := b.Snapshot.Undeclared(t, nil)
	if !read {
		return
	}
	unread, unmentioned := unreadUsers(b, t), map[string][]*resource.Object{}
	for _, o := range byName(t, objects) {
		ns := o.Owner.Namespace
		if !slices.Contains(b.Set.Namespaces, ns) || !resource.PrunesRoots(t, ns, b.Set, b.Prune) || o.System || o.Lacks != "" || isSpared(b, t, o, nil) {
			continue
		}
		if unread != "" {
			stays(b, described(b, t, o, nil), unread)
			continue
		}
		if empties(b, t, ns) && !o.Owner.Protected {
			unmentioned[ns] = append(unmentioned[ns], o)
			continue
		}
		remove(b, t, o, nil, nil)
	}
	refuseEmptying(b, t, unmentioned)
}

// pruneChildren are the children of a type that are in scope and not declared.
func pruneChildren(b *Draft, t *resource.Type, parent *resource.Resource, ancestors []string) []pruned {
	objects, read := b.Snapshot.Undeclared(t, ancestors)
	if !read {
		return nil
	}
	var out []pruned
	spared := b.selection.SparedOf(t, parent, objects)
	unread := unreadUsers(b, t)
	share, isShare := resource.PrunesShare(t, parent, b.Prune)
	for _, o := range byName(t, objects) {
		if isShare && !share.Holds(o, b.object) {
			continue // nothing was written of the share that it belongs to
		}
		if spared[o] {
			mayBeIgnored(b, t, o, parent)
			continue
		}
		if o.System || o.Lacks != "" || isSpared(b, t, o, parent) {
			continue
		}
		if unread != "" {
			stays(b, described(b, t, o, ancestors), unread)
			continue
		}
		out = append(out, pruned{resource.Part{Type: t, Ancestors: ancestors, Object: o}, parent})
	}
	return out
}

// removeChildren deletes children, those that nest in others before them.
func removeChildren(b *Draft, all []pruned) {
	for _, x := range all {
		c := remove(b, x.Type, x.Object, x.Ancestors, nil)
		c.Namespace = x.parent.Namespace
		c.Parent.Ref, c.Parent.RootProtected = x.parent.Ref, b.protected(x.parent.Root())
	}
	for _, x := range all {
		above, nests := x.Object.Fields[x.Type.Nest].(string)
		if c := b.Deletes[ObjectKey(x.Type, above, x.Ancestors)]; nests && c != nil {
			b.Need(c, b.Deletes[x.key()])
		}
	}
}

func byName(t *resource.Type, objects []*resource.Object) []*resource.Object {
	out := slices.Clone(objects)
	slices.SortStableFunc(out, func(x, y *resource.Object) int {
		a, b := t.Name(x)+x.ID, t.Name(y)+y.ID
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		default:
			return 0
		}
	})
	return out
}
