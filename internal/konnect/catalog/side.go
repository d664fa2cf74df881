package catalog

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
)

// Side is a key of a resource under which people may write what refers to it and
// belongs to another resource of the same owner: groups of a team, which are mappings
// of an identity provider.
type Side struct {
	Key  string // of the resource
	Type *Bound // what is written there
	// Items of the key have a List of values; each is a resource with that value in
	// Item, and with a reference to the resource that has the key in Field.
	List, Item, Field string
}

// Sides are the keys of a type under which others may be written: its name is left
// out of the key that they have below their parent, team_group_mappings.
func (c *Catalog) Sides(b *Bound) []Side {
	var out []Side
	for _, t := range c.all {
		if t.Shape != Membership || len(t.Identity) != 2 || t.Parent == nil || t.Parent == b || t.Parent.Parent != b.Parent {
			continue
		}
		for _, ref := range t.References {
			key, ok := strings.CutPrefix(t.Key, t.ShortName(ref.Field)+"_")
			if ref.Kind != b.Kind || !ok || b.Child(key) != nil || b.write.At([]string{key}, nil) != nil {
				continue
			}
			item := t.Identity[0]
			if item == ref.Field {
				item = t.Identity[1]
			}
			out = append(out, Side{Key: key, Type: t, List: plural(item), Item: item, Field: ref.Field})
		}
	}
	return out
}

// Flat is a list at the root whose items say what stands under a key of another
// resource: portal_team_group_mappings.
type Flat struct {
	Side Side
	// Type is that of the items: children of the resource that has the key. No
	// operation is about them, and the catalog does not list it.
	Type *Bound
}

// FlatSides are the lists at the root that hold what may stand under keys of others.
func (c *Catalog) FlatSides() map[string]Flat {
	out := map[string]Flat{}
	for _, b := range c.all {
		for _, s := range c.Sides(b) {
			key := b.Kind + "_" + s.Key
			t := &Bound{Type: &Type{Kind: Singular(key), Key: s.Key, ChildOf: b.Type}, Parent: b, write: &contract.Schema{}}
			t.neutral = &resource.Type{Kind: t.Kind, Words: Words(t.Kind), Key: s.Key, Root: key, Parent: b.neutral, Behaviour: behaviour{t}}
			out[key] = Flat{Side: s, Type: t}
		}
	}
	return out
}
