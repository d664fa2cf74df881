package source

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"kongctl/internal/value"
)

// Part returns the value at a path of one of the documents of a file, counted
// from 0. Tags are not evaluated: a part that has one is refused. The error never
// holds anything of the content.
func Part(data []byte, document int, path string) (any, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
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
	var out any
	if err := n.Decode(&out); err != nil {
		return nil, fmt.Errorf("%s cannot be read", path)
	}
	if tagged(n, map[*yaml.Node]bool{}) {
		return nil, fmt.Errorf("%s has a tag", path)
	}
	return out, nil
}

// below is the node that one step of a path leads to; nil where there is none.
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
