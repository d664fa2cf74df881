package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// The forms of documents in texts.
const (
	formJSON = "JSON"
	formYAML = "YAML"
)

// maxYAML bounds the YAML texts that are taken apart, maxNodes what they may
// become: a text may repeat its parts.
const (
	maxYAML  = 2 << 20
	maxNodes = 500_000
)

// documents returns the content of two texts of the same form; form is "" where
// they are not both documents.
func documents(old, now string) (form string, a, b any) {
	for _, f := range []struct {
		name  string
		parse func(string) (any, bool)
	}{{formJSON, parseJSON}, {formYAML, parseYAML}} {
		a, ok := f.parse(old)
		if !ok {
			continue
		}
		if b, ok := f.parse(now); ok {
			return f.name, a, b
		}
	}
	return "", nil, nil
}

// parseJSON reads a text that is a JSON object or list.
func parseJSON(text string) (any, bool) {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return nil, false
	}
	dec := json.NewDecoder(strings.NewReader(trimmed))
	dec.UseNumber()
	var x any
	if dec.Decode(&x) != nil {
		return nil, false
	}
	_, err := dec.Token()
	return nulls(x), errors.Is(err, io.EOF)
}

// null is written, and so something else than no value.
var null = marker{text: "null"}

// nulls marks what is written as null.
func nulls(x any) any {
	switch v := x.(type) {
	case nil:
		return null
	case map[string]any:
		for k, item := range v {
			v[k] = nulls(item)
		}
	case []any:
		for i, item := range v {
			v[i] = nulls(item)
		}
	}
	return x
}

// parseYAML reads a text that is one YAML mapping. Lists are no sign of YAML:
// prose has them, too.
func parseYAML(text string) (any, bool) {
	if len(text) > maxYAML || !strings.Contains(text, ":") {
		return nil, false
	}
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var root, more yaml.Node
	if dec.Decode(&root) != nil || !errors.Is(dec.Decode(&more), io.EOF) || len(root.Content) != 1 {
		return nil, false
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return nil, false
	}
	left := maxNodes
	return plainYAML(root.Content[0], &left)
}

// plainYAML is a node as plain data; false if it is not, or too large.
func plainYAML(n *yaml.Node, left *int) (any, bool) {
	if *left--; *left < 0 {
		return nil, false
	}
	switch n.Kind {
	case yaml.AliasNode:
		return plainYAML(n.Alias, left)
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			x, ok := plainYAML(n.Content[i+1], left)
			if _, twice := out[key.Value]; !ok || twice || key.Kind != yaml.ScalarNode {
				return nil, false
			}
			out[key.Value] = x
		}
		return out, true
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, item := range n.Content {
			x, ok := plainYAML(item, left)
			if !ok {
				return nil, false
			}
			out[i] = x
		}
		return out, true
	case yaml.ScalarNode:
		return scalarYAML(n), true
	default:
		return nil, false
	}
}

// scalarYAML keeps what people wrote where plain data has no other form for it.
func scalarYAML(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return null
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value)
		}
	}
	return n.Value
}
