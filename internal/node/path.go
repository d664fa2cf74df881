package node

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/speakeasy-api/jsonpath/pkg/jsonpath"
	"github.com/speakeasy-api/jsonpath/pkg/jsonpath/config"
	"go.yaml.in/yaml/v3"
	mirror "gopkg.in/yaml.v3" //nolint:depguard // the JSONPath library works on its nodes, which nothing else here does

	"github.com/kongctl/kongctl/internal/pattern"
)

// Path is a JSONPath query (RFC 9535) that may end in ~, which selects keys.
type Path struct {
	text  string
	query *jsonpath.JSONPath
}

var pathError = pattern.New(`^Error at line \d+, column (\d+): ([^\n]*)`)

// Compile reads a path.
func Compile(text string) (p Path, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("it is not a JSONPath")
		}
	}()
	query, err := jsonpath.NewPath(text, config.WithPropertyNameExtension())
	if err == nil {
		return Path{text, query}, nil
	}
	if m := pathError.FindStringSubmatch(err.Error()); m != nil {
		at, _ := strconv.Atoi(m[1]) // the expression matches digits alone
		return Path{}, fmt.Errorf("%s at character %d", m[2], at+1)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return Path{}, errors.New(first)
}

// String is the path as it was written.
func (p Path) String() string { return p.text }

// Found is a node that a path selects, and where it stands.
type Found struct {
	Node *yaml.Node
	// Path selects this node alone; it ends in ~ for a key.
	Path string
}

// Tree is a document that paths are asked of. It is as the document was when the tree
// was made.
type Tree struct {
	root *mirror.Node
	of   map[*mirror.Node]Found
}

// NewTree makes a tree of a document or of a part of it that stands at a path.
func NewTree(n *yaml.Node, at string) *Tree {
	t := &Tree{of: map[*mirror.Node]Found{}}
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	t.root = t.add(n, at)
	return t
}

func (t *Tree) add(n *yaml.Node, at string) *mirror.Node {
	out := &mirror.Node{Kind: mirror.Kind(n.Kind), Tag: n.Tag, Value: n.Value}
	t.of[out] = Found{n, at}
	for i, c := range n.Content {
		switch {
		case n.Kind != yaml.MappingNode:
			out.Content = append(out.Content, t.add(c, at+"["+strconv.Itoa(i)+"]"))
		case i%2 == 0:
			out.Content = append(out.Content, t.add(c, Below(at, c.Value)+"~"))
		default:
			out.Content = append(out.Content, t.add(c, Below(at, n.Content[i-1].Value)))
		}
	}
	return out
}

// Select returns what a path selects, in the order of the document.
func (t *Tree) Select(p Path) (out []Found, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("the path %s cannot be evaluated", p.text)
		}
	}()
	for _, n := range p.query.Query(t.root) {
		if found, ok := t.of[n]; ok {
			out = append(out, found)
		}
	}
	return out, nil
}

var plainKey = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Below is the path of a key of the mapping at a path.
func Below(at, key string) string {
	if plainKey.MatchString(key) {
		return at + "." + key
	}
	return at + "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(key) + "']"
}
