package diff

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// nodes is how many nodes of a document are looked at: aliases make a short text
// a long document.
const nodes = 1 << 20

// document reads JSON or YAML as what it says: order of keys, quotes, comments
// and layout are left out. A text that is neither a mapping nor a list says no
// more than its letters. Numbers count by their value, or as they are written.
func document(text string, byValue bool) (any, bool) {
	var root yaml.Node
	dec := yaml.NewDecoder(strings.NewReader(text))
	if dec.Decode(&root) != nil || root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, false
	}
	if more := (&yaml.Node{}); dec.Decode(more) == nil {
		return nil, false // several documents
	}
	if k := root.Content[0].Kind; k != yaml.MappingNode && k != yaml.SequenceNode {
		return nil, false
	}
	r := &reading{left: nodes, byValue: byValue}
	return r.said(root.Content[0])
}

// isJSON reports whether a value is a text in JSON. What looks like a number is one
// there; in YAML it may be meant as a text, such as a version.
func isJSON(v any) bool {
	text, isText := v.(string)
	return isText && json.Valid([]byte(text))
}

// reading is the way through a document.
type reading struct {
	left    int
	byValue bool
}

func (r *reading) said(n *yaml.Node) (any, bool) {
	if r.left--; r.left < 0 {
		return nil, false
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.said(n.Alias)
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, x := range n.Content {
			v, ok := r.said(x)
			if !ok {
				return nil, false
			}
			out[i] = v
		}
		return out, true
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			v, ok := r.said(n.Content[i+1])
			if _, twice := out[k.Value]; !ok || twice || k.Kind != yaml.ScalarNode || k.Tag == "!!merge" {
				return nil, false
			}
			out[k.Value] = v
		}
		return out, true
	default:
		return r.scalar(n)
	}
}

// scalar is a value of a document. In YAML numbers are as they are written: 1.10 is
// not 1.1 in a version.
func (r *reading) scalar(n *yaml.Node) (any, bool) {
	switch n.ShortTag() {
	case "!!null":
		return null{}, true
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), true
	case "!!int", "!!float":
		if r.byValue {
			return json.Number(n.Value), true
		}
		return number{json.Number(n.Value)}, true
	default:
		return n.Value, n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp"
	}
}

// number is one that is compared as it is written.
type number struct{ json.Number }

// null is a value in a document: "default: null" says something. In a field of Konnect
// it says that there is no value.
type null struct{}

// documents is a value in which the documents that people write as mappings keep their
// nulls.
func (c *comparer) documents(p value.Path, v any) any {
	if inDocument(c.t, p) {
		return withNulls(v, nil)
	}
	at := p.Generic()
	for _, f := range c.t.Formats {
		if f.Is != catalog.Document {
			continue
		}
		if field := value.ParsePath(f.Field); field.HasPrefix(at) {
			v = withNulls(v, field[len(at):])
		}
	}
	return v
}

// inDocument reports whether a path lies inside of such a document.
func inDocument(t *catalog.Bound, p value.Path) bool {
	return slices.ContainsFunc(t.Formats, func(f catalog.Formatted) bool {
		return f.Is == catalog.Document && p.Generic().HasPrefix(value.ParsePath(f.Field))
	})
}

// withNulls copies a value with null as a value inside of what a path leads to.
func withNulls(v any, p value.Path) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, y := range x {
			switch {
			case len(p) > 0 && k == p[0]:
				out[k] = withNulls(y, p[1:])
			case len(p) == 0 && y == nil:
				out[k] = null{}
			case len(p) == 0:
				out[k] = withNulls(y, nil)
			default:
				out[k] = y
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, y := range x {
			out[i] = withNulls(y, p)
		}
		return out
	default:
		return v
	}
}
