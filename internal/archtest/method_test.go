package archtest

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// maxMethods is where a type becomes a namespace.
const maxMethods = 40

// manyMethods lists the types that have more methods, with the reason. The list
// only shrinks: one that is not needed is a finding.
var manyMethods = map[string]string{}

// typeName is a type of this program: its folder and its name.
type typeName struct{ dir, name string }

func (n typeName) String() string { return strings.TrimPrefix(n.dir, "internal/") + "." + n.name }

// methodCount counts what a type can do.
type methodCount struct {
	own      map[typeName]int
	embedded map[typeName][]typeName
}

// fewMethods asserts that no type is a namespace: embedded types count, too.
func fewMethods(exempt map[string]string) func(*tree) []finding {
	return func(t *tree) []finding {
		c := methodCount{own: map[typeName]int{}, embedded: map[typeName][]typeName{}}
		t.code(c.read)
		var out []finding
		used := map[string]bool{}
		var names []typeName
		for n := range c.own {
			names = append(names, n)
		}
		for n := range c.embedded {
			if _, ok := c.own[n]; !ok {
				names = append(names, n)
			}
		}
		slices.SortFunc(names, func(a, b typeName) int { return strings.Compare(a.String(), b.String()) })
		for _, n := range names {
			total := c.total(n, nil)
			switch {
			case total <= maxMethods:
			case exempt[n.String()] != "":
				used[n.String()] = true
			default:
				out = append(out, finding{n.dir, fmt.Sprintf("%s has %d methods, embedded ones counted, more than %d: split it by idea", n.name, total, maxMethods)})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(exempt)) {
			if !used[name] {
				out = append(out, finding{"method_test.go", "the exemption " + name + " is not needed: remove it"})
			}
		}
		return out
	}
}

func (c methodCount) total(n typeName, above []typeName) int {
	if slices.Contains(above, n) {
		return 0
	}
	sum := c.own[n]
	for _, e := range c.embedded[n] {
		sum += c.total(e, append(above, n))
	}
	return sum
}

func (c methodCount) read(p *pkg, f *file) {
	for _, decl := range f.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				if id := base(unindexed(d.Recv.List[0].Type)); id != nil {
					c.own[typeName{p.dir, id.Name}]++
				}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					c.readType(p, f, t)
				}
			}
		}
	}
}

func (c methodCount) readType(p *pkg, f *file, t *ast.TypeSpec) {
	n := typeName{p.dir, t.Name.Name}
	var fields *ast.FieldList
	switch x := t.Type.(type) {
	case *ast.StructType:
		fields = x.Fields
	case *ast.InterfaceType:
		fields = x.Methods
	default:
		return
	}
	for _, field := range fields.List {
		if len(field.Names) > 0 {
			if isInterface(t) {
				c.own[n]++
			}
			continue
		}
		if e, ok := named(p, f, field.Type); ok {
			c.embedded[n] = append(c.embedded[n], e)
		}
	}
}

func isInterface(t *ast.TypeSpec) bool {
	_, ok := t.Type.(*ast.InterfaceType)
	return ok
}

// named is the type of this program that an expression means.
func named(p *pkg, f *file, e ast.Expr) (typeName, bool) {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	switch x := unindexed(e).(type) {
	case *ast.Ident:
		return typeName{p.dir, x.Name}, true
	case *ast.SelectorExpr:
		from, ok := x.X.(*ast.Ident)
		if !ok {
			return typeName{}, false
		}
		for _, spec := range f.ast.Imports {
			path := importPath(spec)
			name := path[strings.LastIndex(path, "/")+1:]
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if dir, ours := strings.CutPrefix(path, module); ours && name == from.Name {
				return typeName{dir, x.Sel.Name}, true
			}
		}
	}
	return typeName{}, false
}

// unindexed is a type without its arguments.
func unindexed(e ast.Expr) ast.Expr {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	switch x := e.(type) {
	case *ast.IndexExpr:
		return x.X
	case *ast.IndexListExpr:
		return x.X
	default:
		return e
	}
}
