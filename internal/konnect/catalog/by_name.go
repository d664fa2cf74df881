package catalog

import "slices"

// ByName finds the reference that a field can stand for that holds the name of
// another resource: destination.name, where destination.id is a reference and the
// contract takes either.
func ByName(b *Bound, path []string) (Reference, bool) {
	last := len(path) - 1
	if b.write == nil || last < 1 || path[last] != "name" {
		return Reference{}, false
	}
	ref, ok := b.Reference(append(slices.Clone(path[:last]), "id"))
	return ref, ok && hasField(b.write, path)
}
