package explain

import "slices"

// beside is a mapping that knows, at any depth, the fields that it has in other forms of
// what it stands in, and not in this one: null says nothing there. The others are the
// mapping in those forms.
func (o *Object) beside(others []*Object) *Object {
	if o == nil {
		return nil
	}
	out := *o
	out.Fields, out.Values, out.Variants = fieldsBeside(o.Fields, others), o.Values.beside(valuesOf(others)), nil
	for _, v := range o.Variants {
		rest := slices.Clone(others)
		for _, other := range o.Variants {
			if other != v {
				rest = append(rest, &Object{Fields: other.Fields})
			}
		}
		with := *v
		with.Fields = fieldsBeside(v.Fields, rest)
		out.Variants = append(out.Variants, &with)
	}
	for _, other := range others {
		for _, f := range other.all() {
			if o.Field(f.Name) == nil {
				out.elsewhere = append(out.elsewhere, f)
			}
		}
	}
	return &out
}

func fieldsBeside(fields []*Field, others []*Object) []*Field {
	var out []*Field
	for _, f := range fields {
		var same []*Field
		for _, other := range others {
			for _, g := range other.all() {
				if g.Name == f.Name {
					same = append(same, g)
				}
			}
		}
		out = append(out, f.beside(same))
	}
	return out
}

// beside is a field whose mappings know what they have in the other forms of it.
func (f *Field) beside(others []*Field) *Field {
	if f == nil {
		return nil
	}
	out := *f
	out.Object, out.Items, out.Either = f.Object.beside(objectsOf(others)), f.Items.beside(itemsOf(others)), nil
	for _, e := range f.Either {
		rest := slices.Clone(others)
		for _, other := range f.Either {
			if other != e {
				rest = append(rest, other)
			}
		}
		out.Either = append(out.Either, e.beside(rest))
	}
	return &out
}

// objectsOf, itemsOf and valuesOf are what fields or mappings hold.
func objectsOf(fields []*Field) (out []*Object) {
	for _, f := range fields {
		if f.Object != nil {
			out = append(out, f.Object)
		}
		out = append(out, objectsOf(f.Either)...)
	}
	return out
}

func itemsOf(fields []*Field) (out []*Field) {
	for _, f := range fields {
		if f.Items != nil {
			out = append(out, f.Items)
		}
		out = append(out, itemsOf(f.Either)...)
	}
	return out
}

func valuesOf(objects []*Object) (out []*Field) {
	for _, o := range objects {
		if o.Values != nil {
			out = append(out, o.Values)
		}
	}
	return out
}
