package catalog

// Use is a reference of a type to another one, which a deletion of that one
// meets: it is refused, or deletes the user, too.
type Use struct {
	By *Bound
	Reference
}

// Uses lists the references to a kind that its deletion meets. Those of
// read-only types are left out: they lead to what has the same parent, and go
// with that.
func (c *Catalog) Uses(kind string) []Use { return c.uses[kind] }

func (c *Catalog) findUses() {
	for _, b := range c.all {
		for _, r := range b.References {
			if c.byKind[r.Kind] != nil && !b.ReadOnly && r.OnDelete != Keeps {
				c.uses[r.Kind] = append(c.uses[r.Kind], Use{By: b, Reference: r})
			}
		}
	}
}

// Everywhere reports whether one list gives the type's resources of all
// parents, with the id of each one's parent.
func (b *Bound) Everywhere() bool {
	return b.Parent == nil || b.ListParent != "" && b.Parent.Parent == nil
}

// Top is the root that resources of the type belong to.
func (b *Bound) Top() *Bound {
	for b.Parent != nil {
		b = b.Parent
	}
	return b
}
