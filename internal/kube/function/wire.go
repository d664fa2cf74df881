package function

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

const (
	listGroup   = "config.kubernetes.io/"
	listVersion = listGroup + "v1"
	listKind    = "ResourceList"
)

// list is what functions read and write.
type list struct {
	items   []*yaml.Node
	config  *yaml.Node
	results *yaml.Node
}

func isList(n *yaml.Node) bool {
	return text(field(n, "kind")) == listKind && strings.HasPrefix(text(field(n, "apiVersion")), listGroup)
}

// listOf reads a ResourceList from its root. All nodes are plain.
func listOf(root *yaml.Node) (*list, error) {
	root = plain(root)
	l := &list{config: field(root, "functionConfig"), results: field(root, "results")}
	items := field(root, "items")
	switch {
	case items == nil || items.ShortTag() == "!!null":
		return l, nil
	case items.Kind != yaml.SequenceNode:
		return nil, errors.New("the items of the ResourceList are not a list")
	}
	for i, item := range items.Content {
		if item.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("items[%d] of the ResourceList is not an object", i)
		}
		l.items = append(l.items, item)
	}
	return l, nil
}

// decodeList reads the one ResourceList that a function has written.
func decodeList(data []byte) (*list, error) {
	nodes, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("its output is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	switch {
	case len(nodes) == 0:
		return nil, errors.New("it wrote no ResourceList to its standard output")
	case len(nodes) > 1 || !isList(nodes[0].Content[0]):
		return nil, errors.New("its output is not one ResourceList of " + listVersion)
	}
	return listOf(nodes[0].Content[0])
}

// encode writes a ResourceList, and returns what a reader takes its items for:
// comments may change places on the way, and nothing else may.
func (l *list) encode() (data []byte, read []*yaml.Node, err error) {
	items := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: l.items}
	root := mapping(scalar("apiVersion"), scalar(listVersion), scalar("kind"), scalar(listKind), scalar("items"), items)
	if len(l.items) == 0 {
		items.Style = yaml.FlowStyle
	}
	if l.config != nil {
		set(root, "functionConfig", l.config)
	}
	if data, err = encode(root, false); err != nil {
		return nil, nil, err
	}
	back, err := decodeList(data)
	if err != nil || len(back.items) != len(l.items) {
		return nil, nil, errors.New("an object cannot be written to a ResourceList")
	}
	for i, n := range back.items {
		if !same(n, l.items[i]) {
			return nil, nil, inexact(l.items[i], annotation(l.items[i], pathKey))
		}
	}
	return data, back.items, nil
}

// inexact says that an object cannot be written without changing it.
func inexact(n *yaml.Node, file string) error {
	where := ""
	if file != "" {
		where = fmt.Sprintf(" (%s, line %d)", file, n.Line)
	}
	return fmt.Errorf("%s%s cannot be written without changing it; keys must be strings", idOf(n), where)
}

// encode writes a node as people write it.
func encode(n *yaml.Node, wide bool) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("it cannot be written as YAML")
		}
	}()
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if !wide {
		enc.CompactSeqIndent()
	}
	if err := errors.Join(enc.Encode(spelled(n, false)), enc.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// spelled returns a node whose scalars the encoder writes as what they are. It
// would make empty strings of nulls without a word within braces and brackets and
// as keys, and it adds lines to some folded texts.
func spelled(n *yaml.Node, inside bool) *yaml.Node {
	if n.Kind == yaml.ScalarNode {
		out := *n
		switch {
		case inside && n.Value == "" && n.ShortTag() == "!!null":
			out.Value = "null"
		case n.Style&(yaml.FoldedStyle|yaml.LiteralStyle) != 0 && !survives(n):
			out.Style = yaml.DoubleQuotedStyle
			if literal := (&yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value, Style: yaml.LiteralStyle}); survives(literal) {
				out.Style = yaml.LiteralStyle
			}
		}
		return &out
	}
	inside = inside || n.Style&yaml.FlowStyle != 0
	out := *n
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		out.Content[i] = spelled(c, inside || n.Kind == yaml.MappingNode && i%2 == 0)
	}
	return &out
}

// survives reports whether the encoder writes a text as what it is.
func survives(n *yaml.Node) bool {
	data, err := yaml.Marshal(n)
	if err != nil {
		return false
	}
	back, err := decode(data)
	return err == nil && len(back) == 1 && len(back[0].Content) == 1 && sameScalar(back[0].Content[0], n)
}

// encode writes an object as a document of a file.
func (i *Item) encode() ([]byte, error) {
	out, err := encode(&yaml.Node{Kind: yaml.DocumentNode, FootComment: i.foot, Content: []*yaml.Node{i.node}}, i.wide)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", idOf(i.node), err)
	}
	back, err := decode(out)
	if err != nil || len(back) != 1 || !same(plain(back[0].Content[0]), plain(i.node)) {
		return nil, inexact(i.node, i.path)
	}
	return slices.Concat(i.head, out), nil
}

// marked returns a copy of the object with annotations that say where it is from.
// prefix is the folder that paths are relative to.
func (i *Item) marked(prefix string) *yaml.Node {
	n := plain(i.node)
	var pairs []string
	if i.path != "" {
		name, number := below(prefix, i.path), strconv.Itoa(i.index)
		pairs = append(pairs, oldIndexKey, number, oldPathKey, name, indexKey, number, pathKey, name)
	}
	indent := "compact"
	if i.wide {
		indent = "wide"
	}
	annotate(n, append(pairs, indentKey, indent)...)
	return n
}

// below returns a path relative to a folder that it is in; "" is the root.
func below(folder, name string) string {
	if folder == "" {
		return name
	}
	return strings.TrimPrefix(name, folder+"/")
}
