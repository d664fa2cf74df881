package catalog

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/konnect/contract"
	"kongctl/internal/resource"
)

// Bound is a type with its operations.
type Bound struct {
	*Type
	Parent   *Bound
	Children []*Bound
	Create   *contract.Operation
	Read     *contract.Operation
	List     *contract.Operation
	Update   *contract.Operation
	Delete   *contract.Operation
	// Referred tells that a type that is managed refers to this one.
	Referred bool
	// Listed singletons live in a list of at most one.
	Listed bool
	write  *contract.Schema
	facts  *resource.Facts
}

// Catalog is all types, bound to a contract.
type Catalog struct {
	Contract *contract.Contract
	all      []*Bound
	byKind   map[string]*Bound
	byRoot   map[string]*Bound
	uses     map[string][]Use
}

// New binds types to the contract. It fails on a type whose path or fields the
// contract does not know.
func New(c *contract.Contract, types []*Type) (*Catalog, error) {
	cat := &Catalog{Contract: c, byKind: map[string]*Bound{}, byRoot: map[string]*Bound{}, uses: map[string][]Use{}}
	for _, t := range types {
		b := &Bound{Type: t}
		if t.Parent != nil {
			b.Parent = cat.byKind[t.Parent.Kind]
			if b.Parent == nil {
				return nil, fmt.Errorf("catalog: %s comes before its parent %s", t.Kind, t.Parent.Kind)
			}
			b.Parent.Children = append(b.Parent.Children, b)
		}
		if err := b.bind(c); err != nil {
			return nil, fmt.Errorf("catalog: %s: %w", t.Kind, err)
		}
		b.facts = b.newFacts()
		if cat.byKind[t.Kind] != nil {
			return nil, fmt.Errorf("catalog: %s twice", t.Kind)
		}
		cat.all = append(cat.all, b)
		cat.byKind[t.Kind] = b
		for _, key := range append([]string{b.Root()}, t.Aliases...) {
			if cat.byRoot[key] != nil {
				return nil, fmt.Errorf("catalog: two types at the root key %s", key)
			}
			cat.byRoot[key] = b
		}
	}
	for _, b := range cat.all {
		for _, r := range b.References {
			if t := cat.byKind[r.Kind]; t != nil && !b.ReadOnly {
				t.Referred = true
			}
		}
	}
	cat.findUses()
	return cat, nil
}

// Load binds all types to the embedded contract.
func Load() (*Catalog, error) {
	c, err := contract.Load()
	if err != nil {
		return nil, err
	}
	return New(c, Types())
}

// All lists the types, parents before children.
func (c *Catalog) All() []*Bound { return c.all }

// Kind finds a type by the name of one resource.
func (c *Catalog) Kind(kind string) *Bound { return c.byKind[kind] }

// Type is Kind for the core: nil, not a nil type, where there is none.
func (c *Catalog) Type(kind string) resource.Type { return orNil(c.Kind(kind)) }

// TypeNamed is Named for the core.
func (c *Catalog) TypeNamed(name string) resource.Type { return orNil(c.Named(name)) }

func orNil(b *Bound) resource.Type {
	if b == nil {
		return nil
	}
	return b
}

// Named finds a type by any name of one resource: its kind, or the singular of
// a key at the root.
func (c *Catalog) Named(name string) *Bound {
	if b := c.byKind[name]; b != nil {
		return b
	}
	if c.byRoot[name] != nil {
		return nil // the name of many
	}
	return c.byRoot[plural(name)]
}

// RootKey finds a type by a key at the root of a document.
func (c *Catalog) RootKey(key string) *Bound { return c.byRoot[key] }

