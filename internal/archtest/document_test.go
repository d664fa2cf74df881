package archtest

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestDocuments asserts that the paths and names in all documents lead somewhere.
func TestDocuments(t *testing.T) {
	root := os.DirFS("../..")
	tree, err := load(root, "internal", "cmd", "bench", "test")
	if err != nil {
		t.Fatal(err)
	}
	found, seen, err := deadPaths(root, tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
	if seen < 50 {
		t.Errorf("only %d paths were found in the documents: has their form changed?", seen)
	}
}

// pathForm is a path in backticks, with the name of something that is declared
// there or not: `internal/source/load.go:Load`.
var pathForm = regexp.MustCompile("`((?:internal|cmd|docs|test|examples|bench|tools)/[^`\\s:]*)(?::([A-Za-z_.]+))?`")

// deadPaths finds paths and names in documents that lead nowhere, and
// returns how many it looked at. Markdown of examples is configuration.
func deadPaths(root fs.FS, t *tree) (out []finding, seen int, err error) {
	err = eachPage(root, []string{"examples", "bin"}, func(name string, text []byte) {
		for i, line := range strings.Split(string(text), "\n") {
			where := fmt.Sprintf("%s:%d", name, i+1)
			for _, m := range pathForm.FindAllStringSubmatch(line, -1) {
				seen++
				if !exists(root, m[1]) {
					out = append(out, finding{where, m[1] + " does not exist"})
				} else if m[2] != "" && !t.declares(m[1], m[2]) {
					out = append(out, finding{where, m[1] + " does not declare " + m[2]})
				}
			}
		}
	})
	return out, seen, err
}

// eachPage reads every page of Markdown, but for those in folders that are left out.
func eachPage(root fs.FS, leftOut []string, do func(name string, text []byte)) error {
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (skipDir(d.Name()) != nil || slices.Contains(leftOut, name)):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err == nil {
			do(name, text)
		}
		return err
	})
}

// exists reports whether a path, or a pattern, names something.
func exists(root fs.FS, name string) bool {
	name = strings.TrimSuffix(name, "/")
	if strings.ContainsAny(name, "*?[") {
		found, err := fs.Glob(root, name)
		return err == nil && len(found) > 0
	}
	_, err := fs.Stat(root, name)
	return err == nil
}

// declares reports whether a file declares a name at its top level; the last
// part of the name of a method is enough.
func (t *tree) declares(file, name string) bool {
	for _, p := range t.pkgs {
		for _, f := range p.files {
			if f.path != file {
				continue
			}
			for _, d := range f.ast.Decls {
				if declared(d, name) {
					return true
				}
			}
		}
	}
	return false
}

func declared(d ast.Decl, name string) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		full := d.Name.Name
		if d.Recv != nil && strings.Contains(name, ".") {
			full = receiver(d) + "." + full
		}
		return full == name
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.Name == name {
					return true
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.Name == name {
						return true
					}
				}
			}
		}
	}
	return false
}

// receiver is the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	e := d.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if generic, ok := e.(*ast.IndexExpr); ok {
		e = generic.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// TestDeadPaths feeds documents with paths that lead somewhere and nowhere.
func TestDeadPaths(t *testing.T) {
	root := fstest.MapFS{
		"docs/a.md":       {Data: []byte("`internal/p/p.go:F` `internal/p/p.go:T.M` `internal/p/p.go:G` `internal/q` `internal/p/*.go`\n`not/a/path`")},
		"c.md":            {Data: []byte("`internal/p/`")},
		"internal/p/p.go": {Data: []byte("package p\nfunc F() {}\ntype T[K any] struct{}\nfunc (t *T[K]) M() {}")},
	}
	tree, err := load(root, "internal")
	if err != nil {
		t.Fatal(err)
	}
	got, seen, err := deadPaths(root, tree)
	want := []finding{
		{"docs/a.md:1", "internal/p/p.go does not declare G"},
		{"docs/a.md:1", "internal/q does not exist"},
	}
	if err != nil || seen != 6 || !slices.Equal(got, want) {
		t.Errorf("deadPaths: %v, %d seen, %v; want %v", got, seen, err, want)
	}
}
