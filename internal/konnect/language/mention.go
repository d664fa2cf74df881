package language

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// emptyList is an empty list at the root.
type emptyList struct {
	of *catalog.Bound
	// key is how the list was written.
	key string
	// defaults are those of its document.
	defaults meta
	pos      value.Pos
}

// settle finds out which types are mentioned in which namespaces. An
// empty list applies to the namespace of its document, else to those that the
// configuration names, else to the default one. Externals belong to no
// namespace, so they mention nothing.
func (b *scopes) settle() {
	b.set.Mentioned, b.set.EmptyAt = map[resource.Mention]bool{}, map[resource.Mention]value.Pos{}
	for _, r := range b.set.Resources {
		if catalog.Of(r).Parent == nil && r.External == nil {
			b.mention(catalog.Of(r).Kind, r.Namespace, r.Prune)
			b.set.Claim(resource.Mention{Namespace: r.Namespace}, r.Prune)
		}
	}
	for _, m := range b.ownDefaults {
		if m.namespace != "" {
			b.set.Claim(resource.Mention{Namespace: m.namespace}, m.prune)
		}
	}
	b.listed()
	named := slices.Sorted(maps.Keys(b.spaces))
	for _, l := range b.empty {
		spaces := named
		switch {
		case l.of.Parent != nil:
			b.writeEmpty(l)
			continue
		case l.defaults.hasNamespace && l.defaults.namespace == "":
			continue // reported
		case l.defaults.hasNamespace:
			spaces = []string{l.defaults.namespace}
		case len(named) == 0:
			spaces = []string{resource.DefaultNamespace}
			b.name(resource.DefaultNamespace, l.pos)
			b.set.Claim(resource.Mention{Namespace: resource.DefaultNamespace}, l.defaults.prune)
			b.requireNamed(l)
		}
		for _, ns := range spaces {
			b.mention(l.of.Kind, ns, l.defaults.prune)
			b.set.EmptyAt[resource.Mention{Kind: l.of.Kind, Namespace: ns}] = l.pos
		}
	}
	b.set.Namespaces = slices.Sorted(maps.Keys(b.spaces))
}

// null notes a collection that has no value.
func (b *scopes) null(t *catalog.Bound, key string, at value.Pos) {
	if _, known := b.set.Null[t.Kind]; !known {
		b.set.Null[t.Kind] = resource.NullKey{Key: key, Pos: at}
	}
}

// mention notes that a document which prunes in some way says something of a root type.
func (b *scopes) mention(kind, namespace, prune string) {
	m := resource.Mention{Kind: kind, Namespace: namespace}
	b.set.Mentioned[m] = true
	b.set.Claim(m, prune)
}

// writeEmpty notes that there is nothing of a child type below the declared parents
// that an empty list at the root applies to: those in the namespace of its document,
// else all. It names no namespace, because it says nothing of roots.
func (b *scopes) writeEmpty(l emptyList) {
	for _, r := range b.set.Resources {
		if catalog.Of(r) == l.of.Parent && l.appliesTo(r) {
			r.Written[l.of.Key] = true
		}
	}
}

// appliesTo reports whether an empty list is about what a declared resource has.
// What stands for an id or a lookup is not declared.
func (l emptyList) appliesTo(r *resource.Resource) bool {
	if r.External != nil && r.External.Unnamed {
		return false
	}
	return !l.defaults.hasNamespace || r.Namespace == l.defaults.namespace && l.defaults.namespace != ""
}

// listed notes of which types the lists at the root name parents, by the namespaces
// of those.
func (b *scopes) listed() {
	b.set.Listed = map[resource.Mention]bool{}
	for _, r := range b.set.Resources {
		if r.Parent != nil && r.Parent.External == nil && !r.ParentRef.IsAbsent() {
			b.set.Listed[resource.Mention{Kind: r.Type.Kind, Namespace: r.Namespace}] = true
		}
	}
}

// name notes that the configuration names a namespace without a resource in it.
func (b *scopes) name(namespace string, at value.Pos) {
	b.spaces[namespace] = true
	if _, known := b.namedAt[namespace]; !known {
		b.namedAt[namespace] = at
	}
}

func (b *scopes) requireNamed(l emptyList) {
	if b.opts.RequireAnyNamespace {
		b.diags.Add(diag.CfgNamespaceNeed, l.pos, fmt.Sprintf("The empty list %s names no namespace, and --require-any-namespace asks for one.", l.key), "add _defaults: {kongctl: {namespace: my-team}} to the file.")
	}
}

// requireScope is the guard of --require-namespace over the namespaces that have
// no resource: a sync deletes in them, too.
func (b *scopes) requireScope() {
	if len(b.opts.RequireNamespaces) == 0 {
		return
	}
	for _, ns := range b.set.Namespaces {
		used := slices.ContainsFunc(b.set.Resources, func(r *resource.Resource) bool {
			return catalog.Of(r).Parent == nil && r.External == nil && r.Namespace == ns
		})
		if used || slices.Contains(b.opts.RequireNamespaces, ns) {
			continue
		}
		b.diags.Add(diag.CfgNamespaceNeed, b.namedAt[ns], fmt.Sprintf("The configuration names the namespace %s, and --require-namespace allows %s.", ns, diag.Join(b.opts.RequireNamespaces, "and")),
			fmt.Sprintf("write _defaults: {kongctl: {namespace: %s}}, or leave the file out of this run.", b.opts.RequireNamespaces[0]))
	}
}
