package explain

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
)

// keys are what a configuration may say of a resource besides its fields.
func (x *Explainer) keys(b *catalog.Bound) []*Key {
	out := []*Key{{"ref", "name of the resource in this configuration", refSchema()}}
	if !b.ReadOnly {
		out = append(out, meta(b))
	}
	for i, name := range b.ParentKeys() {
		says := fmt.Sprintf("in a list at the root: ref, name or id of the %s", catalog.Words(b.Parent.Kind))
		if i > 0 {
			says = "same as " + b.ParentKeys()[0]
		}
		if !slices.ContainsFunc(out, func(k *Key) bool { return k.Name == name }) {
			out = append(out, &Key{name, says, aboveSchema(b.Parent.Kind)})
		}
	}
	if b.Tree != nil {
		out = append(out, &Key{b.Tree.Children, fmt.Sprintf("%s below this one", catalog.Words(b.Root())), listOf(b)})
	}
	for _, e := range x.extensions {
		if e.Fits(b.Neutral()) {
			out = append(out, &Key{e.Key, e.Says, e.Schema})
		}
	}
	if catalog.Nameable(b) {
		says := fmt.Sprintf("names one that exists, as %s %s where nothing else is declared: only what belongs to it is managed", diag.Join(b.Identity, "and"), does(len(b.Identity)))
		out = append(out, &Key{keyID, says, map[string]any{"type": "string"}})
	}
	if b.Shape != catalog.Singleton {
		out = append(out, &Key{keyExternal, "the resource exists and others own it: its id, or a selector that finds it", x.externalSchema(b)})
	}
	return out
}

// does is the verb of one, or of several.
func does(n int) string {
	if n == 1 {
		return "does"
	}
	return "do"
}

const (
	keyExternal = "_external"
	keyMeta     = "kongctl"
	keyID       = "id"
)

func meta(b *catalog.Bound) *Key {
	switch {
	case b.Parent != nil:
		return &Key{keyMeta, "protected: true refuses its deletion and replacement, only while it is declared: kongctl puts no labels on children", metaSchema(false)}
	case b.HasLabels():
		return &Key{keyMeta, fmt.Sprintf("namespace (default %q) and protected: true, which refuses its deletion and replacement", resource.DefaultNamespace), metaSchema(true)}
	default:
		return &Key{keyMeta, "protected: true refuses its deletion and replacement, only while it is declared: kongctl puts no labels on resources of this type, and they belong to no namespace", metaSchema(true)}
	}
}

// parentWords is the parent of a type with its article.
func parentWords(kind string) string { return diag.A(catalog.Words(kind)) }
