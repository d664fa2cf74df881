package source

import (
	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Documents returns the documents of one file as the parser reads them, with their
// comments, tags and aliases. It reads no other file.
func Documents(name string, data []byte) ([]*yaml.Node, *diag.Diagnostic) {
	data = prefixed(data)
	if at := badText(data); at >= 0 {
		bad := badByte(posAt(name, data, at), data[at:])
		return nil, &bad
	}
	docs, err := documents(data)
	if err != nil {
		wrong := syntaxError(name, data, err)
		return nil, &wrong
	}
	return docs, nil
}

// Scalar gives a scalar its JSON form, or says why it has none. A tag that YAML does
// not define makes it text.
func Scalar(n *yaml.Node) (any, string) {
	if isCustom(n) {
		return n.Value, ""
	}
	v, problem := scalar(value.Pos{}, n)
	return v.Plain(nil), problem
}

// Tagged reports whether a node has a tag that YAML does not define for its kind.
func Tagged(n *yaml.Node) bool { return isCustom(n) }
