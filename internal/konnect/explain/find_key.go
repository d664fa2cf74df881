package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// keyAt follows names to a key of the language that is no field of the API: ref,
// kongctl.namespace, or a group of children such as assets. It returns nil where they
// lead to none, and what is wrong where they begin with one.
func (x *Explainer) keyAt(t *Type, names []string) (*Found, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if members := catalog.Groups(t.bound)[names[0]]; len(names) > 1 && t.Class != External {
		i := slices.IndexFunc(members, func(m catalog.Member) bool { return m.Name == names[1] })
		if i < 0 {
			return x.inKey(t, names)
		}
		return x.Type(members[i].Type).At(names[2:])
	}
	return x.inKey(t, names)
}

// inKey follows names into the schema of a key, one of those that the schema of the
// type allows.
func (x *Explainer) inKey(t *Type, names []string) (*Found, error) {
	keys, _ := x.Schema(&Found{Type: t})["properties"].(map[string]any)
	schema, ok := keys[names[0]].(map[string]any)
	if !ok {
		return nil, nil
	}
	written := names[0]
	for i, name := range names[1:] {
		if names[i] == keyMatchFields {
			return x.compared(t, names[:i+1], names[i+1:], written)
		}
		inner, list, ok := step(schema, name)
		if !ok {
			if t.Object.Field(names[0]) != nil {
				return nil, nil
			}
			return nil, unknownKey(t.Kind+"."+strings.Join(names[:i+1], "."), schema, name)
		}
		if list {
			written += "[]"
		}
		schema, written = inner, written+"."+name
	}
	return &Found{Type: t, Path: names, Key: schema, written: written}, nil
}

// step is the schema of a name below a schema, in any of its forms, and whether that is
// in the items of a list.
func step(schema map[string]any, name string) (inner map[string]any, list, ok bool) {
	properties, _ := schema["properties"].(map[string]any)
	if found, known := properties[name]; known {
		inner, _ = found.(map[string]any)
		return inner, false, true
	}
	for _, form := range forms(schema) {
		if inner, list, ok = step(form, name); ok {
			return inner, list, ok
		}
	}
	if items, isList := schema["items"].(map[string]any); isList {
		inner, _, ok = step(items, name)
		return inner, true, ok
	}
	other, ok := schema["additionalProperties"].(map[string]any)
	return other, false, ok
}

// forms are the schemas of which one or all hold.
func forms(schema map[string]any) []map[string]any {
	var out []map[string]any
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := schema[word].([]any)
		for _, form := range list {
			if s, ok := form.(map[string]any); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// unknownKey says that a key has no other key of a name in it.
func unknownKey(in string, schema map[string]any, name string) error {
	known := namesOf(schema)
	e := &UnknownError{Message: fmt.Sprintf("%s has no field %q", in, name), Hint: fmt.Sprintf("run kongctl explain %s to see its fields.", in)}
	if near := diag.Nearest(name, known); near != "" {
		e.Message += fmt.Sprintf("; did you mean %q?", near)
	}
	if len(known) == 0 {
		e.Hint = fmt.Sprintf("nothing stands below %s.", in)
	}
	return e
}

// namesOf are the names that a schema has, sorted.
func namesOf(schema map[string]any) []string { return slices.Sorted(maps.Keys(namesIn(schema))) }

// namesIn are the names that a schema has in any of its forms.
func namesIn(schema map[string]any) map[string]bool {
	out := map[string]bool{}
	properties, _ := schema["properties"].(map[string]any)
	for name := range properties {
		out[name] = true
	}
	below := forms(schema)
	if items, ok := schema["items"].(map[string]any); ok {
		below = append(below, items)
	}
	for _, s := range below {
		maps.Copy(out, namesIn(s))
	}
	return out
}

// schemaOfKey is the schema of a key.
func schemaOfKey(f *Found) map[string]any {
	out := map[string]any{}
	maps.Copy(out, f.Key)
	out["title"] = f.Type.Kind + "." + strings.Join(f.Path, ".")
	out["x-kongctl-path"] = f.Type.place() + "." + f.written
	out["x-kongctl-resource"] = f.Type.Kind
	return out
}

// keyText describes a key, for people.
func keyText(b *strings.Builder, f *Found, columns int) {
	path := strings.Join(f.Path, ".")
	fmt.Fprintf(b, "%s.%s: a key of the configuration\n\n", f.Type.Kind, path)
	facts := []fact{{"resource", f.Type.Kind}, {"written at", f.Type.place() + "." + f.written}}
	if says, ok := f.Key["description"].(string); ok {
		facts = append(facts, fact{"", says})
	}
	if is, ok := f.Key["type"].(string); ok {
		facts = append(facts, fact{"type", (&Field{Type: is}).kind()})
	}
	if values, ok := f.Key["enum"].([]any); ok {
		facts = append(facts, fact{"", enumText(values)})
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
	writeKeys(b, f.keyNames(), columns)
}

// writeKeys lists the names that a key holds.
func writeKeys(b *strings.Builder, names []string, columns int) {
	if len(names) > 0 {
		b.WriteString("\nKeys\n")
		writeWords(b, names, "  ", columns)
	}
}

// keyNames are the names that a key holds.
func (f *Found) keyNames() []string {
	if f.Path[len(f.Path)-1] == keyMatchFields {
		return comparedNames(f.Type.bound)
	}
	return namesOf(f.Key)
}

// groupNames are the keys under which several children are written at once.
func (t *Type) groupNames() []string {
	if t.Class == External {
		return nil
	}
	return slices.Sorted(maps.Keys(catalog.Groups(t.bound)))
}