// RootKeys lists the keys that may stand at the root of a document.
func (c *Catalog) RootKeys() []string {
	out := make([]string, 0, len(c.byRoot))
	for k := range c.byRoot {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Root is the key of the flat list.
func (t *Type) Root() string {
	switch {
	case t.RootKey != "":
		return t.RootKey
	case t.Parent == nil || t.ReadOnly:
		return t.Key
	default:
		return plural(t.Kind)
	}
}

func plural(kind string) string {
	switch {
	case strings.HasSuffix(kind, "s"):
		return kind
	case strings.HasSuffix(kind, "y") && !strings.HasSuffix(kind, "ey"):
		return strings.TrimSuffix(kind, "y") + "ies"
	default:
		return kind + "s"
	}
}

func (b *Bound) bind(c *contract.Contract) error {
	item := itemPath(c, b.Path)
	listPath := b.Type.List
	if listPath == "" {
		listPath = b.Path
	}
	switch b.Shape {
	case Collection, Membership:
		b.Create = c.Operation("POST", b.Path)
		b.List = c.Operation("GET", listPath)
		b.item(c, item)
		if b.Shape == Membership {
			b.Update = nil
		}
	case Singleton:
		b.Create = c.Operation("POST", b.Path)
		b.Read = c.Operation("GET", b.Path)
		if b.Read != nil {
			_, _, b.Listed = b.Read.Envelope()
		}
		if b.Listed {
			b.List = b.Read
			b.item(c, item)
		} else {
			b.Update = firstOf(c, b.Path, "PATCH", "PUT")
			b.Delete = c.Operation("DELETE", b.Path)
		}
	case Map:
		b.Create = c.Operation("PUT", b.Path)
		b.Update = b.Create
		b.Read = c.Operation("GET", b.Path)
		b.Delete = c.Operation("DELETE", b.Path)
		b.List = c.Operation("GET", listPath)
	}
	return b.check()
}

func (b *Bound) item(c *contract.Contract, path string) {
	b.Read = c.Operation("GET", path)
	b.Update = firstOf(c, path, "PATCH", "PUT")
	b.Delete = c.Operation("DELETE", path)
}

func firstOf(c *contract.Contract, path string, methods ...string) *contract.Operation {
	for _, m := range methods {
		if op := c.Operation(m, path); op != nil {
			return op
		}
	}
	return nil
}

// ItemPath is the path of one resource.
func (b *Bound) ItemPath() string {
	for _, op := range []*contract.Operation{b.Update, b.Delete, b.Read} {
		if op != nil {
			return op.Path
		}
	}
	return b.Path
}

// itemPath is the path below a collection that ends in the id.
func itemPath(c *contract.Contract, path string) string {
	for _, op := range c.Operations() {
		rest, ok := strings.CutPrefix(op.Path, path+"/{")
		if ok && strings.HasSuffix(rest, "}") && !strings.Contains(rest, "/") {
			return op.Path
		}
	}
	return ""
}

func (b *Bound) check() error {
	switch {
	case b.Writer != "" && !b.ReadOnly:
		return fmt.Errorf("%s writes it, and it is not read-only here", b.Writer)
	case b.Read == nil && b.List == nil:
		return fmt.Errorf("no way to read %s", b.Path)
	case b.ReadOnly:
		return b.checkFields(b.Returned(), b.List.Key())
	case b.Create == nil && b.Update == nil:
		return fmt.Errorf("no way to write %s", b.Path)
	}
	b.write = b.writeOp().Body()
	if b.write == nil {
		return fmt.Errorf("%s takes no body", b.writeOp().Key())
	}
	return b.checkFields(b.write, b.writeOp().Key())
}

// checkFields tells of the first field that the type names and a schema lacks.
func (b *Bound) checkFields(s *contract.Schema, where string) error {
	var fields []string
	fields = append(fields, b.Identity...)
	fields = append(fields, b.Unordered...)
	fields = append(fields, b.ReplaceOn...)
	fields = append(fields, b.Computed...)
	fields = append(fields, b.Unique...)
	for _, f := range b.Formats {
		fields = append(fields, f.Field)
	}
	for _, r := range b.References {
		fields = append(fields, r.Field)
	}
	for _, f := range fields {
		if f != b.MapKey && s.At(strings.Split(f, "."), nil) == nil {
			return fmt.Errorf("the contract has no field %s in %s", f, where)
		}
	}
	return nil
}

// writeOp is the operation whose body holds all that people may declare.
func (b *Bound) writeOp() *contract.Operation {
	if b.Create != nil {
		return b.Create
	}
	return b.Update
}
