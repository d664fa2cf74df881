package main

// widen lets roles be about all resources of a type: Konnect takes "*" for the id
// of what a role is about, and the document asks for a UUID. Other clients rely
// on it.
func widen(f *file) {
	for _, op := range f.Operations {
		widenIn(op.Body)
		for _, r := range op.Responses {
			widenIn(r)
		}
	}
	for _, s := range f.Schemas {
		widenIn(s)
	}
}

func widenIn(x any) {
	switch s := x.(type) {
	case []any:
		for _, y := range s {
			widenIn(y)
		}
	case map[string]any:
		props, _ := s["properties"].(map[string]any)
		if entity, ok := props["entity_id"].(map[string]any); ok && props["role_name"] != nil {
			delete(entity, "format")
		}
		for _, y := range s {
			widenIn(y)
		}
	}
}
