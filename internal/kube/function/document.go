package function

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// kind says what a document holds.
type kind uint8

const (
	objectDocument kind = iota
	groupDocument       // a ResourceGroup
	metaDocument        // a Kptfile, or the configuration of a function
	otherDocument       // nothing, comments alone, or a file of another tool
)

// document is one document of a file, with its bytes.
type document struct {
	// lead is the line that separates it from the one before, "" for a first
	// document without one.
	lead, body []byte
	kind       kind
	root       *yaml.Node
	// index is the position among the documents that hold something.
	index      int
	head, foot string
}

// file is a file with objects.
type file struct {
	path      string
	data      []byte
	mark      []byte // a byte order mark
	crlf      bool
	documents []*document
}

var byteOrderMark = []byte("\ufeff")

// separator is a line that begins a document; what follows in the line belongs to
// the document.
var separator = regexp.MustCompile(`(?m)^---(?:[ \t]*\r?(?:\n|\z)|[ \t])`)

// parse reads the documents of a file. shown is its name in messages.
func parse(name, shown string, data []byte) (*file, diag.List) {
	f := &file{path: name, data: data, crlf: bytes.Contains(data, []byte("\r\n"))}
	if rest, found := bytes.CutPrefix(data, byteOrderMark); found {
		f.mark, data = byteOrderMark, rest
	}
	var problems diag.List
	line, index := 0, 0
	for _, d := range split(data) {
		problems = append(problems, d.read(shown, line+bytes.Count(d.lead, []byte("\n")))...)
		line += bytes.Count(d.lead, []byte("\n")) + bytes.Count(d.body, []byte("\n"))
		d.index = index
		if d.root != nil {
			index++
		}
		f.documents = append(f.documents, d)
	}
	return f, problems
}

// split cuts a file at its separators. Directives belong to the document that
// follows.
func split(data []byte) []*document {
	var out []*document
	var lead []byte
	for start := 0; ; {
		cut := separator.FindIndex(data[start:])
		end := len(data)
		if cut != nil {
			end = start + cut[0]
		}
		body := data[start:end]
		switch {
		case bytes.HasPrefix(bytes.TrimLeft(body, " \r\n"), []byte("%")) && cut != nil && len(lead) == 0:
			lead = data[:start+cut[1]]
			start += cut[1]
			continue
		case start > 0 || len(body) > 0:
			out = append(out, &document{lead: lead, body: body})
		}
		if cut == nil {
			return out
		}
		lead = data[end : start+cut[1]]
		start += cut[1]
	}
}

// read parses the content of a document that begins after some lines.
func (d *document) read(shown string, line int) diag.List {
	d.kind = otherDocument
	// Positions are those of the file.
	nodes, err := decode(append(bytes.Repeat([]byte("\n"), line), d.body...))
	if err != nil {
		return diag.List{syntax(shown, err)}
	}
	if len(nodes) == 0 || len(nodes[0].Content) == 0 || nodes[0].Content[0].ShortTag() == "!!null" {
		return nil
	}
	if len(nodes) > 1 {
		pos := value.Pos{File: shown, Line: nodes[1].Line, Column: nodes[1].Column}
		return diag.List{diag.New(diag.SrcSyntax, pos, `A document begins here without a line "---" before it.`, `put a line "---" before it.`)}
	}
	doc := nodes[0]
	d.root = doc.Content[0]
	d.head, d.foot = doc.HeadComment, doc.FootComment
	if d.root.Kind == yaml.MappingNode && len(d.root.Content) > 0 && d.root.Style&yaml.FlowStyle == 0 {
		// A comment above the first key is one above the object.
		d.head = comments(d.head, d.root.HeadComment, d.root.Content[0].HeadComment)
		d.root.HeadComment, d.root.Content[0].HeadComment = "", ""
	}
	return duplicates(shown, d.root)
}

// decode parses all documents of a text.
func decode(data []byte) (nodes []*yaml.Node, err error) {
	// The parser panics on a few malformed inputs that it should refuse.
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the parser cannot read this")
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var n yaml.Node
		switch err := dec.Decode(&n); {
		case errors.Is(err, io.EOF):
			return nodes, nil
		case err != nil:
			return nil, err
		}
		nodes = append(nodes, &n)
	}
}

var parserWords = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)

// syntax makes a diagnostic of what the parser says, which is text alone.
func syntax(shown string, err error) diag.Diagnostic {
	pos, words := value.Pos{File: shown}, err.Error()
	if m := parserWords.FindStringSubmatch(words); m != nil {
		// No line: 0, which is not shown.
		_, _ = fmt.Sscan(m[1], &pos.Line)
		words = m[2]
	}
	return diag.New(diag.SrcSyntax, pos, fmt.Sprintf("The YAML parser says: %s.", words), "correct the YAML around this line; if the file is a template or no YAML, list it in .krmignore.")
}

// duplicates finds keys that a mapping has twice.
func duplicates(shown string, n *yaml.Node) diag.List {
	var out diag.List
	if n.Kind == yaml.MappingNode {
		seen := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				continue
			}
			if line, twice := seen[key.Value]; twice {
				out.Add(diag.SrcDuplicateKey, pos(shown, key), fmt.Sprintf("The key %q is already in line %d.", key.Value, line), "remove one of them.")
			}
			seen[key.Value] = key.Line
		}
	}
	for _, c := range n.Content {
		out = append(out, duplicates(shown, c)...)
	}
	return out
}

func pos(shown string, n *yaml.Node) value.Pos {
	return value.Pos{File: shown, Line: n.Line, Column: n.Column}
}

func posOf(shown string) value.Pos { return value.Pos{File: shown} }

// classify finds out what a document with content is.
func (d *document) classify(base, shown string) diag.List {
	version, kindOf := text(field(d.root, "apiVersion")), text(field(d.root, "kind"))
	if group := holdsGroup(d.root); group != nil {
		return diag.List{diag.New(diag.FnNotAnObject, pos(shown, group), fmt.Sprintf("The list holds the %s, which functions never get.", idOf(group)), "put the ResourceGroup into a document of its own.")}
	}
	switch {
	case isGroup(d.root):
		d.kind = groupDocument
	case base == kptfile:
		d.kind = metaDocument
	case version == "" && kindOf == "" && strings.HasPrefix(base, "kustomization.y"):
		d.kind = otherDocument // kustomize knows its file by its name
	case version == "" || kindOf == "":
		missing := "apiVersion"
		if version != "" {
			missing = "kind"
		}
		return diag.List{diag.New(diag.FnNotAnObject, pos(shown, d.root), fmt.Sprintf("The document has no %s.", missing), "add it, or list the file in .krmignore.")}
	default:
		d.kind = objectDocument
	}
	return nil
}

// item makes an item of a document.
func (d *document) item(name string) *Item {
	wide, _ := wideLists(d.root)
	return &Item{node: d.root, path: name, index: d.index, wide: wide, head: d.head, foot: d.foot, from: d}
}
