package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// tellUnnamed names what no declaration leads to, because it lacks a field of its
// identity, and stays: roots of declared types, and what is in the scope of a sync.
func tellUnnamed(b *Draft) {
	for _, t := range b.Types.All() {
		if t.Parent == nil && (len(b.Set.Of(t)) > 0 || b.Mode.Prunes() && t.Owned) {
			tellUnnamedOf(b, t, nil, len(b.Set.Of(t)) == 0)
		}
	}
	said := map[string]bool{}
	for _, r := range b.Set.Resources {
		o := b.object(r)
		if o == nil {
			continue
		}
		ancestors := append(b.KnownAncestors(r), o.ID)
		for _, t := range r.Type.Children {
			key := ObjectKey(t, "", ancestors)
			if !said[key] && (len(b.Set.ChildrenOf(r, t)) > 0 || b.Mode.Prunes() && resource.Prunes(t, r, b.Prune)) {
				said[key] = true
				tellUnnamedOf(b, t, ancestors, false)
			}
		}
	}
}

// tellUnnamedOf names those of one list; managed asks for those alone that a
// namespace of the configuration manages.
func tellUnnamedOf(b *Draft, t *resource.Type, ancestors []string, managed bool) {
	objects, _ := b.Snapshot.Undeclared(t, ancestors)
	for _, o := range byName(t, objects) {
		if o.Lacks == "" || o.System || managed && !slices.Contains(b.Set.Namespaces, o.Owner.Namespace) {
			continue
		}
		b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{ResourceType: t.Kind, ResourceRef: liveRef(b, t, o, ancestors), Message: fmt.Sprintf(
			"the %s with id %q has no %s, by which configurations name it: it cannot be managed and stays as it is. Set its %s in Konnect to manage it.", t.Words, o.ID, o.Lacks, o.Lacks)})
	}
}
