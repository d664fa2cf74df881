package function

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
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
	index int
	// head holds the lines above the object, foot the comment below.
	head []byte
	foot string
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

// separator finds the next line that begins a document, and where its content
// begins: behind the line, or in it.
func separator(data []byte, start int) (from, to int, found bool) {
	for at := start; at < len(data); {
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if rest, ok := bytes.CutPrefix(data[at:end], []byte("---")); ok && (at == 0 || data[at-1] == '\n') {
			switch {
			case len(bytes.TrimSpace(rest)) == 0:
				return at, end, true
			case rest[0] == ' ' || rest[0] == '\t':
				return at, at + len("--- "), true
			}
		}
		at = end
	}
	return 0, 0, false
}

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
		end, next, found := separator(data, start)
		if !found {
			end = len(data)
		}
		body := data[start:end]
		switch {
		case found && len(lead) == 0 && bytes.HasPrefix(bytes.TrimLeft(body, " \r\n"), []byte("%")):
			lead, start = data[:next], next
			continue
		case start > 0 || len(body) > 0:
			out = append(out, &document{lead: lead, body: body})
		}
		if !found {
			return out
		}
		lead, start = data[end:next], next
	}
}

// read parses the content of a document that begins after some lines.
func (d *document) read(shown string, line int) diag.List {
	d.kind = otherDocument
	nodes, err := decode(d.body)
	if err != nil {
		return diag.List{syntax(shown, line, err)}
	}
	for _, n := range nodes {
		shift(n, line)
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
	d.foot = doc.FootComment
	d.head = above(d.body, d.root.Line-1-line)
	d.root.HeadComment = ""
	if len(d.root.Content) > 0 {
		d.root.Content[0].HeadComment = "" // it is above the object
	}
	return duplicates(shown, d.root)
}

// above returns the first lines of a document, which hold comments.
func above(body []byte, lines int) []byte {
	end := 0
	for range lines {
		next := bytes.IndexByte(body[end:], '\n') + 1
		line := bytes.TrimSpace(body[end : end+next])
		if len(line) > 0 && line[0] != '#' {
			return nil
		}
		end += next
	}
	return body[:end]
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
		budget := maxRepeated
		if !affordable(&n, false, &budget) {
			return nil, errTooLarge
		}
		nodes = append(nodes, &n)
	}
}

// maxRepeated bounds how many nodes aliases may repeat: a few lines can stand for
// billions, and an anchor can hold itself.
const maxRepeated = 200_000

var errTooLarge = errors.New("aliases repeat too much")

// affordable reports whether a node can be written out without aliases.
func affordable(n *yaml.Node, repeated bool, budget *int) bool {
	if n.Kind == yaml.AliasNode {
		return affordable(n.Alias, true, budget)
	}
	if repeated {
		if *budget--; *budget < 0 {
			return false
		}
	}
	for _, c := range n.Content {
		if !affordable(c, repeated, budget) {
			return false
		}
	}
	return true
}

// shift moves positions down by some lines.
func shift(n *yaml.Node, lines int) {
	n.Line += lines
	for _, c := range n.Content {
		shift(c, lines)
	}
}

// syntax makes a diagnostic of what the parser says, which is text alone.
func syntax(shown string, above int, err error) diag.Diagnostic {
	if errors.Is(err, errTooLarge) {
		return diag.New(diag.SrcTooManyNodes, value.Pos{File: shown, Line: above + 1}, "Aliases repeat more than 200,000 nodes of the document.", "write out what the aliases stand for.")
	}
	pos, words := value.Pos{File: shown}, strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, found := strings.CutPrefix(words, "line "); found {
		number, said, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			pos.Line, words = above+line, said
		}
	}
	return diag.New(diag.SrcSyntax, pos, fmt.Sprintf("The YAML parser says: %s.", words), "correct the YAML around this line"+orIgnoreTemplate)
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
	case version == resultVersion && kindOf == resultKind:
		d.kind = otherDocument // what --results-dir wrote
	case version == "" && kindOf == "" && strings.HasPrefix(base, "kustomization.y"):
		d.kind = otherDocument // kustomize knows its file by its name
	case version == "" || kindOf == "":
		missing := "apiVersion"
		if version != "" {
			missing = "kind"
		}
		return diag.List{diag.New(diag.FnNotAnObject, pos(shown, d.root), fmt.Sprintf("The document has no %s.", missing), "add it"+orIgnore)}
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
