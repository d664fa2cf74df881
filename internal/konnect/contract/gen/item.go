package main

import (
	"maps"
	"strings"
)

// addItems adds what the items of a JSON Patch do: where a PATCH of a collection takes
// a list of {op, path, value}, each item changes one resource, as a PATCH of that would.
func addItems(f *file) {
	for _, op := range f.Operations {
		value := f.patched(op)
		if value == nil {
			continue
		}
		for _, one := range f.Operations {
			rest, below := strings.CutPrefix(one.Path, op.Path+"/{")
			if !below || one.Method != "GET" || !strings.HasSuffix(rest, "}") || strings.Contains(rest, "/") {
				continue
			}
			with := op
			with.ID, with.Path, with.Params, with.Item = op.ID+"-item", one.Path, one.Params, true
			with.Body, with.BodyMust, with.Unpublished = value, false, true
			f.Operations = append(f.Operations, with)
		}
	}
}

// patched is the schema of the values of a JSON Patch, nil where the operation takes
// none. An item may leave the value out, and with it what the value requires.
func (f *file) patched(op operation) map[string]any {
	list := f.at(op.Body)
	items, _ := f.at(list["items"])["properties"].(map[string]any)
	if op.Method != "PATCH" || items["op"] == nil || items["path"] == nil {
		return nil
	}
	out := maps.Clone(f.at(items["value"]))
	delete(out, "required")
	return out
}

// at is a schema, or the one that it refers to.
func (f *file) at(v any) map[string]any {
	s, _ := v.(map[string]any)
	if name, ok := s["$ref"].(string); ok {
		s, _ = f.Schemas[name].(map[string]any)
	}
	return s
}
