package language

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// ownKeys are the keys of a resource that are not fields of the contract.
func ownKeys(c checker) []string {
	t := catalog.Of(c.r)
	keys := slices.AppendSeq([]string{keyRef, keyMeta}, maps.Keys(catalog.Groups(t)))
	if t.Shape != catalog.Singleton {
		keys = append(keys, keyExternal)
	}
	keys = append(keys, extensions(c.opts.Extensions).keys(t)...)
	if t.MapKey != "" {
		keys = append(keys, t.MapKey)
	}
	if t.Tree != nil {
		keys = append(keys, t.Tree.Children)
	}
	for _, r := range t.References {
		if short := t.ShortName(r.Field); !slices.Contains(keys, short) && short != r.Field {
			keys = append(keys, short)
		}
	}
	for _, child := range t.Children {
		if !child.ReadOnly {
			keys = append(keys, child.Key)
		}
	}
	for _, s := range c.cat.Sides(t) {
		keys = append(keys, s.Key)
	}
	for _, l := range catalog.LoadedKeys(t) {
		if !l.Ignored {
			keys = append(keys, l.Field)
		}
	}
	return keys
}

// coreKeys are the lists of what decK writes below a resource. They are many,
// so they are proposed and not listed.
func coreKeys(c checker) []string {
	var keys []string
	for _, child := range catalog.Of(c.r).Children {
		if child.Writer != "" {
			keys = append(keys, child.Key)
		}
	}
	return keys
}
