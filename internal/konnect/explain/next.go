package explain

import (
	"slices"
	"strings"
)

// Next returns the paths that can follow what was typed: types, and below a type or a
// field what stands in it. Only types are returned where fields are not wanted.
func (x *Explainer) Next(typed string, fields bool) []string {
	out := Kinds()
	if point := strings.LastIndex(typed, "."); point >= 0 {
		out = x.words() // some root keys have a point
		if found, err := x.Find(typed[:point]); err == nil {
			for _, name := range found.below(fields) {
				out = append(out, typed[:point+1]+name)
			}
		}
	}
	out = slices.DeleteFunc(out, func(path string) bool { return !strings.HasPrefix(path, typed) })
	slices.Sort(out)
	return slices.Compact(out)
}

// below are the names of what a type or a field holds.
func (f *Found) below(fields bool) []string {
	var out []string
	if f.Key != nil {
		return f.keyNames()
	}
	if f.Field == nil {
		for _, c := range f.Type.Children {
			out = append(out, c.Key)
		}
		out = append(out, f.Type.groupNames()...)
		if f.Type.Tree != "" {
			out = append(out, f.Type.Tree)
		}
	}
	if !fields {
		return out
	}
	if f.Field == nil {
		for _, k := range f.Type.Keys {
			out = append(out, k.Name)
		}
		return append(append(out, f.Type.Object.names()...), fieldNames(f.Type.Returned)...)
	}
	for _, x := range f.forms {
		out = append(out, x.names()...)
	}
	return out
}

// names are those of the fields of an object, or of the objects of a list.
func (x form) names() []string {
	in := x.field
	for in.Type == "array" && in.Items != nil {
		in = in.Items
	}
	return in.Object.names()
}

// names are those of all fields, of every variant.
func (o *Object) names() []string { return fieldNames(o.all()) }

func fieldNames(fields []*Field) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.Name)
	}
	return out
}
