package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

const (
	catalogDir  = "internal/konnect/catalog"
	emulatorDir = "internal/konnect/emulator"
)

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

// typeVariables are the names of the catalog's variables that hold one type, and
// the names of the files that have them: one for each family.
func typeVariables(t *tree) (names, families map[string]bool) {
	names, families = map[string]bool{}, map[string]bool{}
	t.code(func(p *pkg, f *file) {
		if p.dir != catalogDir {
			return
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && addTypes(names, spec) {
				families[path.Base(f.path)] = true
			}
			return true
		})
	})
	return names, families
}

// addTypes adds the variables that hold a type, and reports whether there is one.
func addTypes(names map[string]bool, spec *ast.ValueSpec) (found bool) {
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
			found = true
		}
	}
	return found
}

// maySayKinds reports whether a file is a place where types may differ by name:
// in the emulator, the file of a family has the name that it has in the catalog.
func maySayKinds(p *pkg, f *file, families map[string]bool) bool {
	switch p.dir {
	case catalogDir, "internal/gateway", emulatorDir + "/entity":
		return true
	case "internal/gateway/deck", "internal/gateway/native":
		return true // decK's files have words of their own, and some are the same
	}
	return p.dir == emulatorDir && families[path.Base(f.path)]
}

// kindsStayHome asserts that no other code names a type, by word or by variable.
func kindsStayHome(v vocabulary) func(*tree) []finding {
	return func(t *tree) []finding {
		var out []finding
		variables, families := typeVariables(t)
		t.code(func(p *pkg, f *file) {
			if maySayKinds(p, f, families) {
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
