package catalog

import "strings"

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
