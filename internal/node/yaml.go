package node

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/pattern"
)

// YAML writes documents, indented as they were.
func YAML(docs []*yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	var found look
	for _, doc := range docs {
		if root := doc.Content[0]; root.Style&yaml.FlowStyle != 0 {
			Block(root)
		}
		found.at(doc.Content[0])
	}
	if found.indent < 2 || found.indent > 8 {
		found.indent = 2
	}
	enc.SetIndent(found.indent)
	if found.compact {
		enc.CompactSeqIndent()
	}
	for _, doc := range docs {
		if err := enc.Encode(doc); err != nil {
			return nil, err
		}
	}
	if err := enc.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// BreakLines gives a text the line breaks of the one that it was made from: CRLF where
// the first line of that one ends so.
func BreakLines(text, like []byte) []byte {
	first, _, broken := bytes.Cut(like, []byte("\n"))
	if !broken || !bytes.HasSuffix(first, []byte("\r")) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}

// Block gives a document that is written as JSON the look of YAML.
func Block(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle
	if n.Style&yaml.DoubleQuotedStyle != 0 {
		n.Style = n.Style&^yaml.DoubleQuotedStyle | textStyle(n.Value)
	}
	for _, c := range n.Content {
		Block(c)
	}
}

// older are texts that YAML 1.1 reads as truth values or numbers, and the encoder does
// not quote.
var older = pattern.New(`^([yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?)$`)

// textStyle is the style in which every reader takes a text for one.
func textStyle(text string) yaml.Style {
	if older.MatchString(text) {
		return yaml.DoubleQuotedStyle
	}
	return 0
}

// look is how a file is indented.
type look struct {
	indent        int  // of the first mapping below a key, or 0
	compact, seen bool // the first list below a key stands in the column of the key
}

func (l *look) at(n *yaml.Node) {
	for i, c := range n.Content {
		below := n.Kind == yaml.MappingNode && i%2 == 1 && c.Line > n.Content[i-1].Line && c.Style&yaml.FlowStyle == 0 && len(c.Content) > 0
		switch {
		case below && c.Kind == yaml.MappingNode && l.indent == 0:
			l.indent = c.Column - n.Content[i-1].Column
		case below && c.Kind == yaml.SequenceNode && !l.seen:
			l.seen, l.compact = true, c.Column == n.Content[i-1].Column
		}
		l.at(c)
	}
}
