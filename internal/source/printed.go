package source

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// Form is the form of a document that this program prints: the keys of a mapping.
type Form struct {
	always []string
	// keys are all that there may be, with the form of what is a mapping of fields itself.
	keys map[string]*Form
}

// FormOf is the form of what is printed of a value: a struct with fields for encoding/json.
func FormOf(printed any) Form { return *formOf(reflect.TypeOf(printed), formLevels) }

// marshaler is what is printed as something else than its fields.
var marshaler = reflect.TypeFor[json.Marshaler]()

// formLevels is how many levels of mappings a form holds.
const formLevels = 2

func formOf(t reflect.Type, levels int) *Form {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || levels == 0 || t.Implements(marshaler) {
		return nil
	}
	out := &Form{keys: map[string]*Form{}}
	for field := range t.Fields() {
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case key == "-":
		case field.Anonymous && key == "":
			inner := formOf(field.Type, levels)
			out.always = append(out.always, inner.always...)
			maps.Copy(out.keys, inner.keys)
		case field.IsExported():
			out.keys[key] = formOf(field.Type, levels-1)
			if !strings.Contains(options, "omit") {
				out.always = append(out.always, key)
			}
		}
	}
	return out
}

// fits reports whether a document has the form and declares nothing: what ours reports to
// declare something may stand at its root only as a mapping with a form itself.
func (f *Form) fits(root *yaml.Node, ours func(key string) bool) bool {
	return f.has(root) && !slices.ContainsFunc(keysOf(root), func(key string) bool { return ours(key) && f.keys[key] == nil })
}

// has reports whether a node is a mapping with the keys of the form and no other one, none
// of them twice.
func (f *Form) has(n *yaml.Node) bool {
	if n = follow(n); n == nil || n.Kind != yaml.MappingNode || isCustom(n) {
		return false
	}
	keys := keysOf(n)
	for i, key := range keys {
		form, known := f.keys[key]
		if !known || slices.Contains(keys[:i], key) || form != nil && !form.has(mergedChild(n, key, map[*yaml.Node]bool{})) {
			return false
		}
	}
	return !slices.ContainsFunc(f.always, func(key string) bool { return !slices.Contains(keys, key) })
}
