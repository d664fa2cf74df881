package archtest

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// stumbling are words and phrases that a native engineer would not write here,
// and what to write instead.
var stumbling = []struct {
	form    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\banew\b`), "again, or the verb alone"},
	{regexp.MustCompile(`(?i)\bmend(s|ed|ing)?\b`), "fix"},
	{regexp.MustCompile(`(?i)\btold\b`), "reported, shown, known"},
	{regexp.MustCompile(`(?i)\bshall\b`), "will, must, is to"},
	{regexp.MustCompile(`(?i)\bstrays?\b`), "undeclared"},
	{regexp.MustCompile(`(?i)\b(goes|go|going) on\b`), "continues"},
	{regexp.MustCompile(`(?i)\b(is|are) none\b`), "does not exist, is not one, or nil"},
	{regexp.MustCompile(`(?i)\b(takes?|taken|comes?) along\b`), "also deletes, is included"},
	{regexp.MustCompile(`(?i)\bgrown apart\b`), "differ"},
	{regexp.MustCompile(`(?i)\bnobody can be\b`), "cannot"},
	{regexp.MustCompile(`(?i)\bas wanted\b`), "up to date"},
}

// TestEnglish asserts that code comments, messages and documents are free of them.
func TestEnglish(t *testing.T) {
	root := os.DirFS("../..")
	tree, err := load(root, "internal", "cmd")
	if err != nil {
		t.Fatal(err)
	}
	found, err := stumbles(root, tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

func TestStumbles(t *testing.T) {
	root := fstest.MapFS{
		"a.md":                 {Data: []byte("It shall be.\nFine.\n")},
		"docs/adr/0001-old.md": {Data: []byte("A record of its time: mended.\n")},
		"internal/p/p.go":      {Data: []byte("// Package p is none.\npackage p\n\nconst text = \"all is told\"\n")},
		"internal/p/p_test.go": {Data: []byte("package p\n\n// anew\n")},
	}
	tree, err := load(root, "internal")
	if err != nil {
		t.Fatal(err)
	}
	found, err := stumbles(root, tree)
	var where []string
	for _, f := range found {
		where = append(where, f.where)
	}
	slices.Sort(where)
	want := []string{"a.md:1", "internal/p/p.go:1", "internal/p/p.go:4"}
	if err != nil || !slices.Equal(where, want) {
		t.Errorf("found at %v, %v; want %v", where, err, want)
	}
}

// stumbles lists the places with such words: comments and texts of code that is
// not a test, and documents. Records of decisions stay as they were written.
func stumbles(root fs.FS, t *tree) ([]finding, error) {
	var out []finding
	look := func(where, text string) {
		for _, s := range stumbling {
			if word := s.form.FindString(text); word != "" {
				out = append(out, finding{where, fmt.Sprintf("says %q: write %s", word, s.instead)})
			}
		}
	}
	t.code(func(_ *pkg, f *file) {
		at := func(n ast.Node) string {
			p := t.fset.Position(n.Pos())
			return fmt.Sprintf("%s:%d", f.path, p.Line)
		}
		for _, group := range f.ast.Comments {
			for _, c := range group.List {
				look(at(c), c.Text)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				look(at(lit), lit.Value)
			}
			return true
		})
	})
	err := eachPage(root, []string{"docs/adr", "bin"}, func(name string, text []byte) {
		for i, line := range strings.Split(string(text), "\n") {
			look(fmt.Sprintf("%s:%d", name, i+1), line)
		}
	})
	return out, err
}
