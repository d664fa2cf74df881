package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
)

// Catalog is all types, bound to a contract.
type Catalog struct {
	Contract *contract.Contract
	all      []*Bound
	byKind   map[string]*Bound
	byRoot   map[string]*Bound
	byOne    map[string]*Bound // by singulars
	former   map[string]*Bound
	types    *resource.Types
}

// New binds types to the contract. It fails on a type whose path or fields the
// contract does not know.
func New(c *contract.Contract, types []*Type) (*Catalog, error) {
	former := map[string]*Bound{}
	cat := &Catalog{Contract: c, byKind: map[string]*Bound{}, byRoot: map[string]*Bound{}, byOne: map[string]*Bound{}, former: former}
	for _, t := range types {
		b := &Bound{Type: t}
		if t.ChildOf != nil {
			b.Parent = cat.byKind[t.ChildOf.Kind]
			if b.Parent == nil {
				return nil, fmt.Errorf("catalog: %s comes before its parent %s", t.Kind, t.ChildOf.Kind)
			}
			b.Parent.Children = append(b.Parent.Children, b)
		}
		if err := bind(b, c); err != nil {
			return nil, fmt.Errorf("catalog: %s: %w", t.Kind, err)
		}
		if cat.byKind[t.Kind] != nil {
			return nil, fmt.Errorf("catalog: %s twice", t.Kind)
		}
		cat.all = append(cat.all, b)
		cat.byKind[t.Kind] = b
		for _, kind := range t.Former {
			if former[kind] != nil {
				return nil, fmt.Errorf("catalog: two types were called %s", kind)
			}
			former[kind] = b
		}
		for _, key := range append([]string{b.Root()}, t.Aliases...) {
			if cat.byRoot[key] != nil {
				return nil, fmt.Errorf("catalog: two types at the root key %s", key)
			}
			cat.byRoot[key] = b
		}
		for _, one := range singulars(t) {
			if cat.byOne[one] != nil {
				return nil, fmt.Errorf("catalog: two types are called %s", one)
			}
			cat.byOne[one] = b
		}
	}
	for _, b := range cat.all {
		for _, r := range b.References {
			if t := cat.byKind[r.Kind]; t != nil && !b.ReadOnly {
				t.Referred, t.neutral.Referred = true, true
			}
		}
	}
	findUncounted(cat, c)
	neutral := make([]*resource.Type, len(cat.all))
	for i, b := range cat.all {
		b.neutral.Shows = tellApart(cat, b)
		neutral[i] = b.neutral
	}
	cat.types = resource.NewTypes(neutral, func(name string) *resource.Type { return cat.Named(name).Neutral() })
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

// Named finds a type by any name of one resource: its kind, one that it had
// before, or the singular of a key at the root.
func (c *Catalog) Named(name string) *Bound {
	if b := c.byKind[name]; b != nil {
		return b
	}
	if b := c.former[name]; b != nil {
		return b
	}
	if c.byRoot[name] != nil {
		return nil // the name of many
	}
	return c.byOne[name]
}

// Names lists all names by which Named finds a type.
func (c *Catalog) Names(b *Bound) []string {
	names := append([]string{b.Kind}, b.Former...)
	for _, one := range singulars(b.Type) {
		if !slices.Contains(names, one) && c.Named(one) == b {
			names = append(names, one)
		}
	}
	return names
}

// singulars are the keys of a type at the root, in the singular. A type that is called
// the same in the plural (settings) has none.
func singulars(t *Type) []string {
	if plural(t.Kind) == t.Kind {
		return nil
	}
	out := []string{Singular(t.Root())}
	for _, key := range t.Aliases {
		out = append(out, Singular(key))
	}
	return out
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
	if t.ChildOf == nil || t.ReadOnly {
		return t.Key
	}
	return plural(t.Kind)
}

func plural(kind string) string {
	switch {
	case strings.HasSuffix(kind, "s"):
		return kind
	case strings.HasSuffix(kind, "y") && !strings.HasSuffix(kind, "ey") && !strings.HasSuffix(kind, "ay"):
		return strings.TrimSuffix(kind, "y") + "ies"
	default:
		return kind + "s"
	}
}
