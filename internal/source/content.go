package source

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// content is a file that a document names.
type content struct {
	name    string
	data    []byte
	sum     string
	problem *problem
	parsed  *parsed
}

// parsed is a file that parts are taken from: JSON or the first document of
// YAML.
type parsed struct {
	data    any
	node    *yaml.Node
	problem *problem
}

func (c *content) whole() (any, *problem) {
	kind := imageType(c.name, c.data)
	switch {
	case kind != "":
		return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(c.data), nil
	case imageExtension(c.name):
		return nil, &problem{
			diag.SrcBadTag, fmt.Sprintf("%q has the name of an image and is not one.", c.name),
			"check the file: a pointer of a large-file store looks like this.",
		}
	case !isText(c.data):
		return nil, notText(c.name)
	default:
		return string(c.data), nil
	}
}

// part returns the plain data that a path leads to.
func (c *content) part(path string) (any, *problem) {
	if c.parsed == nil {
		c.parsed = c.parse()
	}
	if c.parsed.problem != nil {
		return nil, c.parsed.problem
	}
	missing := &problem{
		diag.SrcExtract, fmt.Sprintf("%q has nothing at %q.", c.name, path),
		"correct the path: keys are joined by dots, places in a list are [0], [1] and so on.",
	}
	segments := value.ParsePath(path)
	if c.parsed.node == nil {
		data, ok := partOfData(c.parsed.data, segments)
		if !ok {
			return nil, missing
		}
		if _, reason := value.UnfitIn(data); reason != "" {
			return nil, &problem{diag.SrcExtract, fmt.Sprintf("%q cannot be used at %q: A number there %s.", c.name, path, reason), numberFix}
		}
		return data, nil
	}
	node := partOfNode(c.parsed.node, segments)
	if node == nil {
		return nil, missing
	}
	var diags diag.List
	v := newConverter(&file{name: c.name}, nil, &diags).value(node, mode{tags: noTag})
	if len(diags) > 0 {
		return nil, &problem{diag.SrcExtract, fmt.Sprintf("%q cannot be used at %q: %s", c.name, path, diags[0].Detail), diags[0].Fix}
	}
	return v.Plain(nil), nil
}

// Parsed reads a text as JSON or as the first document of YAML, without tags. It
// reports whether the text holds a mapping or a list.
func Parsed(name, text string) (any, bool) {
	data, p := (&content{name: name, data: []byte(text)}).part("")
	switch data.(type) {
	case map[string]any, []any:
		return data, p == nil
	default:
		return nil, false
	}
}

// scalarPart is part for where only text will do. It tells nothing of the
// content.
func (c *content) scalarPart(path string) (string, *problem) {
	data, p := c.part(path)
	if p != nil {
		return "", &problem{diag.SrcExtract, fmt.Sprintf("nothing usable at %q.", path), ""}
	}
	switch d := data.(type) {
	case string:
		return d, nil
	case fmt.Stringer: // json.Number
		return d.String(), nil
	default:
		return "", &problem{diag.SrcExtract, fmt.Sprintf("no text at %q.", path), ""}
	}
}

func (c *content) parse() *parsed {
	data := bytes.TrimPrefix(c.data, []byte("\ufeff"))
	// JSON is tried first: YAML parsers refuse some of its escapes.
	if start := bytes.TrimSpace(data); bytes.HasPrefix(start, []byte("{")) || bytes.HasPrefix(start, []byte("[")) {
		if plain, err := value.Decode(data); err == nil {
			return &parsed{data: plain}
		}
	}
	roots, _, d := parse(c.name, data)
	switch {
	case d != nil:
		return &parsed{problem: &problem{diag.SrcExtract, fmt.Sprintf("%s is not JSON or YAML: %s", d.Pos, d.Detail), d.Fix}}
	case len(roots) == 0:
		return &parsed{problem: &problem{diag.SrcExtract, fmt.Sprintf("%q is empty.", c.name), "name another file."}}
	default:
		return &parsed{node: roots[0]}
	}
}

func partOfData(data any, path value.Path) (any, bool) {
	for _, segment := range path {
		next, ok := value.Get(data, value.Path{segment})
		if !ok {
			next, ok = value.Get(data, value.Path{"[" + segment + "]"})
		}
		if !ok {
			return nil, false
		}
		data = next
	}
	return data, true
}

func partOfNode(n *yaml.Node, path value.Path) *yaml.Node {
	for _, segment := range path {
		n = follow(n)
		switch {
		case n == nil || isCustom(n):
			return nil
		case n.Kind == yaml.SequenceNode:
			i, err := strconv.Atoi(strings.Trim(segment, "[]"))
			if err != nil || i < 0 || i >= len(n.Content) {
				return nil
			}
			n = n.Content[i]
		default:
			n = mergedChild(n, segment, map[*yaml.Node]bool{})
		}
	}
	return n
}

// mergedChild is childOf that looks into << as well, into each mapping once.
func mergedChild(n *yaml.Node, key string, seen map[*yaml.Node]bool) *yaml.Node {
	if n = follow(n); n == nil || seen[n] {
		return nil
	}
	seen[n] = true
	if child := childOf(n, key); child != nil || n.Kind != yaml.MappingNode {
		return child
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		for _, one := range mergedFrom(n.Content[i+1]) {
			if child := mergedChild(one, key, seen); child != nil {
				return child
			}
		}
	}
	return nil
}

// mergedFrom lists what the value of << merges in.
func mergedFrom(n *yaml.Node) []*yaml.Node {
	if list := follow(n); list != nil && list.Kind == yaml.SequenceNode {
		return list.Content
	}
	return []*yaml.Node{n}
}

// measure counts the values in plain data and how deep they are nested.
func measure(data any) (nodes, levels int) {
	nodes = 1
	add := func(child any) {
		n, l := measure(child)
		nodes += n
		levels = max(levels, l+1)
	}
	switch d := data.(type) {
	case map[string]any:
		for _, child := range d {
			add(child)
		}
	case []any:
		for _, child := range d {
			add(child)
		}
	}
	return nodes, levels
}

// imageType tells the media type of an image, "" for anything else. Bitmaps
// are known by their content; SVG is text and is meant as an image only when
// its name says so.
func imageType(name string, data []byte) string {
	if strings.EqualFold(filepath.Ext(name), ".svg") && bytes.Contains(data, []byte("<svg")) {
		return "image/svg+xml"
	}
	switch kind := http.DetectContentType(data); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/x-icon":
		return kind
	default:
		return ""
	}
}

func imageExtension(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp":
		return true
	default:
		return false
	}
}

func isText(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }
