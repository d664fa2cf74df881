package catalog

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Shown is what the responses of a type say of a resource that one of their
// references leads to.
type Shown struct {
	Type *Bound
	// parent leads to the id of the parent.
	parent value.Path
}

// Shows reports what responses of a type say of a resource that nobody writes: its
// identity, in fields of the same names, and whose it is.
func Shows(c *Catalog, b *Bound, ref Reference) (Shown, bool) {
	t := c.Kind(ref.Kind)
	if t == nil || !t.ReadOnly || t.Writer != "" || t.Parent == nil {
		return Shown{}, false
	}
	out := Shown{Type: t, parent: value.Path{t.Parent.Kind, "id"}}
	lacks := func(p value.Path) bool { return b.ReturnedAt(p).Schema == nil }
	if lacks(out.parent) || slices.ContainsFunc(t.Identity, func(f string) bool { return lacks(value.ParsePath(f)) }) {
		return Shown{}, false
	}
	return out, true
}

// Object is the resource itself, as far as a response says it, and the id of its
// parent.
func (s Shown) Object(id string, response map[string]any) (o *resource.Object, parent string) {
	o = &resource.Object{ID: id, Fields: map[string]any{}}
	for _, f := range s.Type.Identity {
		if v, ok := value.Get(response, value.ParsePath(f)); ok {
			value.Set(o.Fields, value.ParsePath(f), v)
		}
	}
	v, _ := value.Get(response, s.parent)
	parent, _ = v.(string)
	return o, parent
}

// tellApart are the fields of responses by which people tell resources apart whose
// identity is the id of another one: the name of that one's parent, and its identity.
func tellApart(c *Catalog, b *Bound) []string {
	if len(b.Identity) != 1 {
		return nil
	}
	ref, ok := b.Reference(value.ParsePath(b.Identity[0]))
	if !ok {
		return nil
	}
	shown, ok := Shows(c, b, ref)
	if !ok {
		return nil
	}
	var out []string
	if above := shown.Type.Parent; above.NameField() != "" {
		if p := (value.Path{above.Kind, above.NameField()}); b.ReturnedAt(p).Schema != nil {
			out = append(out, p.String())
		}
	}
	return append(out, shown.Type.Identity...)
}
