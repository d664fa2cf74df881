package catalog

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
