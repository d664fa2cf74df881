package explain

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// form is a field in one of the variants that have it.
type form struct {
	field *Field
	// property has one of the values is where the variant is meant; when says so
	// in words. All are "" and nil where every variant has the field.
	property string
	is       []string
	when     string
	// some: not every variant has the field.
	some bool
}

// forms are the fields of a name in a value, one for each variant that has it.
func (f *Field) forms(name string) []form {
	for f.Type == "array" && f.Items != nil {
		f = f.Items
	}
	var out []form
	for _, e := range f.Either {
		out = append(out, e.forms(name)...)
	}
	if f.Object == nil {
		return out
	}
	is := func(x *Field) bool {
		return x.Name == name || name != "" && (x.Short == name || strings.ReplaceAll(x.Name, "-", "_") == name)
	}
	for _, x := range f.Object.Fields {
		if is(x) {
			out = append(out, form{field: x})
		}
	}
	some := slices.ContainsFunc(f.Object.Variants, func(v *Variant) bool { return !slices.ContainsFunc(v.Fields, is) })
	for i, v := range f.Object.Variants {
		for _, x := range v.Fields {
			if is(x) {
				out = append(out, form{x, v.Property, v.Is, v.when(i, len(f.Object.Variants)), some})
			}
		}
	}
	if len(out) == 0 && f.Object.Values != nil {
		out = append(out, form{field: f.Object.Values})
	}
	return out
}

// merge is one field that says what all forms of it say.
func merge(forms []form) *Field {
	first := *forms[0].field
	if !slices.ContainsFunc(forms, func(x form) bool { return !reflect.DeepEqual(x.field, forms[0].field) }) {
		return &first
	}
	out := &Field{Name: first.Name, Short: first.Short, Refers: first.Refers, Identity: first.Identity, Another: first.Another, Required: true}
	for _, x := range forms {
		f := x.field
		out.Required = out.Required && f.Required
		out.Secret = out.Secret || f.Secret
		out.Immutable = out.Immutable || f.Immutable
		one := *f
		one.Name, one.Short, one.Refers, one.Identity, one.Another, one.Required, one.Immutable, one.Secret = "", "", "", false, false, false, false, false
		if len(f.Either) > 0 {
			out.Either = append(out.Either, f.Either...)
			continue
		}
		out.Either = append(out.Either, &one)
	}
	switch {
	case all(out.Either, func(f *Field) bool { return f.Object != nil }):
		out.Type, out.Object, out.Either = "object", inside(forms), nil
	case all(out.Either, func(f *Field) bool { return f.Items != nil && f.Items.Object != nil }):
		items := make([]form, len(forms))
		for i, x := range forms {
			items[i] = form{x.field.Items, x.property, x.is, x.when, x.some}
		}
		out.Type, out.Items, out.Either = "array", &Field{Type: "object", Object: mergeObjects(items)}, nil
	case all(out.Either, func(f *Field) bool { return len(f.Enum) > 0 && f.Type == out.Either[0].Type }):
		out.Type = out.Either[0].Type
		for _, f := range out.Either {
			for _, v := range f.Enum {
				if !slices.Contains(out.Enum, v) {
					out.Enum = append(out.Enum, v)
				}
			}
		}
		out.Either = nil
	}
	return out
}

func all(fields []*Field, has func(*Field) bool) bool {
	return !slices.ContainsFunc(fields, func(f *Field) bool { return !has(f) })
}

// mergeObjects is a mapping with a variant for each form.
func mergeObjects(forms []form) *Object {
	out := &Object{}
	for _, x := range forms {
		o := x.field.Object
		out.Open = out.Open || o.Open
		if out.Values == nil {
			out.Values = o.Values
		}
		if len(o.Variants) == 0 {
			out.addForm(x)
		}
		for i, v := range o.Variants {
			says := v.when(i, len(o.Variants))
			if x.when != "" && v.Property != "" && x.field.Name != "" {
				says = only(x.field.Name+"."+v.Property, v.Is)
			}
			if x.when != "" {
				says = both(x.when, says)
			}
			out.Variants = append(out.Variants, &Variant{Fields: append(slices.Clone(v.Fields), o.Fields...), says: says, nested: v.Property, under: x.when})
		}
	}
	for _, v := range out.Variants {
		sortFields(v.Fields)
	}
	out.simplify()
	return out
}

