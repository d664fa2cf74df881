// Package explain describes resource types: what a configuration may say of
// them, as text, JSON Schema, skeleton and reference page.
//
// In: the catalog and what other targets add to the language. Out: descriptions,
// the same for the same catalog. It knows no type by name, computes and does
// nothing else: it must never import what reads documents or calls Konnect
// (language, client, live…).
package explain

import (
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
)

// Explainer describes the types of a catalog.
type Explainer struct {
	cat        *catalog.Catalog
	extensions []resource.Extension
	types      sync.Map // *catalog.Bound -> *Type, made when first asked for
}

// New makes an explainer; extensions are what other targets add to the language.
func New(cat *catalog.Catalog, extensions []resource.Extension) *Explainer {
	return &Explainer{cat: cat, extensions: extensions}
}

// Class says who writes resources of a type, and where they stand.
type Class string

// The classes.
const (
	// Parent stands at the root and belongs to a namespace.
	Parent Class = "parent"
	// Root stands at the root and belongs to no namespace.
	Root Class = "root"
	// Child belongs to another resource.
	Child Class = "child"
	// External is written elsewhere: a configuration refers to it.
	External Class = "external"
)

// Type describes a resource type.
type Type struct {
	Kind   string
	Family string
	Class  Class
	// RootKey is the list at the root, Aliases its other names.
	RootKey string
	Aliases []string
	// Nested is where it stands below its parents: portals[].pages[].
	Nested string
	// Parent is the type of the parent, ParentKeys how a flat resource names it.
	Parent     string
	ParentKeys []string
	Identity   []string
	// Single: a parent has one at most.
	Single bool
	// Tree is the key below which resources of the type nest in each other.
	Tree string
	// WrittenWith is what writes external ones.
	WrittenWith string
	// KeyedPrune: sync deletes undeclared ones only where their list is written.
	KeyedPrune bool
	// Replaced: no field can be changed in place.
	Replaced bool
	Children []*Member
	// Keys are what a configuration may say besides the fields of the API.
	Keys []*Key
	// Object are the fields that a configuration may write; of an external type
	// those that Konnect returns.
	Object *Object
	// Returned are fields that Konnect sets, to be used with !ref.
	Returned []*Field

	bound *catalog.Bound
}

// Member is a child type of a type.
type Member struct {
	Key, Kind string
	Single    bool
	External  bool
}

// Key is something that a configuration says of a resource besides its fields.
type Key struct {
	Name, Says string
	schema     map[string]any
}

// Words is the kind as people say it.
func (t *Type) Words() string { return catalog.Words(t.Kind) }

// Type describes one type. The description is shared: nobody may change it.
func (x *Explainer) Type(b *catalog.Bound) *Type {
	if t, ok := x.types.Load(b); ok {
		return t.(*Type)
	}
	t, _ := x.types.LoadOrStore(b, x.describe(b))
	return t.(*Type)
}

func (x *Explainer) describe(b *catalog.Bound) *Type {
	t := &Type{
		Kind: b.Kind, Family: catalog.FamilyOf(b.Type), Class: class(b), RootKey: b.Root(), Aliases: b.Aliases, Nested: nested(b), Identity: b.Identity,
		Single: b.Shape == catalog.Singleton, ParentKeys: b.ParentKeys(), KeyedPrune: b.KeyedPrune && !b.ReadOnly, bound: b,
		Replaced: !b.ReadOnly && b.Update == nil,
	}
	if b.Parent != nil {
		t.Parent = b.Parent.Kind
	}
	if b.Tree != nil {
		t.Tree = b.Tree.Children
	}
	for _, c := range b.Children {
		t.Children = append(t.Children, &Member{Key: c.Key, Kind: c.Kind, Single: c.Shape == catalog.Singleton, External: c.ReadOnly})
	}
	if b.ReadOnly {
		t.WrittenWith = x.writtenWith(b)
		t.Object = (&describer{bound: b, returned: true}).object(b.Returned(), nil)
		t.Keys = x.keys(b)
		return t
	}
	t.Object = (&describer{bound: b}).object(b.Write(), nil)
	t.mapKey()
	t.identity()
	t.loads()
	t.Keys = append(x.keys(b), t.loadedKeys()...)
	t.Returned = returnedOnly(b, t.Object)
	t.sides(x)
	return t
}

// sides adds the keys under which other types may be written: no body has them.
func (t *Type) sides(x *Explainer) {
	for _, s := range x.cat.Sides(t.bound) {
		values := &Field{Name: s.List, Type: "array", Required: true, Items: &Field{Type: "string"}}
		t.Object.Fields = append(t.Object.Fields, &Field{Name: s.Key, Type: "array", Unordered: true, Beside: s.Type.Kind, Items: &Field{Type: "object", Object: &Object{Fields: []*Field{values}}}})
	}
}

// mapKey adds the field that becomes a part of the path: no body has it.
func (t *Type) mapKey() {
	key := t.bound.MapKey
	if key == "" || t.Object.Field(key) != nil {
		return
	}
	f := &Field{Name: key, Type: "string", Required: true, Identity: true, Immutable: true}
	for _, name := range catalog.Keys(t.bound) {
		f.Enum = append(f.Enum, name)
	}
	(&describer{bound: t.bound}).reference(f, []string{key})
	t.Object.Fields = append([]*Field{f}, t.Object.Fields...)
}

// writtenWith says what writes resources of an external type; nothing where none
// of what this program knows does.
func (x *Explainer) writtenWith(b *catalog.Bound) string {
	if b.Writer == "" {
		return ""
	}
	for _, e := range x.extensions {
		if e.Provides(b.Neutral()) || b.Parent != nil && e.Fits(b.Parent.Neutral()) {
			return e.WrittenWith
		}
	}
	return b.Writer
}

// byWriter parts external types by what writes them, in the order of the first
// of each.
func byWriter[T any](types []T, with func(T) string) [][]T {
	var parts [][]T
	place := map[string]int{}
	for _, t := range types {
		i, ok := place[with(t)]
		if !ok {
			i = len(parts)
			place[with(t)] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], t)
	}
	return parts
}

func class(b *catalog.Bound) Class {
	switch {
	case b.ReadOnly:
		return External
	case b.Parent != nil:
		return Child
	case b.HasLabels():
		return Parent
	default:
		return Root
	}
}

// nested is where resources of a type stand below their parents; "" for a root.
func nested(b *catalog.Bound) string {
	if b.Parent == nil {
		return ""
	}
	var parts []string
	for t := b; t != nil; t = t.Parent {
		part := t.Key
		if t.Shape != catalog.Singleton {
			part += "[]"
		}
		parts = append([]string{part}, parts...)
	}
	return strings.Join(parts, ".")
}

// returnedOnly are the fields at the top that Konnect returns and nobody writes.
func returnedOnly(b *catalog.Bound, written *Object) []*Field {
	s := b.Returned()
	if b.Read != nil {
		if _, alone := b.Read.Success(); alone != nil {
			s = alone
			if w := b.Read.Wrapper(); w != "" {
				s = s.At([]string{w}, nil)
			}
			if b.Listed || b.Set != "" {
				s = b.Returned()
			}
		}
	}
	if s == nil {
		return nil
	}
	var out []*Field
	for _, f := range (&describer{bound: b, returned: true}).object(s, nil).all() {
		if written.Field(f.Name) == nil {
			f.Required = false
			out = append(out, f)
		}
	}
	return out
}
