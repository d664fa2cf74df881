package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/value"
)

// encode writes a value as a YAML document. What it writes is read back as the
// same value.
func encode(w io.Writer, v value.Value) (values int, err error) {
	var b bytes.Buffer
	root := node(v)
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(root), enc.Close()); err != nil {
		return 0, fmt.Errorf("write YAML: %w", err)
	}
	_, err = w.Write(terminal.JSON(b.Bytes())) // what is left to escape is in quotes
	return valuesOf(root), err
}

// valuesOf counts the values of a node, without keys.
func valuesOf(n *yaml.Node) int {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	out := 1
	for i := step - 1; i < len(n.Content); i += step {
		out += valuesOf(n.Content[i])
	}
	return out
}

func node(v value.Value) *yaml.Node {
	switch v.Kind() {
	case value.Expr:
		return tagged(v.Expr())
	case value.List:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v.Items() {
			n.Content = append(n.Content, node(item))
		}
		return flowIfEmpty(n)
	case value.Map:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, e := range v.Entries() {
			n.Content = append(n.Content, text(e.Key, false), node(e.Value))
		}
		return flowIfEmpty(n)
	case value.String:
		s, _ := v.Text()
		return text(s, true)
	case value.Absent, value.Null, value.Bool, value.Number:
		return scalar(v)
	}
	return scalar(value.Value{})
}

func flowIfEmpty(n *yaml.Node) *yaml.Node {
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}

// scalar writes what JSON writes the same.
func scalar(v value.Value) *yaml.Node {
	raw, err := json.Marshal(v.Plain(nil))
	if err != nil {
		panic(err) // a scalar always has a JSON form
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(raw)}
}

// Texts that no reader of YAML, old or new, takes for anything else.
var (
	plainText = pattern.New(`^[A-Za-z_/][A-Za-z0-9._/@+-]*( [A-Za-z0-9._/@+()-]+)*$`)
	otherWord = pattern.New(`(?i)^(true|false|yes|no|on|off|y|n|null|nan|inf)$`)
)

func text(s string, block bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: s, Tag: "!!str"}
	switch {
	case block && strings.Contains(s, "\n") && literal(s):
		n.Style = yaml.LiteralStyle
	case plainText.MatchString(s) && !otherWord.MatchString(s):
	default:
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// literal tells whether a text can stand as a block of lines and be read back
// letter by letter.
func literal(s string) bool {
	if s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || strings.Trim(s, "\n") == "" {
		return false
	}
	return !terminal.Unsafe(s) && !strings.Contains(s, "\ufeff")
}

// tagged writes an expression in the words of the language.
func tagged(e *value.Expression) *yaml.Node {
	name := e.Name
	if e.Field != "" {
		name += "#" + e.Field
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!" + string(e.Op), Value: name, Style: yaml.TaggedStyle}
	if e.Op != value.OpSecret {
		return n
	}
	n.Kind, n.Value = yaml.MappingNode, ""
	n.Style |= yaml.FlowStyle
	n.Content = []*yaml.Node{text("source", false), node(e.Parts[0])}
	return n
}
