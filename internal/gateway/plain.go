package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	yaml "go.yaml.in/yaml/v3"
)

// maxNodes bounds what aliases may blow up.
const maxNodes = 1_000_000

var (
	errSeveral = errors.New("a decK file has one document, and this one has several")
	errTooMany = fmt.Errorf("with its aliases written out it has more than %d values", maxNodes)
)

// decodeYAML reads YAML as decK does, by the rules of YAML 1.1: yes and on are
// booleans. It returns the node, too, for positions.
func decodeYAML(content []byte) (any, *yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(content))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &doc, nil
		}
		return nil, nil, err
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errSeveral
		}
		return nil, nil, err
	}
	p := plainer{}
	data, err := p.plain(doc.Content[0])
	return data, doc.Content[0], err
}

type plainer struct {
	nodes, depth int
}

func (p *plainer) plain(n *yaml.Node) (any, error) {
	p.nodes++
	p.depth++
	defer func() { p.depth-- }()
	if p.nodes > maxNodes || p.depth > 1000 {
		return nil, errTooMany
	}
	switch n.Kind {
	case yaml.AliasNode:
		return p.plain(n.Alias)
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, item := range n.Content {
			var err error
			if out[i], err = p.plain(item); err != nil {
				return nil, err
			}
		}
		return out, nil
	case yaml.MappingNode:
		out := map[string]any{}
		return out, p.mapping(n, out)
	default:
		return scalar(n)
	}
}

// mapping adds the entries of a node; those that << brings give way.
func (p *plainer) mapping(n *yaml.Node, out map[string]any) error {
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			merged = append(merged, v)
			continue
		}
		x, err := p.plain(v)
		if err != nil {
			return err
		}
		out[key.Value] = x
	}
	for _, v := range merged {
		x, err := p.plain(v)
		if err != nil {
			return err
		}
		list, ok := x.([]any)
		if !ok {
			list = []any{x}
		}
		for _, item := range list {
			for k, y := range asMap(item) {
				if _, has := out[k]; !has {
					out[k] = y
				}
			}
		}
	}
	return nil
}

var booleans = map[string]bool{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"n": false, "N": false, "no": false, "No": false, "NO": false, "off": false, "Off": false, "OFF": false,
}

func scalar(n *yaml.Node) (any, error) {
	switch n.ShortTag() {
	case "!!str":
		if b, ok := booleans[n.Value]; ok && n.Style == 0 {
			return b, nil
		}
		return n.Value, nil
	case "!!timestamp":
		return n.Value, nil
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), nil
		}
	}
	var out any
	if err := n.Decode(&out); err != nil {
		return nil, err
	}
	if _, err := json.Marshal(out); err != nil {
		return nil, fmt.Errorf("line %d: %s has no form in JSON", n.Line, n.Value)
	}
	return out, nil
}

// Encode writes a state in JSON, on one line: decK drops lines that begin with #,
// within texts, too. The sign that begins a template is escaped, so that decK
// does not fill it in again.
func Encode(data any) ([]byte, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(raw, []byte("${{"), []byte(`\u0024{{`)), nil
}
