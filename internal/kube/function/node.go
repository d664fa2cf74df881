package function

import (
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// follow returns what an alias stands for.
func follow(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// field returns the value of a key, or nil.
func field(n *yaml.Node, key string) *yaml.Node {
	n = follow(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return follow(n.Content[i+1])
		}
	}
	return nil
}

// text returns the value of a scalar, "" for anything else.
func text(n *yaml.Node) string {
	n = follow(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}

// set sets the value of a key, which comes last when it is new.
func set(n *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, scalar(key), value)
}

// unset removes a key.
func unset(n *yaml.Node, key string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}

func scalar(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

func mapping(pairs ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: pairs}
}

// plain returns a copy without aliases, anchors and merge keys: what the document
// means, and still with its comments.
func plain(n *yaml.Node) *yaml.Node {
	n = follow(n)
	if n == nil {
		return nil
	}
	out := *n
	out.Anchor, out.Alias, out.Content = "", nil, nil
	if n.Kind != yaml.MappingNode {
		for _, c := range n.Content {
			out.Content = append(out.Content, plain(c))
		}
		return &out
	}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], plain(n.Content[i+1])
		if key.ShortTag() != "!!merge" {
			out.Content = append(out.Content, plain(key), value)
			continue
		}
		if value.Kind == yaml.SequenceNode {
			merged = append(merged, value.Content...)
		} else {
			merged = append(merged, value)
		}
	}
	for _, m := range merged {
		for i := 0; i+1 < len(m.Content); i += 2 {
			if at(&out, m.Content[i]) == nil {
				out.Content = append(out.Content, m.Content[i], m.Content[i+1])
			}
		}
	}
	return &out
}

// at returns the value of the same key in another mapping, or nil.
func at(n, key *yaml.Node) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if sameScalar(n.Content[i], key) {
			return n.Content[i+1]
		}
	}
	return nil
}

func sameScalar(a, b *yaml.Node) bool {
	if a.Kind != yaml.ScalarNode || b.Kind != yaml.ScalarNode || a.ShortTag() != b.ShortTag() {
		return false
	}
	return a.Value == b.Value || a.ShortTag() == "!!null"
}

// same reports whether two plain nodes mean the same; comments, styles and the
// order of keys do not count.
func same(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return sameScalar(a, b)
	case yaml.MappingNode:
		for i := 0; i+1 < len(a.Content); i += 2 {
			if other := at(b, a.Content[i]); other == nil || !same(a.Content[i+1], other) {
				return false
			}
		}
		return true
	default:
		return slices.EqualFunc(a.Content, b.Content, same)
	}
}

// wideLists reports whether the first list in block form is indented below its key.
func wideLists(n *yaml.Node) (wide, known bool) {
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && c.Kind == yaml.SequenceNode && c.Style&yaml.FlowStyle == 0 && len(c.Content) > 0 {
			return c.Column > n.Content[i-1].Column, true
		}
		if wide, known := wideLists(c); known {
			return wide, true
		}
	}
	return false, false
}

// metadata that a package needs while functions run. Functions see it as
// annotations; files never hold it.
const (
	internalPrefix = "internal.config.kubernetes.io/"
	pathKey        = internalPrefix + "path"
	indexKey       = internalPrefix + "index"
	indentKey      = internalPrefix + "seqindent"
	idKey          = internalPrefix + "id"
	oldPathKey     = "config.kubernetes.io/path"
	oldIndexKey    = "config.kubernetes.io/index"
	oldIDKey       = "config.k8s.io/id"
	packageKey     = internalPrefix + "package-path"
	migrationKey   = internalPrefix + "annotations-migration-resource-id"
)

// ours are the annotations that are taken off before an object is written.
func ours() []string {
	return []string{pathKey, indexKey, indentKey, idKey, oldPathKey, oldIndexKey, oldIDKey, packageKey, migrationKey}
}

// annotation returns an annotation of an object.
func annotation(n *yaml.Node, key string) string {
	return text(field(field(field(n, "metadata"), "annotations"), key))
}

// annotate sets annotations of an object, in pairs.
func annotate(n *yaml.Node, pairs ...string) {
	meta := child(n, "metadata")
	annotations := child(meta, "annotations")
	for i := 0; i+1 < len(pairs); i += 2 {
		value := scalar(pairs[i+1])
		value.Style = yaml.SingleQuotedStyle
		set(annotations, pairs[i], value)
	}
}

// child returns the mapping below a key, which is made if missing.
func child(n *yaml.Node, key string) *yaml.Node {
	if c := field(n, key); c != nil && c.Kind == yaml.MappingNode {
		return c
	}
	c := mapping()
	set(n, key, c)
	return c
}

// strip takes our annotations off an object, and the mappings that are empty
// without them.
func strip(n *yaml.Node) {
	meta := field(n, "metadata")
	annotations := field(meta, "annotations")
	if annotations == nil || annotations.Kind != yaml.MappingNode || len(annotations.Content) == 0 {
		return
	}
	for _, key := range ours() {
		unset(annotations, key)
	}
	if len(annotations.Content) > 0 {
		return
	}
	unset(meta, "annotations")
	if len(meta.Content) == 0 {
		unset(n, "metadata")
	}
}
