package explain

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
)

// Language is the JSON Schema of a whole document.
func (x *Explainer) Language() map[string]any {
	properties := map[string]any{
		"_defaults": map[string]any{
			"description": "what all resources of this document have unless they say otherwise",
			"type":        []any{"object", "null"}, "additionalProperties": false,
			"properties": map[string]any{
				keyMeta: metaSchema(true),
				"prune": map[string]any{
					"description": "what a sync may delete of what this document does not declare, if that is less than --prune says",
					"enum":        []any{resource.PruneFull, resource.PruneDeclared, resource.PruneNone, nil},
				},
			},
		},
		"moved":              x.moved(),
		"external_resources": x.externals(),
	}
	for _, b := range x.cat.All() {
		for _, key := range append([]string{b.Root()}, b.Aliases...) {
			place(properties, strings.Split(key, "."), x.rootList(b))
		}
	}
	for key, f := range x.cat.FlatSides() {
		properties[key] = flatSchema(f)
	}
	out := map[string]any{
		"$schema": Draft, "title": "kongctl configuration", "type": []any{"object", "null"},
		"properties": properties, "patternProperties": map[string]any{"^x-": true}, "additionalProperties": false,
	}
	defs := map[string]any{}
	x.define(out, defs)
	for _, b := range x.cat.All() {
		if def, ok := defs[b.Kind].(map[string]any); ok {
			def["title"] = b.Kind
			def["x-kongctl-resource"] = b.Kind
		}
	}
	out["$defs"] = defs
	return out
}

// place puts a schema at a key, below the groups that the key names.
func place(properties map[string]any, path []string, s map[string]any) {
	if len(path) == 1 {
		properties[path[0]] = s
		return
	}
	group, ok := properties[path[0]].(map[string]any)
	if !ok {
		group = map[string]any{"type": []any{"object", "null"}, "additionalProperties": false, "properties": map[string]any{}}
		properties[path[0]] = group
	}
	inner, _ := group["properties"].(map[string]any)
	place(inner, path[1:], s)
}

// rootList is the list of a type at the root: a child names its parent there.
func (x *Explainer) rootList(b *catalog.Bound) map[string]any {
	item := ref(b.Kind)
	if b.Parent == nil && b.Shape == catalog.Singleton {
		return listOf(b)
	}
	if keys := b.ParentKeys(); len(keys) > 0 {
		var named []any
		for _, key := range keys {
			named = append(named, map[string]any{"required": []any{key}})
		}
		if b.Tree != nil { // what nests in another belongs to that one's parent
			named = append(named, map[string]any{"required": []any{b.Tree.Parent}})
		}
		item = map[string]any{"allOf": []any{ref(b.Kind)}, "anyOf": named}
	}
	return map[string]any{"type": []any{"array", "null"}, "items": item, "description": catalog.Words(b.Root())}
}

func (x *Explainer) moved() map[string]any {
	var kinds []any
	for _, b := range x.cat.All() {
		if !b.ReadOnly {
			kinds = append(kinds, b.Kind)
		}
	}
	text := map[string]any{"type": "string", "minLength": 1}
	return map[string]any{
		"description": "resources that have another name now",
		"type":        []any{"array", "null"},
		"items": map[string]any{
			"type": "object", "additionalProperties": false, "required": []any{"type", "from", "to"},
			"properties": map[string]any{"type": map[string]any{"anyOf": []any{map[string]any{"enum": kinds}, text}}, "from": text, "to": text},
		},
	}
}

func (x *Explainer) externals() map[string]any {
	var types []any
	for _, b := range x.cat.All() {
		for _, name := range x.cat.Names(b) {
			types = append(types, name)
		}
	}
	properties := map[string]any{
		"ref":           refSchema(),
		"resource_type": map[string]any{"enum": types},
		"id":            map[string]any{"type": "string"},
		"selector":      selectorSchema(),
	}
	for _, b := range x.cat.All() {
		keys := b.ParentKeys()
		if b.ReadOnly {
			keys = append(keys, x.narrowing(b)...)
		}
		for _, key := range keys {
			properties[key] = aboveSchema(AnyKind)
		}
		if b.ReadOnly {
			continue
		}
		for _, c := range b.Children {
			properties[c.Key] = true
		}
		for _, e := range x.extensions {
			properties[e.Key] = true
		}
	}
	return map[string]any{
		"description": "resources that exist and that others own",
		"type":        []any{"array", "null"},
		"items": map[string]any{
			"type": "object", "properties": properties, "additionalProperties": false, "required": []any{"ref", "resource_type"},
			"oneOf": []any{map[string]any{"required": []any{"id"}}, map[string]any{"required": []any{"selector"}}},
		},
	}
}

func selectorSchema() map[string]any {
	operators := []any{string(resource.In), string(resource.NotIn), string(resource.Exists), string(resource.DoesNotExist), string(resource.Prefix)}
	return map[string]any{
		"type": "object", "minProperties": 1, "additionalProperties": false,
		"properties": map[string]any{
			keyMatchFields: map[string]any{"type": "object", "minProperties": 1, "description": "fields and the values that they have"},
			"matchExpressions": map[string]any{"type": "array", "description": "conditions, all of which hold", "items": map[string]any{
				"type": "object", "additionalProperties": false, "required": []any{"operator"},
				"oneOf": []any{map[string]any{"required": []any{"key"}}, map[string]any{"required": []any{"field"}}},
				"properties": map[string]any{
					"key": map[string]any{"type": "string", "description": "the field that is compared"}, "field": map[string]any{"type": "string", "description": "same as key"},
					"operator": map[string]any{"enum": operators, "description": "how it is compared"},
					"values":   map[string]any{"type": "array", "description": "what it is compared with"},
				},
			}},
		},
	}
}

// idSchema is that of the id of a resource that exists.
func idSchema(b *catalog.Bound) map[string]any {
	out := map[string]any{"type": "string"}
	switch at := b.Returned().At([]string{keyID}, nil); {
	case at == nil:
	case at.Format == "uuid":
		out["pattern"] = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
	case at.Pattern != "":
		out["pattern"] = ecma(at.Pattern)
	}
	return out
}

// externalSchema is that of an _external block.
func (x *Explainer) externalSchema(b *catalog.Bound) map[string]any {
	properties := map[string]any{"id": idSchema(b), "selector": selectorSchema()}
	for _, e := range x.extensions {
		if e.Provides(b.Neutral()) {
			properties[e.Provider] = e.ProviderSchema
		}
	}
	return map[string]any{"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false, "properties": properties}
}
