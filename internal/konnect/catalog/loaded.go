package catalog

import "slices"

// LoadedKeys are the keys of a type that the contract does not have.
func LoadedKeys(b *Bound) []Loaded {
	return slices.DeleteFunc(slices.Clone(b.Loads), func(l Loaded) bool { return len(l.From) > 0 || l.Free })
}
