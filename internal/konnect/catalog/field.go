package catalog

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Write is the schema of what people may declare.
func (b *Bound) Write() *contract.Schema { return b.write }

// Returned is the schema of a resource as Konnect returns it: in a list where
// there is one, else by itself.
func (b *Bound) Returned() *contract.Schema {
	if b.Set != "" {
		return b.write
	}
	if b.List != nil {
		_, item, _ := b.List.Envelope()
		return item
	}
	_, s := b.Read.Success()
	if w := b.Read.Wrapper(); s != nil && w != "" {
		s = s.At([]string{w}, nil)
	}
	return s
}

// Optional tells of a Singleton that it may be absent: it can be created and
// deleted. All other shapes are.
func (b *Bound) Optional() bool { return b.Create != nil && b.Delete != nil }

// MakesIDs reports whether Konnect gives each new resource an id of its own; others have
// the one that people choose, or none.
func MakesIDs(b *Bound) bool { return b.MapKey == "" && b.IDField == "" }

// HasLabels tells whether a root carries labels that can be changed, so that it
// can be marked.
func (b *Bound) HasLabels() bool {
	labels := []string{"labels"}
	return b.Parent == nil && !b.ReadOnly && b.write.At(labels, nil) != nil && (b.Update == nil || b.Update.Body().At(labels, nil) != nil)
}

// LabelsMerge tells how labels are updated: key by key, null removing one, or
// the whole mapping at once. The contract says which by allowing null.
func (b *Bound) LabelsMerge() bool {
	if b.Update == nil {
		return false
	}
	values := b.Update.Body().At([]string{"labels", "any"}, nil)
	return values != nil && values.Nullable
}

// Nullable reports whether null is a value, of a union whether it is in a branch.
func Nullable(s *contract.Schema) bool {
	if s = s.Deref(); s == nil {
		return false
	}
	return s.Nullable || slices.ContainsFunc(s.Branches(), func(b *contract.Schema) bool { return b.Nullable })
}

// Puts tells that an update replaces the whole resource: by a PUT, or by a PATCH that
// requires all of it.
func (b *Bound) Puts() bool { return b.puts }

func puts(b *Bound) bool {
	if b.Update == nil || b.Update.Method == "PUT" {
		return b.Update != nil
	}
	o := b.Update.Body().Object(nil)
	optional := func(name string) bool { return !o.Field(name).Required }
	return len(o.Names()) > 1 && !slices.ContainsFunc(o.Names(), optional)
}

// Immutable tells that a change of the field needs a new resource. The value
// picks the branch of a union where the field stands in one.
func (b *Bound) Immutable(path []string) bool {
	if InBody(b) && b.IsIdentity(path) {
		return true // a body with another value writes another resource
	}
	if b.Update == nil {
		return true
	}
	name := strings.Join(path, ".")
	for _, f := range b.ReplaceOn {
		if name == f || strings.HasPrefix(name, f+".") {
			return true
		}
	}
	body := b.Update.Body()
	return body.At(path, nil) == nil && !Chosen(body, path)
}

// Fixed reports whether a change of the field needs a new resource where the present
// one has these fields.
func Fixed(b *Bound, path []string, current map[string]any) bool {
	if !b.Immutable(path) {
		return false
	}
	x, ok := Eased(b, path)
	has, _ := value.Get(current, value.ParsePath(x.Where))
	text, _ := has.(string)
	return !ok || !slices.Contains(x.Is, text)
}

// Eased finds in which form of a resource an update changes a field that needs a new
// resource in others.
func Eased(b *Bound, path []string) (InPlace, bool) {
	name := strings.Join(path, ".")
	for _, x := range b.InPlace {
		if name == x.Field || strings.HasPrefix(name, x.Field+".") {
			return x, true
		}
	}
	return InPlace{}, false
}

// Chosen reports whether a path leads to a key that people choose, inside a mapping
// that takes anything.
func Chosen(s *contract.Schema, path []string) bool {
	for n := len(path) - 1; n > 0; n-- {
		if above := s.At(path[:n], nil); above != nil {
			return above.Object(nil).Open
		}
	}
	return false
}

// Global reports whether resources of a type belong to the whole organization, and
// not to one region.
func Global(b *Bound) bool {
	for _, op := range []*contract.Operation{b.Create, b.Update, b.Read, b.List} {
		if op != nil && op.Global {
			return true
		}
	}
	return false
}

