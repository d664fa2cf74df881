package catalog

// OrderField is the field of a type that holds the order of others, "" where it
// holds none.
func OrderField(b *Bound) string {
	for _, r := range b.References {
		if b.Orders != "" && r.Kind == b.Orders {
			return r.Field
		}
	}
	return ""
}

// OrderOf is the type that holds the order of resources of a type, or nil.
func OrderOf(b *Bound) *Bound {
	if b.Parent == nil {
		return nil
	}
	for _, c := range b.Parent.Children {
		if c.Orders == b.Kind {
			return c
		}
	}
	return nil
}

// Beneath is the field by which resources of an ordered type lie below each other,
// "" where none does.
func Beneath(b *Bound) string {
	for _, r := range b.References {
		if r.Kind == b.Kind {
			return r.Field
		}
	}
	return ""
}
