package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"

	"kongctl/internal/konnect/catalog"
)

const catalogDir = "internal/konnect/catalog"

// vocabulary is what only the catalog may say: kinds and keys.
type vocabulary map[string]string // word -> what it is

// catalogVocabulary reads it from the types themselves.
func catalogVocabulary() vocabulary {
	v := vocabulary{}
	for _, t := range catalog.Types() {
		for _, alias := range t.Aliases {
			v[alias] = "an alias"
		}
		v[t.Root()] = "a root key"
		v[t.Key] = "a key"
		v[t.Kind] = "a kind"
	}
	return v
}

// typeVariables are the names of the catalog's variables that hold one type.
func typeVariables(t *tree) map[string]bool {
	names := map[string]bool{}
	t.code(func(p *pkg, f *file) {
		if p.dir != catalogDir {
			return
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				addTypes(names, spec)
			}
			return true
		})
	})
	return names
}

func addTypes(names map[string]bool, spec *ast.ValueSpec) {
	for i, value := range spec.Values {
		if ref, ok := value.(*ast.UnaryExpr); ok && ref.Op == token.AND {
			value = ref.X
		}
		lit, ok := value.(*ast.CompositeLit)
		if !ok {
			continue
		}
		if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "Type" && i < len(spec.Names) {
			names[spec.Names[i].Name] = true
		}
	}
}

// maySayKinds tells the places where types may differ by name.
func maySayKinds(p *pkg, f *file) bool {
	if p.dir == catalogDir || p.dir == "internal/gateway" {
		return true
	}
	base := path.Base(f.path)
	return p.dir == "internal/konnect/emulator" && strings.HasPrefix(base, "behaviour")
}

// kindsStayHome asserts that no other code names a type, by word or by variable.
func kindsStayHome(v vocabulary) func(*tree) []finding {
	return func(t *tree) []finding {
		var out []finding
		variables := typeVariables(t)
		t.code(func(p *pkg, f *file) {
			if maySayKinds(p, f) {
				return
			}
			syntax := syntaxStrings(f.ast)
			ast.Inspect(f.ast, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if word := text(n); v[word] != "" && !syntax[n] {
						out = append(out, t.at(n.Pos(), "%q is %s of the catalog: types are data, so no other code names one", word, v[word]))
					}
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "catalog" && variables[n.Sel.Name] {
						out = append(out, t.at(n.Pos(), "catalog.%s is one type: types are data, so no other code names one", n.Sel.Name))
					}
				}
				return true
			})
		})
		return out
	}
}

// syntaxStrings are the literals that are not data: import paths and struct tags.
func syntaxStrings(f *ast.File) map[*ast.BasicLit]bool {
	out := map[*ast.BasicLit]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			out[n.Path] = true
		case *ast.Field:
			out[n.Tag] = true
		}
		return true
	})
	return out
}

// text is the content of a string literal.
func text(lit *ast.BasicLit) string {
	if lit.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(lit.Value) // the parser has read it, so it is well formed
	return s
}