// Reference finds the reference that a field path is; list places are left out
// of the path.
func (b *Bound) Reference(path []string) (Reference, bool) {
	name := strings.Join(path, ".")
	for _, r := range b.References {
		if r.Field == name {
			return r, true
		}
	}
	if b.Tree != nil && name == b.Tree.Parent {
		return Reference{Field: name, Kind: b.Kind}, true
	}
	return Reference{}, false
}

// IsIdentity tells whether the field takes part in finding the resource.
func (b *Bound) IsIdentity(path []string) bool {
	name := strings.Join(path, ".")
	return slices.Contains(b.Identity, name) || (b.Tree != nil && name == b.Tree.Parent)
}

// MayLack tells whether Konnect may hold a resource without a field of its identity:
// neither its answers nor its own rules for requests ask for one.
func MayLack(b *Bound, name string) bool {
	if f := b.Returned().Object(nil).Field(name); f == nil || f.Required || name == "id" || !slices.Contains(b.Identity, name) {
		return false
	}
	if b.Create == nil {
		return true
	}
	asked := b.write.Object(nil).Field(name)
	return asked == nil || !asked.Required || slices.Contains(contract.Needed()[b.Create.Key()], name)
}

// IsUnordered tells whether the order of a list field means nothing.
func (b *Bound) IsUnordered(path []string) bool {
	return slices.Contains(b.Unordered, strings.Join(path, "."))
}

// IsComputed tells whether Konnect fills the field in when it is left out.
func (b *Bound) IsComputed(path []string) bool {
	s := b.write.At(path, nil)
	return (s != nil && s.Computed && !s.HasDefault()) || slices.Contains(b.Computed, strings.Join(path, "."))
}

// Shared is the nearest type that resources of both types lie below: a reference
// between the two stays below one resource of it. It is nil where they share no type.
func Shared(b, to *Bound) *Bound {
	shared := resource.Shared(b.neutral, to.neutral)
	for b = b.Parent; b != nil && b.neutral != shared; {
		b = b.Parent
	}
	return b
}

// PathParams fills the operation's path from the ids of the ancestors, root
// first, and the resource's own id or key.
func (b *Bound) PathParams(op *contract.Operation, ancestors []string, id string) map[string]string {
	ids := append(slices.Clone(ancestors), id)
	out := map[string]string{}
	for i, name := range ParamNames(b, op) {
		if i < len(ids) {
			out[name] = ids[i]
		}
	}
	return out
}

// ParamNames are the parameters of an operation's path, those of the ancestors
// before the resource's own.
func ParamNames(b *Bound, op *contract.Operation) []string {
	if b.Link != "" {
		return b.params
	}
	return op.PathParams()
}

// Depth is the number of ancestors.
func (b *Bound) Depth() int {
	n := 0
	for p := b.Parent; p != nil; p = p.Parent {
		n++
	}
	return n
}

// ParentKeys are the names under which a flat resource may name its parent.
func (b *Bound) ParentKeys() []string {
	if b.Parent == nil {
		return nil
	}
	kind := b.Parent.Kind
	keys := []string{kind, kind + "_id"}
	if short := withoutFamily(b.Parent.Type); len(short) > 0 {
		keys = append(keys, short[0], short[0]+"_id")
	}
	if b.Parent.Parent != nil {
		if short, ok := strings.CutPrefix(kind, b.Parent.Parent.Kind+"_"); ok {
			keys = append(keys, short, short+"_id")
		}
	}
	return keys
}

// Child finds a child type by its key below this type.
func (b *Bound) Child(key string) *Bound {
	for _, c := range b.Children {
		if c.Key == key {
			return c
		}
	}
	return nil
}

// HasBelow reports whether a parent with these fields can have resources of the
// type.
func (b *Bound) HasBelow(parent map[string]any) bool {
	for field, want := range b.Under {
		if have, _ := value.Get(parent, value.ParsePath(field)); !value.Equal(have, want) {
			return false
		}
	}
	return true
}

// Beside is the type that a path leads on to through a reference, as service.name
// of a route does, with where the id stands and what is left of the path. Its
// resources have the same parent. It is nil for a path that ends in this type.
func (c *Catalog) Beside(b *Bound, p value.Path) (to *Bound, id, below value.Path) {
	for _, ref := range b.References {
		field := value.ParsePath(ref.Field)
		last := len(field) - 1
		if last < 1 || field[last] != "id" || len(p) <= last || !p.HasPrefix(field[:last]) || p[last] == "id" {
			continue
		}
		if to = c.Kind(ref.Kind); to != nil && to.Parent == b.Parent && to.List != nil {
			return to, field, p[last:]
		}
	}
	return nil, nil, nil
}
