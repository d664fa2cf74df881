package explain

import "github.com/kongctl/kongctl/internal/konnect/catalog"

// sideSchema is what may stand under a key for another type: texts, mappings with a
// list of them, one of either, or nothing.
func sideSchema(s catalog.Side) map[string]any {
	text := map[string]any{"type": "string"}
	item := map[string]any{"anyOf": []any{text, sideItem(s, nil)}}
	return map[string]any{"anyOf": []any{map[string]any{"type": "array", "items": item}, text, sideItem(s, nil), map[string]any{"type": "null"}}}
}

// sideItem is the form with a list, and with these properties.
func sideItem(s catalog.Side, more map[string]any) map[string]any {
	properties := map[string]any{"ref": refSchema(), s.List: map[string]any{"type": "array", "items": map[string]any{"type": "string"}}}
	for k, v := range more {
		properties[k] = v
	}
	return map[string]any{"type": "object", "properties": properties, "required": []any{s.List}, "additionalProperties": false}
}

// flatSchema is the list at the root whose items name what they stand beside.
func flatSchema(f catalog.Flat) map[string]any {
	more := map[string]any{}
	var named []any
	for _, key := range f.Type.ParentKeys() {
		more[key] = aboveSchema(f.Type.Parent.Kind)
		named = append(named, map[string]any{"required": []any{key}})
	}
	for above := f.Type.Parent.Parent; above != nil; above = above.Parent {
		more[above.Kind], more[above.Kind+"_id"] = aboveSchema(above.Kind), aboveSchema(above.Kind)
	}
	item := sideItem(f.Side, more)
	item["anyOf"] = named
	return map[string]any{"type": []any{"array", "null"}, "items": item, "description": catalog.Words(f.Type.Neutral().Root)}
}
