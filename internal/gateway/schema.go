package gateway

// blockSchema is the JSON Schema of a _deck block.
func blockSchema() map[string]any {
	texts := func(description string) map[string]any {
		return map[string]any{"type": []any{"array", "null"}, "items": map[string]any{"type": "string"}, "description": description}
	}
	orText := func(description string) map[string]any {
		out := texts(description)
		out["type"] = []any{"array", "string", "null"}
		return out
	}
	return map[string]any{
		"type":                 []any{"object", "null"},
		"additionalProperties": false,
		"properties": map[string]any{
			keyFiles: orText("decK files, folders and patterns such as gateway/**/*.yaml, relative to this file"),
			keyFlags: texts("flags for decK"),
			keyState: map[string]any{"type": []any{"object", "null"}, "description": "decK state, inline"},
		},
	}
}

// providerSchema is the JSON Schema of a resource that decK makes.
func providerSchema() map[string]any {
	text := func(description string) map[string]any {
		return map[string]any{"type": "string", "description": description}
	}
	return map[string]any{
		"type":                 "object",
		"additionalProperties": false,
		"required":             []any{keyFile},
		"properties": map[string]any{
			keyFile:    text("the decK file, relative to this file"),
			keyService: text("name of the service in the file; may be left out where the file has one"),
		},
	}
}
