package plan

import (
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
)

// prune deletes what is in scope and not declared: roots that carry the label
// of a named namespace, and children of declared parents. What nests below a
// deleted resource goes with it.
func (b *builder) prune() {
	if b.Prune == live.PruneNone {
		return
	}
	for _, t := range b.Catalog.All() {
		if t.Parent == nil && t.HasLabels() {
			b.pruneRoots(t)
		}
	}
	for _, r := range b.Set.Resources {
		o := b.object(r)
		if o == nil {
			continue
		}
		ancestors := append(b.knownAncestors(r), o.ID)
		for _, t := range catalog.Of(r).Children {
			if live.Prunes(t, r, b.Prune) {
				b.pruneChildren(t, r, ancestors)
			}
		}
	}
}

func (b *builder) pruneRoots(t *catalog.Bound) {
	objects, read := b.Snapshot.Undeclared(t, nil)
	if !read {
		return
	}
	unread, unmentioned := b.unreadUsers(t), map[string][]*resource.Object{}
	for _, o := range byName(t, objects) {
		ns := remote.Labels(o)[label.Namespace]
		if !slices.Contains(b.Set.Namespaces, ns) || !live.PrunesRoots(t, ns, b.Set, b.Prune) || isSystem(t, o) || b.spared(t, o, nil) {
			continue
		}
		if unread != "" {
			b.stays(describe(t, o), unread)
			continue
		}
		if b.empties(t, ns) && !label.Protects(remote.Labels(o)) {
			unmentioned[ns] = append(unmentioned[ns], o)
			continue
		}
		b.delete(t, o, nil, nil)
	}
	b.refuseEmptying(t, unmentioned)
}

func (b *builder) pruneChildren(t *catalog.Bound, parent *resource.Resource, ancestors []string) {
	objects, read := b.Snapshot.Undeclared(t, ancestors)
	if !read {
		return
	}
	spared := b.selection.sparedOf(t, parent, objects)
	made := map[string]*Change{}
	unread := b.unreadUsers(t)
	for _, o := range byName(t, objects) {
		if spared[o] {
			b.mayBeIgnored(t, o, parent)
			continue
		}
		if isSystem(t, o) || b.spared(t, o, parent) {
			continue
		}
		if unread != "" {
			b.stays(describe(t, o), unread)
			continue
		}
		c := b.delete(t, o, ancestors, nil)
		c.Namespace = parent.Namespace
		c.Parent.Ref, c.Parent.RootProtected = parent.Ref, b.protected(parent.Root())
		made[o.ID] = c
	}
	if t.Tree == nil {
		return
	}
	for _, o := range objects {
		if above, ok := o.Fields[t.Tree.Parent].(string); ok && made[above] != nil {
			b.need(made[above], made[o.ID])
		}
	}
}

// isSystem tells of what Konnect made by itself.
func isSystem(t *catalog.Bound, o *resource.Object) bool {
	return t.SystemFlag != "" && o.Fields[t.SystemFlag] == true
}

func byName(t *catalog.Bound, objects []*resource.Object) []*resource.Object {
	out := slices.Clone(objects)
	slices.SortStableFunc(out, func(x, y *resource.Object) int {
		a, b := objectName(t, x)+x.ID, objectName(t, y)+y.ID
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
