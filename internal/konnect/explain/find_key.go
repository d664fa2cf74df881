package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// keyAt follows names to a key of the language that is no field of the API: ref,
// kongctl.namespace, or a group of children such as assets. It returns nil where they
// lead to none.
func (x *Explainer) keyAt(t *Type, names []string) *Found {
	if len(names) == 0 {
		return nil
	}
	if members := catalog.Groups(t.bound)[names[0]]; len(names) > 1 && t.Class != External {
		i := slices.IndexFunc(members, func(m catalog.Member) bool { return m.Name == names[1] })
		if i < 0 {
			return x.inKey(t, names)
		}
		found, err := x.Type(members[i].Type).At(names[2:])
		if err != nil {
			return nil
		}
		return found
	}
	return x.inKey(t, names)
}

// inKey follows names into the schema of a key, one of those that the schema of the
// type allows.
func (x *Explainer) inKey(t *Type, names []string) *Found {
	keys, _ := x.Schema(&Found{Type: t})["properties"].(map[string]any)
	schema, ok := keys[names[0]].(map[string]any)
	for _, name := range names[1:] {
		keys, _ = schema["properties"].(map[string]any)
		if schema, ok = keys[name].(map[string]any); !ok {
			return nil
		}
	}
	if !ok {
		return nil
	}
	return &Found{Type: t, Path: names, Key: schema}
}

// schemaOfKey is the schema of a key.
func schemaOfKey(f *Found) map[string]any {
	out := maps.Clone(f.Key)
	out["title"] = f.Type.Kind + "." + strings.Join(f.Path, ".")
	out["x-kongctl-path"] = f.Type.place() + "." + strings.Join(f.Path, ".")
	out["x-kongctl-resource"] = f.Type.Kind
	return out
}

// keyText describes a key, for people.
func keyText(b *strings.Builder, f *Found, columns int) {
	path := strings.Join(f.Path, ".")
	fmt.Fprintf(b, "%s.%s: a key of the configuration\n\n", f.Type.Kind, path)
	facts := []fact{{"resource", f.Type.Kind}, {"written at", f.Type.place() + "." + path}}
	if says, ok := f.Key["description"].(string); ok {
		facts = append(facts, fact{"", says})
	}
	for _, fact := range facts {
		hang(b, fmt.Sprintf("  %-10s  ", fact.name), fact.says, columns)
	}
	members := catalog.Groups(f.Type.bound)[path]
	if len(members) > 0 {
		b.WriteString("\nChild resources\n")
		for _, m := range members {
			hang(b, fmt.Sprintf("  %-22s ", m.Name), fmt.Sprintf("%s (at most one): a mapping, or its %s alone", m.Type.Kind, m.Field), columns)
		}
		return
	}
	if names := f.keyNames(); len(names) > 0 {
		b.WriteString("\nKeys\n")
		writeWords(b, names, "  ", columns)
	}
}

// keyNames are the names that a key holds.
func (f *Found) keyNames() []string {
	properties, _ := f.Key["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// groupNames are the keys under which several children are written at once.
func (t *Type) groupNames() []string {
	if t.Class == External {
		return nil
	}
	return slices.Sorted(maps.Keys(catalog.Groups(t.bound)))
}