// inside is the mapping that a field holds in any of its forms, or nil.
func inside(forms []form) *Object {
	var out []form
	var add func(x form)
	add = func(x form) {
		switch {
		case x.field.Object != nil:
			out = append(out, x)
		case x.field.Items != nil:
			add(form{x.field.Items, x.property, x.is, x.when, x.some})
		}
		for _, e := range x.field.Either {
			add(form{e, x.property, x.is, x.when, x.some})
		}
	}
	for _, x := range forms {
		add(x)
	}
	switch {
	case len(out) == 0:
		return nil
	case !slices.ContainsFunc(out, func(x form) bool { return !reflect.DeepEqual(x.field.Object, out[0].field.Object) }):
		return out[0].field.Object // what is inside does not depend on what chooses the form
	default:
		return mergeObjects(out)
	}
}

// addForm adds a form as a variant, or to the variant that looks the same.
func (o *Object) addForm(x form) {
	for _, v := range o.Variants {
		if v.Property == x.property && v.Property != "" && reflect.DeepEqual(v.Fields, x.field.Object.Fields) {
			v.Is = append(v.Is, x.is...)
			v.says = only(v.Property, v.Is)
			return
		}
	}
	o.Variants = append(o.Variants, &Variant{Property: x.property, Is: slices.Clone(x.is), Fields: slices.Clone(x.field.Object.Fields), says: x.when})
}

// only says with which values of a field another one is there.
func only(property string, is []string) string {
	return fmt.Sprintf("only with %s: %s", property, strings.Join(is, " or "))
}

// both says that two conditions must hold.
func both(one, other string) string {
	return one + " and " + strings.TrimPrefix(strings.TrimPrefix(other, "only with "), "only ")
}

// onlyWith says in which variants a field is there; "" where it is in all of them.
func onlyWith(forms []form) string {
	var says, is []string
	for _, x := range forms {
		switch {
		case !x.some:
			return ""
		case x.property == forms[0].property && x.property != "" && x.when == only(x.property, x.is):
			is = append(is, x.is...)
		}
		if !slices.Contains(says, x.when) {
			says = append(says, x.when)
		}
	}
	if len(is) > 0 && len(says) == len(forms) && len(is) >= len(forms) {
		return only(forms[0].property, is)
	}
	for i := 1; i < len(says); i++ {
		says[i] = strings.TrimPrefix(says[i], "only ")
	}
	return strings.Join(says, ", or ")
}

// requiredWith says in which variants a field is required that others have or lack; ""
// where it is in none.
func requiredWith(forms []form) string {
	var of []form
	for _, x := range forms {
		if x.field.Required {
			x.some = true
			of = append(of, x)
		}
	}
	if len(of) == 0 {
		return ""
	}
	if says := strings.TrimPrefix(onlyWith(of), "only "); says != "" {
		return says
	}
	return "in some of its forms"
}

// formFacts say what holds in some forms of a field only.
func formFacts(forms []form) []fact {
	var out []fact
	for _, x := range forms {
		if says := x.field.notes(); x.when != "" {
			out = append(out, fact{"", strings.TrimSuffix(fmt.Sprintf("%s: %s", x.when, strings.Join(says, "; ")), ": ")})
		}
	}
	return out
}

// differs reports whether the forms of a field say different things of it, which
// no table of its fields shows.
func (f *Field) differs(forms []form) bool {
	return f.Object == nil && f.Items == nil && slices.ContainsFunc(forms, func(x form) bool { return !reflect.DeepEqual(x.field, forms[0].field) })
}
