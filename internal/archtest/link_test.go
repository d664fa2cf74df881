package archtest

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	reader "github.com/yuin/goldmark/text"
)

// TestLinks asserts that every relative link of a document leads to a file, and
// to a heading where it names one, and that every page is found from README.md
// with two clicks.
func TestLinks(t *testing.T) {
	docs, err := readDocuments(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range docs.deadLinks() {
		t.Error(f)
	}
	for _, f := range docs.farPages("README.md", "docs/", 2) {
		t.Error(f)
	}
	links := 0
	for _, d := range docs.pages {
		links += len(d.links)
	}
	if links < 100 {
		t.Errorf("only %d links were found in the documents: has their form changed?", links)
	}
}

// documents are the Markdown files of a tree.
type documents struct {
	root  fs.FS
	names []string
	pages map[string]*document
}

type document struct {
	links   []string // relative ones
	anchors map[string]bool
}

func readDocuments(root fs.FS) (*documents, error) {
	docs := &documents{root: root, pages: map[string]*document{}}
	err := eachPage(root, []string{"bin", "dist"}, func(name string, text []byte) {
		docs.names = append(docs.names, name)
		docs.pages[name] = readDocument(text)
	})
	return docs, err
}

// htmlLink is a link or a picture in HTML.
var htmlLink = regexp.MustCompile(`(?:href|src|srcset)="([^"]+)"`)

func readDocument(raw []byte) *document {
	d := &document{anchors: map[string]bool{}}
	link := func(to string) {
		if u, err := url.Parse(to); err == nil && u.Scheme == "" && u.Host == "" && !strings.HasPrefix(to, "/") {
			d.links = append(d.links, to)
		}
	}
	html := func(text string) {
		for _, m := range htmlLink.FindAllStringSubmatch(text, -1) {
			link(m[1])
		}
	}
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(reader.NewReader(raw))
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			d.anchor(headingText(n, raw))
		case *ast.Link:
			link(string(n.Destination))
		case *ast.Image:
			link(string(n.Destination))
		case *ast.RawHTML:
			html(string(n.Segments.Value(raw)))
		case *ast.HTMLBlock:
			html(string(n.Lines().Value(raw)))
		}
		return ast.WalkContinue, nil
	})
	return d
}

// headingText is the text of a heading without its marks.
func headingText(n ast.Node, raw []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(raw))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// anchor adds the anchor that code hosts give a heading: small letters, digits,
// "-" and "_", and a number where the text is there already.
func (d *document) anchor(heading string) {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	name := b.String()
	for i := 1; d.anchors[name]; i++ {
		name = fmt.Sprintf("%s-%d", b.String(), i)
	}
	d.anchors[name] = true
}

// target resolves a link of a page: a path of the tree, and an anchor or "".
func target(from, link string) (name, anchor string) {
	name, anchor, _ = strings.Cut(link, "#")
	if name == "" {
		return from, anchor
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return path.Join(path.Dir(from), name), anchor
}

func (docs *documents) deadLinks() []finding {
	var out []finding
	for _, from := range docs.names {
		for _, link := range docs.pages[from].links {
			name, anchor := target(from, link)
			if !exists(docs.root, name) {
				out = append(out, finding{from, "the link to " + name + " leads nowhere"})
			} else if page := docs.pages[name]; anchor != "" && (page == nil || !page.anchors[anchor]) {
				out = append(out, finding{from, name + " has no heading #" + anchor})
			}
		}
	}
	return out
}

// farPages are the pages below a folder that cannot be reached from another one
// with so many clicks. A folder shows its README.md and lists its files.
func (docs *documents) farPages(start, folder string, clicks int) []finding {
	near := map[string]bool{start: true}
	for range clicks {
		next := map[string]bool{}
		for from := range near {
			next[from] = true
			for _, to := range docs.leadsTo(from) {
				next[to] = true
			}
		}
		near = next
	}
	var out []finding
	for _, name := range docs.names {
		if strings.HasPrefix(name, folder) && !near[name] {
			out = append(out, finding{name, fmt.Sprintf("is more than %d clicks from %s", clicks, start)})
		}
	}
	return out
}

// leadsTo are the files and folders that a page, or a folder, leads to.
func (docs *documents) leadsTo(from string) []string {
	var out []string
	page := docs.pages[from]
	if page == nil {
		for _, name := range docs.names {
			if path.Dir(name) == from {
				out = append(out, name)
			}
		}
		from = path.Join(from, "README.md")
		page = docs.pages[from]
	}
	if page != nil {
		for _, link := range page.links {
			name, _ := target(from, link)
			out = append(out, name)
		}
	}
	return out
}

// TestDeadLinks feeds documents with links that lead somewhere and nowhere.
func TestDeadLinks(t *testing.T) {
	docs, err := readDocuments(fstest.MapFS{
		"README.md":   {Data: []byte("[a](docs/a.md) [f](docs/f) ![p](no.png) <img src=\"docs/p.svg\"> `[code](no.md)`\n\n```\n[block](no.md)\n```\n")},
		"docs/a.md":   {Data: []byte("# One: `two` & three\n## Same\n## Same\n[b](b.md#x) [up](../README.md#no) [own](#one-two--three) [second](#same-1) [third](#same-2) [web](https://example.org/no.md) [root](/no)\n")},
		"docs/b.md":   {Data: []byte("# X\n\n[c](c.md)")},
		"docs/c.md":   {Data: []byte("# C")},
		"docs/f/d.md": {Data: []byte("# D")},
		"docs/p.svg":  {Data: []byte("<svg/>")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []finding{
		{"README.md", "the link to no.png leads nowhere"},
		{"docs/a.md", "README.md has no heading #no"},
		{"docs/a.md", "docs/a.md has no heading #same-2"},
	}
	if got := docs.deadLinks(); !slices.Equal(got, want) {
		t.Errorf("deadLinks: %v, want %v", got, want)
	}
	far := []finding{{"docs/c.md", "is more than 2 clicks from README.md"}}
	if got := docs.farPages("README.md", "docs/", 2); !slices.Equal(got, far) {
		t.Errorf("farPages: %v, want %v", got, far)
	}
}
