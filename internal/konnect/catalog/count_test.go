package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

const (
	countFile  = "../../../docs/architecture.md"
	countBegin = "<!-- counts: begin; make docs writes it -->\n"
	countEnd   = "<!-- counts: end -->\n"
)

// TestCounts compares the counts of the documentation with the catalog; -update
// writes them.
func TestCounts(t *testing.T) {
	old, err := os.ReadFile(countFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(old), countBegin)
	_, after, ends := strings.Cut(rest, countEnd)
	if !begins || !ends {
		t.Fatalf("%s: the markers %q and %q are missing", countFile, countBegin, countEnd)
	}
	fresh := before + countBegin + counts(literalLines(t)) + countEnd + after
	switch {
	case fresh == string(old):
	case *update:
		if err := os.WriteFile(countFile, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/architecture.md: the counts of types are out of date; run make docs")
	}
}

// counts is a table of the families with their types.
func counts(lines map[string]int) string {
	type row struct{ types, written, hooked, lines, longest int }
	count := func(list []*catalog.Type) row {
		var r row
		for _, x := range list {
			r.types++
			r.lines += lines[x.Kind]
			r.longest = max(r.longest, lines[x.Kind])
			if !x.ReadOnly {
				r.written++
				if hooked(x) {
					r.hooked++
				}
			}
		}
		return r
	}
	var out strings.Builder
	out.WriteString("| family | types | of them written here | of those with a hook | lines per type | longest |\n|---|---|---|---|---|---|\n")
	line := func(name string, r row) {
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %.1f | %d |\n", name, r.types, r.written, r.hooked, float64(r.lines)/float64(r.types), r.longest)
	}
	for _, f := range catalog.Families() {
		line(f.Name, count(f.Types))
	}
	line("**all**", count(catalog.Types()))
	return out.String()
}

// literalLines counts the lines of the literal of each kind.
func literalLines(t *testing.T) map[string]int {
	t.Helper()
	out := map[string]int{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if id, ok := literal.Type.(*ast.Ident); !ok || id.Name != "Type" {
				return true
			}
			if kind := kindOf(literal); kind != "" {
				out[kind] = set.Position(literal.End()).Line - set.Position(literal.Pos()).Line + 1
			}
			return true
		})
	}
	for _, x := range catalog.Types() {
		if out[x.Kind] == 0 {
			t.Errorf("%s has no literal", x.Kind)
		}
	}
	return out
}

// kindOf is the kind that a literal of a type has.
func kindOf(literal *ast.CompositeLit) string {
	for _, e := range literal.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isName := pair.Key.(*ast.Ident)
		text, isText := pair.Value.(*ast.BasicLit)
		if isName && isText && key.Name == "Kind" {
			return strings.Trim(text.Value, `"`)
		}
	}
	return ""
}
