package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
)

// Plain is a node as data, the way encoding/json decodes it with numbers kept. Tags
// that YAML does not define are dropped.
func Plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return Plain(n.Content[0])
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = Plain(n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, c := range n.Content {
			out[i] = Plain(c)
		}
		return out
	default:
		v, problem := source.Scalar(n)
		if problem != "" {
			return n.Value
		}
		return v
	}
}

// FromJSON reads a JSON text.
func FromJSON(text string) (*yaml.Node, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	out, err := fromJSON(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something behind the value")
	}
	return out, nil
}

func fromJSON(dec *json.Decoder) (*yaml.Node, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	scalar := func(tag, text string) (*yaml.Node, error) {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}, nil
	}
	switch token := token.(type) {
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: token, Style: textStyle(token)}, nil
	case bool:
		return scalar("!!bool", fmt.Sprint(token))
	case json.Number:
		if strings.ContainsAny(token.String(), ".eE") {
			return scalar("!!float", token.String())
		}
		return scalar("!!int", token.String())
	case json.Delim:
		return listed(dec, token)
	default:
		return scalar("!!null", "null")
	}
}

// listed reads what follows an opening bracket.
func listed(dec *json.Decoder, open json.Delim) (*yaml.Node, error) {
	out := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	if open == '{' {
		out = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	for dec.More() {
		n, err := fromJSON(dec)
		if err != nil {
			return nil, err
		}
		if out.Kind == yaml.MappingNode && len(out.Content)%2 == 0 && Child(out, n.Value) != nil {
			return nil, fmt.Errorf("the key %q is there twice", n.Value)
		}
		out.Content = append(out.Content, n)
	}
	_, err := dec.Token() // the closing bracket
	return out, err
}

// JSON writes a document as JSON, in its order.
func JSON(file string, doc *yaml.Node) ([]byte, error) {
	var b, out bytes.Buffer
	var list diag.List
	writeJSON(&b, file, doc.Content[0], &list)
	if err := list.Err(); err != nil {
		return nil, err
	}
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func writeJSON(b *bytes.Buffer, file string, n *yaml.Node, list *diag.List) {
	if source.Tagged(n) {
		list.Add(diag.SrcBadScalar, At(file, n), fmt.Sprintf("JSON has no tags, and the value has %s.", n.Tag), "write the file as YAML.")
	}
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			comma(b, i)
			writeScalar(b, n.Content[i].Value)
			b.WriteByte(':')
			writeJSON(b, file, n.Content[i+1], list)
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, c := range n.Content {
			comma(b, i)
			writeJSON(b, file, c, list)
		}
		b.WriteByte(']')
	default:
		v, problem := source.Scalar(n)
		if problem != "" {
			list.Add(diag.SrcBadScalar, At(file, n), problem, "write a number that JSON can hold, or quote it to make it text.")
		}
		writeScalar(b, v)
	}
}

func comma(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

// writeScalar writes text, a number, a truth value or null.
func writeScalar(b *bytes.Buffer, v any) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // such values always have a form
}
