package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// says are two verbs of a format that say which resource is meant, and what follows.
// A colon or the end of the text follows an address, which has the type as it is typed.
var says = regexp.MustCompile(`%s %[sq]([^:]|$)`)

// kindFields are the fields that hold the kind of a type, as it is typed.
var kindFields = []string{"ResourceType", "Kind", "Type"}

// kindsInWords asserts that sentences of the core and the front name a type as people
// say it: API publication, not api_publication.
func kindsInWords(t *tree) []finding {
	var out []finding
	t.code(func(p *pkg, f *file) {
		if in := room(p.dir); in == "" || group(in) != "core" && group(in) != "front" {
			return
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			if !isCall {
				return true
			}
			for i, arg := range call.Args {
				lit, isText := arg.(*ast.BasicLit)
				if !isText || lit.Kind != token.STRING {
					continue
				}
				text, _ := strconv.Unquote(lit.Value)
				for _, at := range says.FindAllStringSubmatchIndex(text, -1) {
					if at[3] == at[2] && at[0] == 0 {
						continue // the address alone
					}
					verb := i + 1 + strings.Count(strings.ReplaceAll(text[:at[0]], "%%", ""), "%")
					if verb >= len(call.Args) {
						continue
					}
					if field, isField := call.Args[verb].(*ast.SelectorExpr); isField && slices.Contains(kindFields, field.Sel.Name) {
						out = append(out, t.at(lit.Pos(), "%q names a type by its kind: use its words", text))
					}
				}
			}
			return true
		})
	})
	return out
}
