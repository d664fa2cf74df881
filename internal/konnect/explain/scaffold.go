package explain

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// ScaffoldAt is a document to fill in for what a path leads to: a type, or a field or
// another key in a resource that has nothing else but what it needs. It reports whether
// people write that.
func (x *Explainer) ScaffoldAt(f *Found) (string, bool) {
	if f.Field == nil && f.Key == nil {
		return x.Scaffold(f.Type), true
	}
	if f.readOnly || f.Type.Class == External {
		return "", false
	}
	path := slices.Clone(f.Path)
	if last := len(path) - 1; f.Field != nil && f.Field.Short != "" {
		path[last] = f.Field.Short
	}
	m := x.maker(f.Type, true)
	own := m.sampled(&sampler{m: m, t: f.Type, whole: true, wanted: f.Path})
	if !own.holds(path) {
		if e := m.key(f.Type, path[0]); e.val != nil {
			own = append(own, e)
		}
	}
	if !own.holds(path) {
		return "", false
	}
	return m.document(f.Type.bound, own), true
}

// holds reports whether a path leads to an entry, through mappings and the items of
// lists.
func (b block) holds(p value.Path) bool {
	i := slices.IndexFunc(b, func(e entry) bool { return !e.off && e.key == p[0] })
	if i < 0 || len(p) == 1 {
		return i >= 0
	}
	switch v := b[i].val.(type) {
	case block:
		return v.holds(p[1:])
	case items:
		return slices.ContainsFunc(v, func(item block) bool { return item.holds(p[1:]) })
	default:
		return false
	}
}

// key writes a key of the language that is a mapping: a group of children, each as its
// one field, or what all resources may say of themselves.
func (m *maker) key(t *Type, name string) entry {
	members := catalog.Groups(t.bound)[name]
	if len(members) == 0 {
		if found, _ := m.x.inKey(t, []string{name}); found != nil && found.Key["properties"] != nil {
			return entry{key: name, val: keyValue(name, found.Key)}
		}
		return entry{}
	}
	var out block
	for _, x := range members {
		for _, e := range m.resource(m.x.Type(x.Type), false) {
			if e.key == x.Field {
				out = append(out, entry{key: x.Name, val: e.val})
			}
		}
	}
	return entry{key: name, val: out}
}

// keyValue is a value that the schema of a key takes.
func keyValue(name string, schema map[string]any) any {
	properties, isMap := schema["properties"].(map[string]any)
	switch {
	case isMap:
		var out block
		for _, k := range slices.Sorted(maps.Keys(properties)) {
			below, _ := properties[k].(map[string]any)
			out = append(out, entry{key: k, val: keyValue(k, below)})
		}
		return out
	case takes(schema, "boolean"):
		return false
	default:
		return refOf(name)
	}
}

// takes reports whether a schema takes values of a type, among others.
func takes(schema map[string]any, name string) bool {
	list, _ := schema["type"].([]any)
	return schema["type"] == name || slices.Contains(list, any(name))
}
