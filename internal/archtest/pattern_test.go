package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// latePatterns asserts that regular expressions of packages are compiled when they are
// first used, and that those which are written down as one text can be.
func latePatterns(t *tree) []finding {
	var out []finding
	for _, p := range t.pkgs {
		if forTests(room(p.dir)) || !strings.HasPrefix(p.dir, "internal/") {
			continue
		}
		for _, f := range p.files {
			if f.test || f.ast.Name.Name == "main" {
				continue
			}
			for _, call := range initialCalls(f.ast) {
				switch {
				case isCall(call, "regexp", "MustCompile"):
					out = append(out, t.at(call.Pos(), "every command compiles it before main: use pattern.New"))
				case isCall(call, "pattern", "New"):
					if text, ok := call.Args[0].(*ast.BasicLit); ok {
						if expr, err := strconv.Unquote(text.Value); err == nil {
							if _, err := regexp.Compile(expr); err != nil {
								out = append(out, t.at(call.Pos(), "%v", err))
							}
						}
					}
				}
			}
		}
	}
	return out
}

// initialCalls are those that package-level variables are made by, not those inside of
// functions.
func initialCalls(f *ast.File) []*ast.CallExpr {
	var out []*ast.CallExpr
	for _, decl := range f.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		ast.Inspect(group, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				out = append(out, call)
			}
			_, inside := n.(*ast.FuncLit)
			return !inside
		})
	}
	return out
}

func isCall(call *ast.CallExpr, pkg, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name || len(call.Args) == 0 {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg
}
