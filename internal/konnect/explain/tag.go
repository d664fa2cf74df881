package explain

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
)

func ref(name string) map[string]any { return map[string]any{"$ref": definitions + name} }

// listOf is a list of resources of a type; one mapping stands for a list of one, and
// an empty one for none, where there can be none.
func listOf(b *catalog.Bound) map[string]any {
	list, none := map[string]any{"type": "array", "items": ref(b.Kind)}, map[string]any{"type": "object", "maxProperties": 0}
	if b.Shape != catalog.Singleton {
		return map[string]any{"anyOf": []any{list, ref(b.Kind), none, null()}}
	}
	list["minItems"], list["maxItems"] = 1, 1
	forms := []any{ref(b.Kind), list, null()}
	if b.Optional() {
		forms = append(forms, none)
	}
	return map[string]any{"anyOf": forms}
}

func null() map[string]any { return map[string]any{"type": "null"} }

// orPlain is a list, or what may stand for it: of links the names alone, of a set
// the list that it holds.
func (x *Explainer) orPlain(list any, b *catalog.Bound) any {
	switch {
	case b.Link != "":
		item := map[string]any{"anyOf": []any{ref(b.Kind), map[string]any{"type": "string"}}}
		return map[string]any{"anyOf": []any{list, map[string]any{"type": "array", "items": item}}}
	case b.Set != "":
		return map[string]any{"anyOf": []any{list, x.Type(b).Object.Field(b.Set).beside(nil).schema()}}
	}
	return list
}

// orByKey is a list, or a mapping of resources by the key that each one has.
func orByKey(list any, b *catalog.Bound) map[string]any {
	properties := map[string]any{}
	for _, name := range catalog.Keys(b) {
		properties[name] = map[string]any{"type": []any{"object", "null"}}
	}
	return map[string]any{"anyOf": []any{list, map[string]any{"type": "object", "properties": properties, "additionalProperties": false}}}
}

// groupOf is a mapping of several children: each is one, or its only field.
func groupOf(members []catalog.Member) map[string]any {
	properties := map[string]any{}
	for _, m := range members {
		properties[m.Name] = map[string]any{"anyOf": []any{map[string]any{"type": "string"}, ref("tag"), listOf(m.Type)}}
	}
	return map[string]any{"type": []any{"object", "null"}, "properties": properties, "additionalProperties": false}
}

// orTag is a value, or what an editor sees of a tag in its place.
func orTag(s map[string]any, nullable bool) map[string]any {
	forms := []any{s, ref("tag")}
	if nullable {
		forms = append(forms, map[string]any{"type": "null"})
	}
	return map[string]any{"anyOf": forms}
}

// referenceSchema is that of a field that refers to a resource: a ref, a name,
// an id, or a lookup.
func referenceSchema(kind string) map[string]any {
	return map[string]any{"type": []any{"string", "object"}, "minProperties": 1, "x-kongctl-ref-kind": kind}
}

// aboveSchema is that of a key that names what a resource belongs to, and may be left
// out where it stands below that.
func aboveSchema(kind string) map[string]any {
	return map[string]any{"type": []any{"string", "object", "null"}, "x-kongctl-ref-kind": kind}
}

func refSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": "^[a-zA-Z0-9][a-zA-Z0-9._-]*$", "maxLength": resource.MaxName}
}

func metaSchema(namespace bool) map[string]any {
	properties := map[string]any{"protected": map[string]any{"type": "boolean"}}
	if namespace {
		properties["namespace"] = map[string]any{"type": "string", "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", "maxLength": resource.MaxName}
	}
	return map[string]any{"type": []any{"object", "null"}, "properties": properties, "additionalProperties": false}
}

// shared are the definitions that all types use. An editor sees !env NAME as the
// text NAME, !ref name#field as the text name#field, !file as a path, and the long
// forms as mappings.
func shared() map[string]map[string]any {
	text := map[string]any{"type": "string"}
	argument := map[string]any{"type": []any{"string", "object"}}
	return map[string]map[string]any{
		"tag": {
			"description": "the argument of a tag: !ref, !env, !file, !secret or !lookup",
			"anyOf": []any{
				map[string]any{"type": "string", "pattern": `^([A-Z_][A-Z0-9_]*(#\S+)?|[^\s#]+#\S+|\S+\.(md|txt|yaml|yml|json|pem|crt|key|css|html|svg|png|jpg|jpeg|gif|webp|ico)(#\S+)?)$`},
				map[string]any{
					"type": "object", "minProperties": 1, "additionalProperties": false,
					"properties": map[string]any{"path": text, "extract": text, "var": text, "source": argument, "parts": map[string]any{"type": "array"}},
				},
			},
		},
		"secret": {
			"description": "!secret {source: !env NAME}, !secret {source: !file key.pem}, !secret {parts: [\"Bearer \", !env NAME]}, !env NAME, or a vault reference",
			"anyOf": []any{
				map[string]any{"type": "string", "pattern": `^(\{vault://|\$\{\s*(vault|env)\s*[.\[]|[A-Z_][A-Z0-9_]*(#\S+)?$)`},
				map[string]any{
					"type": "object", "required": []any{"var"}, "additionalProperties": false,
					"properties": map[string]any{"var": text, "extract": text},
				},
				map[string]any{
					"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
					"properties": map[string]any{"source": argument, "parts": map[string]any{"type": "array", "items": argument}},
				},
			},
		},
	}
}
