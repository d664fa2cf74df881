package catalog

// Nameable reports whether a configuration may name a resource of a type that exists
// by its id or identity alone, to manage what belongs to it: a root that carries no
// labels, so that nothing shows who manages it.
func Nameable(b *Bound) bool {
	return !b.ReadOnly && b.Shape != Singleton && b.Parent == nil && !b.HasLabels() && len(b.Children) > 0
}
