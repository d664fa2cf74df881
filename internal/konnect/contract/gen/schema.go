package main

import (
	"fmt"
	"strings"
)

// Facts that are copied as they are. Prose (description, title, examples) is
// not among them.
var plainFacts = []string{
	"type", "required", "enum", "const", "default", "pattern", "format",
	"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
	"nullable", "readOnly", "writeOnly", "deprecated",
}

// Facts that the document gives as extensions, under our names.
var extensionFacts = map[string]string{
	"x-sensitive":                "sensitive",
	"x-encrypted":                "encrypted",
	"x-speakeasy-param-computed": "computed",
}

func (d document) schema(x any) any {
	switch s := x.(type) {
	case bool:
		return s
	case map[string]any:
		return d.object(s)
	default:
		return nil
	}
}

func (d document) object(s map[string]any) map[string]any {
	out := map[string]any{}
	if ref, ok := s["$ref"].(string); ok {
		name, found := strings.CutPrefix(ref, "#/components/schemas/")
		if !found {
			panic(fmt.Sprintf("reference %q does not lead to a schema", ref))
		}
		out["$ref"] = name
	}
	for _, k := range plainFacts {
		if v, ok := s[k]; ok && v != false {
			out[k] = v
		} else if ok && k == "default" {
			out[k] = v
		}
	}
	for from, to := range extensionFacts {
		if v, ok := s[from]; ok && v != false {
			out[to] = true
		}
	}
	if props, ok := s["properties"].(map[string]any); ok {
		p := map[string]any{}
		for k, v := range props {
			p[k] = d.schema(v)
		}
		out["properties"] = p
	}
	for _, k := range []string{"items", "additionalProperties"} {
		if v, ok := s[k]; ok {
			out[k] = d.schema(v)
		}
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf"} {
		list, ok := s[k].([]any)
		if !ok {
			continue
		}
		branches := make([]any, len(list))
		for i, b := range list {
			branches[i] = d.schema(b)
		}
		out[k] = branches
	}
	if disc, ok := s["discriminator"].(map[string]any); ok {
		out["discriminator"] = discriminator(disc)
	}
	return out
}

func discriminator(disc map[string]any) map[string]any {
	out := map[string]any{"propertyName": disc["propertyName"]}
	if mapping, ok := disc["mapping"].(map[string]any); ok {
		m := map[string]any{}
		for k, v := range mapping {
			m[k] = strings.TrimPrefix(v.(string), "#/components/schemas/")
		}
		out["mapping"] = m
	}
	return out
}
