package explain

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// resource is the schema of one resource of a type.
func (x *Explainer) resource(t *Type) map[string]any {
	if t.Class == External {
		properties := t.extra(x)
		for _, id := range t.Identity {
			if properties[id] == nil {
				properties[id] = true
			}
		}
		return found(t.bound, map[string]any{"type": "object", "properties": properties, "additionalProperties": false, "required": []any{keyExternal}})
	}
	out := t.Object.beside(nil).schema(t.extra(x))
	demand := t.demand(out)
	switch {
	case t.Single:
		groups, _ := demand["allOf"].([]any)
		delete(demand, "allOf")
		maps.Copy(out, demand)
		alsoAll(out, groups)
		return out
	case len(demand) > 0:
		out["if"], out["else"] = t.exists(), demand
	}
	own := map[string]any{"if": map[string]any{"required": []any{keyExternal}}, "then": map[string]any{"propertyNames": map[string]any{"enum": t.besideExternal(x)}}}
	alsoAll(out, []any{own})
	return out
}

// alsoAll adds to what must hold of a schema besides all else.
func alsoAll(schema map[string]any, groups []any) {
	all, _ := schema["allOf"].([]any)
	if all = append(all, groups...); len(all) > 0 {
		schema["allOf"] = all
	}
}

// demand takes out of a schema what is asked of a managed resource alone, and returns
// it: fields that must be there, by this name or another, and the choice of a variant.
func (t *Type) demand(out map[string]any) map[string]any {
	var groups []any
	if required, _ := out["required"].([]any); t.bound.NameField() == "name" && slices.Contains(required, any("name")) {
		without(out, "name")
		groups = append(groups, either("name", "ref"))
	}
	groups = append(groups, t.otherNames(out)...)
	for _, union := range []string{"oneOf", "anyOf"} {
		if u, ok := out[union]; ok {
			groups = append(groups, map[string]any{union: u})
		}
		delete(out, union)
	}
	demand := map[string]any{}
	if required, ok := out["required"]; ok {
		demand["required"] = required
	}
	delete(out, "required")
	if len(groups) > 0 {
		demand["allOf"] = groups
	}
	return demand
}

// otherNames takes out of what a schema requires the fields that another name, or other
// fields, may stand for, and returns what asks for one of them.
func (t *Type) otherNames(out map[string]any) []any {
	var groups []any
	for _, f := range t.Object.all() {
		names := []string{f.Name}
		if f.Short != "" {
			names = append(names, f.Short)
		}
		required, _ := out["required"].([]any)
		switch {
		case len(f.From) > 0:
			groups = append(groups, either(append(names, f.From...)...))
		case f.Short != "" && slices.Contains(required, any(f.Name)):
			without(out, f.Name)
			groups = append(groups, either(names...))
		}
	}
	return groups
}

// either asks for one of several fields.
func either(names ...string) map[string]any {
	var ways []any
	for _, name := range names {
		ways = append(ways, map[string]any{"required": []any{name}, "properties": map[string]any{name: map[string]any{"not": null()}}})
	}
	return map[string]any{"anyOf": ways}
}

// without takes a field out of what a schema requires.
func without(schema map[string]any, name string) {
	required, _ := schema["required"].([]any)
	required = slices.DeleteFunc(slices.Clone(required), func(n any) bool { return n == name })
	if schema["required"] = required; len(required) == 0 {
		delete(schema, "required")
	}
}

// alone is the schema of a managed resource by itself, where it stands below its parent
// or in a list at the root: what is asked of it stands at the top.
func (t *Type) alone(x *Explainer) map[string]any {
	out := t.Object.beside(nil).schema(t.extra(x))
	alsoAll(out, t.otherNames(out))
	switch {
	case t.bound.Link != "": // a name stands for it
		out["type"] = []any{"object", "string"}
	case t.bound.Set != "": // below its parent, its list stands for it
		out["type"] = []any{"object", "array"}
		if items := t.Object.Field(t.bound.Set).beside(nil).Items; items != nil {
			out["items"] = items.schema()
		}
	}
	return out
}

// exists is the schema of an item that stands for a resource that exists.
func (t *Type) exists() map[string]any {
	external := map[string]any{"required": []any{keyExternal}}
	if !catalog.Nameable(t.bound) {
		return external
	}
	keys := []any{"ref", keyID}
	for _, name := range t.Identity {
		keys = append(keys, name)
	}
	for _, c := range t.Children {
		keys = append(keys, c.Key)
	}
	return map[string]any{"anyOf": []any{external, map[string]any{"propertyNames": map[string]any{"enum": keys}}}}
}

// besideExternal are the keys that may stand beside _external: others own the fields.
func (t *Type) besideExternal(x *Explainer) []any {
	var out []any
	add := func(names ...string) {
		for _, name := range names {
			if name != "" && !slices.Contains(out, any(name)) {
				out = append(out, name)
			}
		}
	}
	add("ref", keyExternal, t.bound.NameField(), t.Tree)
	add(t.ParentKeys...)
	add(x.narrowing(t.bound)...)
	if t.bound.Parent != nil {
		for above := t.bound.Parent.Parent; above != nil; above = above.Parent {
			add(above.Kind, above.Kind+"_id")
		}
	}
	for _, c := range t.Children {
		add(c.Key)
	}
	for key := range catalog.Groups(t.bound) {
		add(key)
	}
	for _, s := range x.cat.Sides(t.bound) {
		add(s.Key)
	}
	for _, e := range x.extensions {
		if e.Fits(t.bound.Neutral()) {
			add(e.Key)
		}
	}
	slices.SortFunc(out, compare)
	return out
}

func compare(a, b any) int {
	x, _ := a.(string)
	y, _ := b.(string)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
