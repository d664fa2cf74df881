package catalog

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// TakesDocument reports whether a field holds a document as a text, so that people may
// write the mapping that it says in its place.
func TakesDocument(b *Bound, path []string) bool {
	if f, ok := b.Format(path); !ok || f != Document {
		return false
	}
	s := b.Write().At(path, nil)
	return s != nil && s.Deref().Type == "string"
}

// HoldsMapping reports whether a text is JSON or YAML that begins with a mapping, which
// every document is.
func HoldsMapping(text string) bool {
	if strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text)) {
		return true
	}
	var root yaml.Node
	return yaml.Unmarshal([]byte(strings.TrimPrefix(text, byteOrderMark)), &root) == nil && len(root.Content) == 1 && root.Content[0].Kind == yaml.MappingNode
}

// withDocuments puts the texts of documents in the place of the mappings that people
// write.
func withDocuments(b *Bound, v value.Value) (value.Value, diag.List) {
	var diags diag.List
	out := v.Map(func(p value.Path, v value.Value) value.Value {
		if !isDocument(v) || !TakesDocument(b, p.Generic()) {
			return v
		}
		text, problems := documentText(p[len(p)-1], v)
		diags = append(diags, problems...)
		return value.StringAt(v.Pos(), text)
	})
	return out, diags
}

// isDocument reports whether a document is written as a mapping. An empty one says nothing.
func isDocument(v value.Value) bool { return v.Kind() == value.Map && len(v.Entries()) > 0 }

// inlineSpec is a specification that is written as a mapping, under spec or directly in
// its place.
func inlineSpec(spec value.Value) (doc value.Value, key string, inline bool) {
	if content := spec.Field(Content); isDocument(content) {
		return content, Content, true
	}
	return spec, "spec", spec.Has("openapi") || spec.Has("asyncapi") || spec.Has("swagger")
}

// documentText is the text of a document that is written as a mapping, of a key.
// Expressions are not read inside of it.
func documentText(key string, doc value.Value) (string, diag.List) {
	var diags diag.List
	doc.Walk(func(_ value.Path, v value.Value) bool {
		if e := v.Expr(); e != nil && e.Op != value.OpNone {
			diags.Add(diag.SrcTagNesting, v.Pos(), fmt.Sprintf("A specification is sent as it is written, and !%s cannot stand inside it.", e.Op), fmt.Sprintf("write the value itself, or keep the specification in a file: %s: !file openapi.yaml.", key))
		}
		return true
	})
	raw, err := json.MarshalIndent(doc.Plain(func(value.Path, *value.Expression) any { return nil }), "", "  ")
	if err != nil { // a number that JSON does not have
		diags.Add(diag.ValType, doc.Pos(), "A specification cannot be sent with what is written here: "+err.Error()+".", fmt.Sprintf("keep the specification in a file: %s: !file openapi.yaml.", key))
	}
	return string(raw), diags
}
