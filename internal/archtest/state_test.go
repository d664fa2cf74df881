package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
)

// noPackageState asserts that package-level variables are never changed: not
// assigned, not counted up, not handed out by address, not made of locks.
func noPackageState(t *tree) []finding {
	var out []finding
	for _, p := range t.pkgs {
		if forTests(room(p.dir)) {
			continue
		}
		s := &stateCheck{tree: t, vars: map[string]bool{}, specs: map[any]bool{}}
		for _, f := range p.files {
			if !f.test {
				s.declare(f.ast)
			}
		}
		for _, f := range p.files {
			if !f.test {
				s.uses(f.ast)
			}
		}
		out = append(out, s.found...)
	}
	return out
}

type stateCheck struct {
	tree    *tree
	vars    map[string]bool // package-level variables by name
	specs   map[any]bool    // and the declarations they come from
	imports map[string]bool // names of the imports of the file at hand
	found   []finding
}

func (s *stateCheck) declare(f *ast.File) {
	for _, decl := range f.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.ValueSpec)
			s.specs[spec] = true
			for _, name := range spec.Names {
				s.vars[name.Name] = name.Name != "_"
			}
			if lock := lockType(spec); lock != "" {
				s.report(spec, "package-level %s is state that changes: let it live in a value", lock)
			}
		}
	}
}

// lockType names a type of sync or sync/atomic that the variable has: whoever
// needs one at package level has state there. sync.OnceValue is a call, and fine.
func lockType(spec *ast.ValueSpec) string {
	types := []ast.Expr{spec.Type}
	for _, v := range spec.Values {
		if lit, ok := v.(*ast.CompositeLit); ok {
			types = append(types, lit.Type)
		}
	}
	for _, t := range types {
		if index, ok := t.(*ast.IndexExpr); ok {
			t = index.X
		}
		sel, ok := t.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if x, ok := sel.X.(*ast.Ident); ok && (x.Name == "sync" || x.Name == "atomic") {
			return x.Name + "." + sel.Sel.Name
		}
	}
	return ""
}

func (s *stateCheck) uses(f *ast.File) {
	s.imports = map[string]bool{}
	for _, spec := range f.Imports {
		name := path.Base(importPath(spec))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		s.imports[name] = true
	}
	for _, decl := range f.Decls {
		// Initialisers run once, before main: only what functions do counts.
		ast.Inspect(decl, s.visit)
	}
}

func (s *stateCheck) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, left := range n.Lhs {
				s.changed(left, "assigns to")
			}
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			s.changed(n.Key, "assigns to")
			s.changed(n.Value, "assigns to")
		}
	case *ast.IncDecStmt:
		s.changed(n.X, "counts in")
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			s.addressed(n.X)
		}
	case *ast.CallExpr:
		if fn, ok := n.Fun.(*ast.Ident); ok && (fn.Name == "delete" || fn.Name == "clear") && len(n.Args) > 0 {
			s.changed(n.Args[0], fn.Name+"s from")
		}
	}
	return true
}

// isSwitch tells of cprint.DisableOutput: decK's library prints unless it is
// set, and has no other switch (ADR 0009).
func isSwitch(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "cprint" && sel.Sel.Name == "DisableOutput"
}

// changed reports when an expression that is written to belongs to a package.
func (s *stateCheck) changed(e ast.Expr, verb string) {
	if e == nil {
		return
	}
	id := base(e)
	switch {
	case id == nil:
	case s.packageLevel(id):
		s.report(id, "%s package-level %s: packages keep no state that changes", verb, id.Name)
	case id.Obj == nil && s.imports[id.Name] && isSwitch(e):
	case id.Obj == nil && s.imports[id.Name]:
		s.report(id, "%s a variable of package %s: it is not this package's to change", verb, id.Name)
	}
}

func (s *stateCheck) addressed(e ast.Expr) {
	if id := base(e); id != nil && s.packageLevel(id) {
		s.report(id, "hands out the address of package-level %s: packages keep no state that changes", id.Name)
	}
}

// packageLevel tells whether an identifier means a variable of the package. The
// parser resolves names within a file; what stays open is declared in another.
func (s *stateCheck) packageLevel(id *ast.Ident) bool {
	if id.Obj != nil {
		return s.specs[id.Obj.Decl]
	}
	return s.vars[id.Name]
}

func (s *stateCheck) report(n ast.Node, format string, args ...any) {
	s.found = append(s.found, s.tree.at(n.Pos(), format, args...))
}

// base is the variable that an expression such as a.b[i] starts from.
func base(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// noInit asserts that nothing runs before main.
func noInit(t *tree) []finding {
	var out []finding
	for _, p := range t.pkgs {
		for _, f := range p.files {
			for _, decl := range f.ast.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if ok && fn.Recv == nil && fn.Name.Name == "init" {
					out = append(out, t.at(fn.Pos(), "init() runs unasked: let the caller call it"))
				}
			}
		}
	}
	return out
}

// names that say nothing; what is in such a package belongs to those it serves.
var emptyNames = map[string]bool{
	"common": true, "helper": true, "helpers": true, "misc": true,
	"types": true, "util": true, "utils": true,
}

func tellingNames(t *tree) []finding {
	var out []finding
	for _, p := range t.pkgs {
		name := strings.TrimSuffix(p.files[0].ast.Name.Name, "_test")
		if emptyNames[name] || emptyNames[path.Base(p.dir)] {
			out = append(out, finding{p.dir, "a package named " + name + " says nothing about what is in it"})
		}
	}
	return out
}
