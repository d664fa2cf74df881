package language

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// ungroup takes the children out of a group: each may be its only field. What the
// group cannot have is left.
func ungroup(t *catalog.Bound, e value.Entry) (children []value.Entry, left []value.Entry) {
	members := catalog.Groups(t)[e.Key]
	if len(members) > 0 && e.Value.Kind() == value.Null {
		return nil, nil
	}
	if len(members) == 0 || e.Value.Kind() != value.Map {
		return nil, []value.Entry{e}
	}
	rest := e.Value
	for _, in := range e.Value.Entries() {
		i := slices.IndexFunc(members, func(m catalog.Member) bool { return m.Name == in.Key })
		if i < 0 {
			continue
		}
		rest = rest.Without(in.Key)
		v := in.Value
		if v.Kind() != value.Map && v.Kind() != value.Null {
			v = value.MapAt(v.Pos(), value.Entry{Key: members[i].Field, KeyPos: in.KeyPos, Value: v})
		}
		children = append(children, value.Entry{Key: members[i].Type.Key, KeyPos: in.KeyPos, Value: v})
	}
	if len(rest.Keys()) > 0 {
		left = []value.Entry{{Key: e.Key, KeyPos: e.KeyPos, Value: rest}}
	}
	return children, left
}
