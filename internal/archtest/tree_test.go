// Package archtest asserts what docs/architecture.md promises.
//
// In: the Go sources of this module, parsed and not compiled, and the words of
// the catalog. Out: test failures that name the file, the line and the law. It
// must never be imported, and must never import a room but the catalog.
package archtest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"sort"
	"strings"
)

const module = "github.com/kongctl/kongctl/"

// tree is all Go sources of the module, by folder.
type tree struct {
	fset *token.FileSet
	pkgs []*pkg
}

type pkg struct {
	dir   string
	files []*file
}

type file struct {
	path  string
	test  bool
	lines int
	ast   *ast.File
}

// finding is one broken law; where is file:line where a line is known.
type finding struct{ where, law string }

func (f finding) String() string { return f.where + ": " + f.law }

// load parses every Go file below those of the given folders that exist.
func load(root fs.FS, folders ...string) (*tree, error) {
	t := &tree{fset: token.NewFileSet()}
	byDir := map[string]*pkg{}
	for _, folder := range folders {
		if _, err := fs.Stat(root, folder); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := fs.WalkDir(root, folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				return skipDir(d.Name())
			}
			if path.Ext(name) != ".go" {
				return nil
			}
			f, err := t.parse(root, name)
			if err != nil {
				return err
			}
			dir := path.Dir(name)
			if byDir[dir] == nil {
				byDir[dir] = &pkg{dir: dir}
				t.pkgs = append(t.pkgs, byDir[dir])
			}
			byDir[dir].files = append(byDir[dir].files, f)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", folder, err)
		}
	}
	sort.Slice(t.pkgs, func(i, j int) bool { return t.pkgs[i].dir < t.pkgs[j].dir })
	return t, nil
}

// skipDir leaves out the folders that the go command leaves out.
func skipDir(name string) error {
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	return nil
}

func (t *tree) parse(root fs.FS, name string) (*file, error) {
	src, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(t.fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &file{
		path:  name,
		test:  strings.HasSuffix(name, "_test.go"),
		lines: t.fset.File(syntax.FileStart).LineCount(),
		ast:   syntax,
	}, nil
}

func (t *tree) at(pos token.Pos, format string, args ...any) finding {
	p := t.fset.Position(pos)
	return finding{fmt.Sprintf("%s:%d", p.Filename, p.Line), fmt.Sprintf(format, args...)}
}

// code is every file that is neither a test nor one of the rooms for tests.
func (t *tree) code(visit func(*pkg, *file)) {
	for _, p := range t.pkgs {
		if forTests(room(p.dir)) {
			continue
		}
		for _, f := range p.files {
			if !f.test {
				visit(p, f)
			}
		}
	}
}

// room is the longest row of the layers that a folder below internal/ is in, or
// its first folder; "" elsewhere.
func room(dir string) string {
	rest, ok := strings.CutPrefix(dir, "internal/")
	if !ok {
		return ""
	}
	for name := rest; name != "."; name = path.Dir(name) {
		if rank(name) >= 0 {
			return name
		}
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

func forTests(room string) bool { return room == "testkit" || room == "archtest" }

func importPath(spec *ast.ImportSpec) string { return strings.Trim(spec.Path.Value, "`\"") }
