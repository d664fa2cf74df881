package source

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// FileError is a part that is the content of another file: a !file tag.
type FileError struct{ Path, Extract string }

func (e *FileError) Error() string { return "the value is the content of " + e.Path }

// Part returns the value at a path of one of the documents of a file, counted
// from 0. Tags are not evaluated: a part that has one is refused, and one that is
// the content of a file is a FileError. The error never holds anything of the
// content.
func Part(data []byte, document int, path string) (any, error) {
	dec := yaml.NewDecoder(bytes.NewReader(prefixed(data)))
	var root yaml.Node
	for range document + 1 {
		root = yaml.Node{}
		if err := dec.Decode(&root); err != nil {
			return nil, fmt.Errorf("there is no document %d", document)
		}
	}
	n := &root
	if len(root.Content) > 0 {
		n = follow(root.Content[0])
	}
	for _, step := range value.ParsePath(path) {
		if n = below(n, step); n == nil {
			return nil, fmt.Errorf("there is no %s", path)
		}
	}
	if n.Tag == tagFile {
		var diags diag.List
		name, extract, ok := newConverter(&file{}, nil, &diags).nameAndPart(n, "path")
		if !ok {
			return nil, fmt.Errorf("%s cannot be read", path)
		}
		return nil, &FileError{Path: name, Extract: extract}
	}
	var out any
	if err := n.Decode(&out); err != nil {
		return nil, fmt.Errorf("%s cannot be read", path)
	}
	if tagged(n, map[*yaml.Node]bool{}) {
		return nil, fmt.Errorf("%s has a tag", path)
	}
	return out, nil
}

// below is the node that one step of a path leads to, or nil.
func below(n *yaml.Node, step string) *yaml.Node {
	if n.Kind != yaml.SequenceNode {
		return childOf(n, step)
	}
	i, err := strconv.Atoi(strings.Trim(step, "[]"))
	if err != nil || i < 0 || i >= len(n.Content) {
		return nil
	}
	return follow(n.Content[i])
}

// tagged reports whether a tag of this program stands in a node.
func tagged(n *yaml.Node, seen map[*yaml.Node]bool) bool {
	if n = follow(n); seen[n] {
		return false
	}
	seen[n] = true
	return isCustom(n) || slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return tagged(child, seen) })
}

// Content is what a !file tag makes of a file. The error never holds anything of
// the content.
func Content(name string, data []byte, extract string) (any, error) {
	c := &content{name: name, data: data}
	if extract == "" {
		out, p := c.whole()
		if p != nil {
			return nil, fmt.Errorf("%s: %w", name, p)
		}
		return out, nil
	}
	out, p := c.part(extract)
	if p != nil {
		return nil, fmt.Errorf("%s has nothing usable at %q", name, extract)
	}
	return out, nil
}
