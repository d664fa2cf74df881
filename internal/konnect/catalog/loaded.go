package catalog

import "slices"

// LoadedKeys are the keys of a type that the contract does not have.
func LoadedKeys(b *Bound) []Loaded {
	return slices.DeleteFunc(slices.Clone(b.Loads), func(l Loaded) bool { return len(l.From) > 0 || l.Free || l.By != "" })
}

// MadeBy is the command that makes what a key names; "" for what no command makes.
func MadeBy(b *Bound, key string) string {
	for _, l := range b.Loads {
		if l.Field == key {
			return l.By
		}
	}
	return ""
}
