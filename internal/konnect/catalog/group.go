package catalog

import (
	"slices"
	"strings"
)

// Member is a child that people may write in a group.
type Member struct {
	// Name is its key in the group.
	Name string
	Type *Bound
	// Field is the field that its value stands for where it is no mapping.
	Field string
}

// Groups are the keys under which people may write several children at once, by
// the beginning that the keys of these have in common: assets has logo and favicon
// for asset_logo and asset_favicon.
func Groups(b *Bound) map[string][]Member {
	out := map[string][]Member{}
	for _, c := range b.Children {
		first, name, ok := strings.Cut(c.Key, "_")
		if !ok || c.Shape != Singleton || c.ReadOnly {
			continue
		}
		if field := onlyField(c); field != "" {
			key := plural(first)
			out[key] = append(out[key], Member{name, c, field})
		}
	}
	for key, members := range out {
		if len(members) < 2 || b.Child(key) != nil || b.write.At([]string{key}, nil) != nil {
			delete(out, key)
		}
	}
	return out
}

// onlyField is the one field that people may write, "" where there are more.
func onlyField(b *Bound) string {
	o := b.write.Object(nil)
	names := slices.DeleteFunc(slices.Clone(o.Names()), func(n string) bool { return o.Field(n).Schema.ReadOnly })
	if len(names) != 1 {
		return ""
	}
	return names[0]
}
