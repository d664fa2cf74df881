package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/terminal"
)

// WriteDocumentYAML writes a JSON document as YAML, keys in the same order.
func WriteDocumentYAML(w io.Writer, raw []byte) error { return writeYAML(w, raw) }

// WriteJSON writes data for programs.
func WriteJSON(w io.Writer, data any) error {
	raw, err := encodeJSON(data)
	if err != nil {
		return err
	}
	_, err = w.Write(raw)
	return err
}

// WriteYAML writes data for programs, keys as WriteJSON orders them.
func WriteYAML(w io.Writer, data any) error {
	raw, err := encodeJSON(data)
	if err != nil {
		return err
	}
	return writeYAML(w, raw)
}

func encodeJSON(data any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(data)
	return terminal.JSON(b.Bytes()), err
}

// writeYAML goes token by token: a detour over maps would lose the order.
func writeYAML(w io.Writer, raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	root, err := yamlNode(dec)
	if err != nil {
		return fmt.Errorf("render YAML: %w", err)
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(root), enc.Close()); err != nil {
		return fmt.Errorf("render YAML: %w", err)
	}
	_, err = w.Write(terminal.JSON(b.Bytes())) // what is left to escape is in quotes
	return err
}

// otherWord are texts that older readers of YAML take for true and false.
var otherWord = pattern.New(`(?i)^(yes|no|on|off|y|n)$`)

func yamlNode(dec *json.Decoder) (*yaml.Node, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		if t == '[' {
			n = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		}
		for dec.More() {
			child, err := yamlNode(dec) // a key or a value: they alternate
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		_, err := dec.Token() // the closing one
		return n, err
	case string:
		n := &yaml.Node{}
		n.SetString(t)
		if terminal.Unsafe(t) || otherWord.MatchString(t) {
			n.Style = yaml.DoubleQuotedStyle
		}
		return n, nil
	case json.Number:
		tag := "!!int"
		if bytes.ContainsAny([]byte(t), ".eE") {
			tag = "!!float"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: t.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(t)}, nil
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
	}
}
