package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// deckWord is what the core and the front do not say: what a target is called.
var deckWord = regexp.MustCompile(`(?i)deck`)

// mayName are the files of the core and the front where decK has its name: the
// format of plans, the codes of diagnostics, flags and settings, and where the
// engine brings targets together.
var mayName = []string{
	"plan/document*.go", "diag/code.go",
	"cli/flags.go", "cli/scope.go", "cli/setting.go",
	"engine/targets.go", "engine/gateway*.go",
}

// targetsUnnamed asserts that no identifier and no text of the core or the front
// names decK: such texts come from the type's words or from the target.
func targetsUnnamed(allowed []string) func(*tree) []finding {
	return func(t *tree) []finding {
		var out []finding
		t.code(func(p *pkg, f *file) {
			in := room(p.dir)
			if in != "" && (group(in) == "core" || group(in) == "front") && !mayNameIn(allowed, f.path) {
				out = append(out, namings(t, f)...)
			}
		})
		return out
	}
}

func mayNameIn(allowed []string, name string) bool {
	return slices.ContainsFunc(allowed, func(pattern string) bool {
		fits, _ := path.Match(pattern, strings.TrimPrefix(name, "internal/")) // the patterns are well formed
		return fits
	})
}

// namings are the identifiers and texts of a file that name decK.
func namings(t *tree, f *file) []finding {
	var out []finding
	say := func(n ast.Node, word string) {
		if deckWord.MatchString(word) {
			out = append(out, t.at(n.Pos(), "%q names a target: the core and the front know none", word))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			say(n, n.Name)
		case *ast.BasicLit:
			say(n, n.Value)
		}
		return true
	})
	return out
}
