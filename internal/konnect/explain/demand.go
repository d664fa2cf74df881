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
		maps.Copy(out, demand)
		return out
	case len(demand) > 0:
		out["if"], out["else"] = t.exists(), demand
	}
	own := map[string]any{"if": map[string]any{"required": []any{keyExternal}}, "then": map[string]any{"propertyNames": map[string]any{"enum": t.besideExternal(x)}}}
	all, _ := out["allOf"].([]any)
	out["allOf"] = append(all, own)
	return out
}

// demand takes out of a schema what is asked of a managed resource alone, and returns
// it: fields that must be there, by this name or another, and the choice of a variant.
func (t *Type) demand(out map[string]any) map[string]any {
	required, _ := out["required"].([]any)
	delete(out, "required")
	var groups []any
	either := func(names ...string) {
		var ways []any
		for _, name := range names {
			ways = append(ways, map[string]any{"required": []any{name}, "properties": map[string]any{name: map[string]any{"not": null()}}})
		}
		groups = append(groups, map[string]any{"anyOf": ways})
	}
	loose := func(name string) {
		required = slices.DeleteFunc(slices.Clone(required), func(n any) bool { return n == name })
	}
	if t.bound.NameField() == "name" && slices.Contains(required, any("name")) {
		loose("name")
		either("name", "ref")
	}
	for _, f := range t.Object.all() {
		names := []string{f.Name}
		if f.Short != "" {
			names = append(names, f.Short)
		}
		switch {
		case len(f.From) > 0:
			either(append(names, f.From...)...)
		case f.Short != "" && slices.Contains(required, any(f.Name)):
			loose(f.Name)
			either(names...)
		}
	}
	for _, union := range []string{"oneOf", "anyOf"} {
		if u, ok := out[union]; ok {
			groups = append(groups, map[string]any{union: u})
		}
		delete(out, union)
	}
	demand := map[string]any{}
	if len(required) > 0 {
		demand["required"] = required
	}
	if len(groups) > 0 {
		demand["allOf"] = groups
	}
	return demand
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
