// Package node holds YAML documents as nodes, with comments, tags and order as people
// wrote them, and selects parts of them by JSONPath.
//
// In: the bytes of one file. Out: nodes, what a path selects, and text again. It
// must never resolve a tag, read a file or know what a document means.
package node

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// most is how many values a file may have with its aliases written out.
const most = 1_000_000

// Parse returns the documents of a file. Aliases are written out, so that each
// node has one place.
func Parse(name string, data []byte) ([]*yaml.Node, error) {
	docs, problem := source.Documents(name, data)
	if problem != nil {
		return nil, diag.List{*problem}.Err()
	}
	p := &parser{name: name, active: map[*yaml.Node]bool{}}
	kept := docs[:0]
	for _, doc := range docs {
		if empty(doc) {
			continue
		}
		if aliased(doc) {
			doc.Content[0] = p.written(doc.Content[0])
		}
		p.check(doc.Content[0])
		kept = append(kept, doc)
	}
	if len(kept) == 0 {
		p.diags.Add(diag.SrcNotAMapping, value.Pos{File: name}, "The file has no document.", "write a document, or name another file.")
	}
	return kept, p.diags.Err()
}

// At is the place of a node.
func At(file string, n *yaml.Node) value.Pos {
	return value.Pos{File: file, Line: n.Line, Column: n.Column}
}

// Child returns the value of a key, or nil.
func Child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// Clone returns a copy of a node and of all below it.
func Clone(n *yaml.Node) *yaml.Node {
	out := *n
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		out.Content[i] = Clone(c)
	}
	return &out
}

func empty(doc *yaml.Node) bool {
	root := doc.Content[0]
	return root.Kind == yaml.ScalarNode && root.Tag == "!!null" && root.Value == ""
}

func aliased(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	for _, c := range n.Content {
		if aliased(c) {
			return true
		}
	}
	return false
}

// parser writes aliases out and looks for what no document may have.
type parser struct {
	name   string
	diags  diag.List
	active map[*yaml.Node]bool // anchors that are being written out
	nodes  int
}

// written is a node without aliases and anchors.
func (p *parser) written(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return p.alias(n)
	}
	if p.nodes++; p.nodes == most {
		p.diags.Add(diag.SrcTooManyNodes, At(p.name, n), fmt.Sprintf("With its aliases written out the file has more than %d values.", most), "use fewer aliases.")
	}
	out := *n
	out.Anchor, out.Content = "", nil
	if p.nodes >= most {
		return &out
	}
	p.active[n] = true
	defer delete(p.active, n)
	var merged *yaml.Node
	for i, c := range n.Content {
		switch {
		case n.Kind != yaml.MappingNode:
			out.Content = append(out.Content, p.written(c))
		case i%2 == 1:
		case c.Tag == "!!merge":
			merged = p.written(n.Content[i+1])
		default:
			out.Content = append(out.Content, p.written(c), p.written(n.Content[i+1]))
		}
	}
	merge(&out, merged)
	return &out
}

func (p *parser) alias(n *yaml.Node) *yaml.Node {
	if p.active[n.Alias] {
		p.diags.Add(diag.SrcBadScalar, At(p.name, n), "The alias stands inside the value that it stands for.", "write the value out instead of the alias.")
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line, Column: n.Column}
	}
	out := p.written(n.Alias)
	out.HeadComment, out.LineComment, out.FootComment = n.HeadComment, n.LineComment, n.FootComment
	return out
}

// merge adds the keys that the value of << has and the mapping has not.
func merge(into, from *yaml.Node) {
	if from == nil {
		return
	}
	if from.Kind == yaml.SequenceNode {
		for _, c := range from.Content {
			merge(into, c)
		}
		return
	}
	for i := 0; i+1 < len(from.Content); i += 2 {
		if Child(into, from.Content[i].Value) == nil {
			into.Content = append(into.Content, from.Content[i], from.Content[i+1])
		}
	}
}

// check reports keys that a mapping has twice.
func (p *parser) check(n *yaml.Node) {
	seen := map[string]int{}
	for i, c := range n.Content {
		p.check(c)
		if n.Kind != yaml.MappingNode || i%2 == 1 || c.Kind != yaml.ScalarNode {
			continue
		}
		if first, twice := seen[c.Value]; twice {
			p.diags.Add(diag.SrcDuplicateKey, At(p.name, c), fmt.Sprintf("The key %q stands on line %d already.", c.Value, first), "keep one of the two.")
			continue
		}
		seen[c.Value] = c.Line
	}
}
