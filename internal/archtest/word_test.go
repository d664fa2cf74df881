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

// stillName lists rooms that say it elsewhere. The list only shrinks: one that is
// not needed is a finding.
var stillName []string

// targetsUnnamed asserts that no identifier and no text of the core or the front
// names decK: such texts come from the type's words or from the target.
func targetsUnnamed(allowed, still []string) func(*tree) []finding {
	return func(t *tree) []finding {
		var out []finding
		used := map[string]bool{}
		t.code(func(p *pkg, f *file) {
			in := room(p.dir)
			if in == "" || group(in) != "core" && group(in) != "front" || mayNameIn(allowed, f.path) {
				return
			}
			for _, found := range namings(t, f) {
				if slices.Contains(still, in) {
					used[in] = true
					return
				}
				out = append(out, found)
			}
		})
		for _, in := range still {
			if !used[in] {
				out = append(out, finding{"word_test.go", "the exemption " + in + " is not needed: remove it"})
			}
		}
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
