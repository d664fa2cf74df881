package language

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
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

// inGroup reports what a group of children cannot have, and whether an entry is one.
func inGroup(c checker, e value.Entry) bool {
	members := catalog.Groups(catalog.Of(c.r))[e.Key]
	if len(members) == 0 {
		return false
	}
	var names []string
	for _, m := range members {
		names = append(names, m.Name)
	}
	group := value.Path{e.Key}
	if e.Value.Kind() != value.Map {
		c.add(diag.CfgWrongShape, group, fmt.Sprintf("%s must be a mapping and is %s.", e.Key, shape(e.Value)), fmt.Sprintf("write %s below %s:.", diag.Join(names, "or"), e.Key))
		return true
	}
	c.reported[group.String()] = true
	for _, in := range e.Value.Entries() {
		fix := fmt.Sprintf("use %s.", diag.Join(names, "or"))
		if meant := nearKey(in.Key, names); meant != "" {
			fix = fmt.Sprintf("did you mean %s?", meant)
		}
		c.addKey(diag.CfgUnknownKey, group.Child(in.Key), fmt.Sprintf("There is no field %q in %s of %s.", in.Key, e.Key, c.kind()), fix+described(c, group))
	}
	return true
}
