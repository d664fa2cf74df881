package catalog

import (
	"slices"
	"strings"
)

// NamedInside is the field of the parent that has the names of its items, one of which
// a field of the type holds; "" where it holds none.
func (b *Bound) NamedInside(path []string) string {
	for _, n := range b.Namings {
		if n.Inside != "" && slices.Contains(n.Fields, strings.Join(path, ".")) {
			return n.Inside
		}
	}
	return ""
}

// Distinct are the fields in the items of lists of a type that tell the items apart,
// because its children name an item by them.
func Distinct(b *Bound) []string {
	var out []string
	for _, child := range b.Children {
		for _, n := range child.Namings {
			if n.Inside != "" {
				out = append(out, n.Inside)
			}
		}
	}
	return out
}

// Cut is a field in the items of a list, as the list and the field in each item.
func Cut(inside string) (list, name string, ok bool) {
	i := strings.LastIndex(inside, ".")
	if i < 0 {
		return "", "", false
	}
	return inside[:i], inside[i+1:], true
}
