package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// rows are the fields of a mapping and what they hold, one line each, with the tags
// that they are best written with where people write them.
func rows(o *Object, indent, only string, tags bool) []row {
	var out []row
	add := func(f *Field, only string) {
		name := f.Name
		if f.Required {
			name += " *"
		}
		notes := f.notes()
		if tag := f.PreferredTag(); tags && tag != "" && !f.Secret { // the note about secrets has it
			notes = append(notes, "preferred tag "+tag)
		}
		out = append(out, row{indent + name, f.kind(), strings.Join(append(notes, nonEmpty(only)...), "; ")})
		for _, in := range f.within() {
			out = append(out, rows(in.Object, indent+"  ", "", tags)...)
		}
	}
	if o == nil {
		return nil
	}
	for _, f := range o.Fields {
		add(f, only)
	}
	property := ""
	if len(o.Variants) > 0 && o.Variants[0].says == "" {
		property = o.Variants[0].Property
		if f := chooser(o.Variants, property); f != nil {
			add(f, "")
		}
	}
	chosen := map[string]bool{}
	for i, v := range o.Variants {
		for _, f := range v.Fields {
			switch {
			case f.Name == property:
			case f.Name == v.nested && !chosen[v.under]:
				chosen[v.under] = true
				add(chooser(o.under(v.under), f.Name), v.under)
			case f.Name != v.nested:
				add(f, v.when(i, len(o.Variants)))
			}
		}
	}
	if o.Values != nil && len(o.all()) > 0 || o.Values != nil && o.Values.Object != nil {
		other := *o.Values
		other.Name = "<any key>"
		add(&other, only)
	}
	return out
}

// within are the values that a field holds in the end: the items of lists, and each
// form of a value that has several.
func (f *Field) within() []*Field {
	switch {
	case f.Type == "array" && f.Items != nil:
		return f.Items.within()
	case len(f.Either) > 0:
		var out []*Field
		for _, e := range f.Either {
			out = append(out, e.within()...)
		}
		return out
	}
	return []*Field{f}
}

// under are the variants that a mapping further up leaves open.
func (o *Object) under(says string) []*Variant {
	var out []*Variant
	for _, v := range o.Variants {
		if v.under == says {
			out = append(out, v)
		}
	}
	return out
}

// chooser is the field that chooses a variant, with all its values.
func chooser(variants []*Variant, property string) *Field {
	var out *Field
	for _, v := range variants {
		for _, f := range v.Fields {
			switch {
			case f.Name != property:
			case out == nil:
				first := *f
				first.Enum = slices.Clone(f.Enum)
				out = &first
			default:
				out.Enum = append(out.Enum, f.Enum...)
			}
		}
	}
	return out
}

func (v *Variant) when(i, of int) string {
	if says := v.says + v.apart; says != "" {
		return says
	}
	if v.Property != "" {
		return only(v.Property, v.Is)
	}
	return fmt.Sprintf("only in form %d of %d", i+1, of)
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// notes are what there is to know of a field besides its type.
func (f *Field) notes() []string {
	var out []string
	add := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(f.Identity && !f.Immutable && !f.Another, "identity")
	add(f.identifies() && f.Immutable || f.Another && !f.Immutable, "identity: the resource is found by it; another value is another resource")
	if f.Refers == AnyKind {
		add(true, "ref, name or id of any resource")
	} else {
		add(f.Refers != "", "ref, name or id of %s", diag.A(catalog.Words(f.Refers)))
	}
	add(f.Names != "", "ref or name of %s of the same %s", diag.A(catalog.Words(f.Names)), catalog.Words(f.NamedIn))
	if list, name, inside := catalog.Cut(f.Inside); inside {
		add(true, "the %s of one of the %s of its %s", catalog.Words(name), catalog.Words(list), catalog.Words(f.NamedIn))
	}
	add(f.Short != "", "also %s", f.Short)
	add(f.Secret && f.Returned, "secret")
	add(f.Secret && f.Type != "array" && !f.Returned, "secret: write !secret {source: !env NAME}")
	add(f.Secret && f.Type == "array" && !f.Returned, "secret: write [!secret {source: !env NAME}]")
	add(f.ShownOnce, "Konnect generates it when it is left out, and shows it once: apply and sync write it with --write-generated FILE")
	add(len(f.Enum) > 0, "%s", enumText(f.Enum))
	if f.Items != nil && len(f.Items.Enum) > 0 {
		add(true, "%s", enumText(f.Items.Enum))
	}
	add(f.HasDefault && !f.Required, "default %s", text(f.Default))
	add(f.LeftOut != "", "%s", f.LeftOut)
	add(f.Computed && !f.HasDefault && f.LeftOut == "", "Konnect fills it in when it is left out")
	add(f.Immutable && !f.identifies() && f.InPlace == "", "immutable: a change replaces the resource")
	add(f.InPlace != "" && !f.identifies(), "immutable: a change replaces the resource, unless %s", f.InPlace)
	out = append(out, f.limitTexts()...)
	add(f.Pattern != "", "pattern %s", f.Pattern)
	out = append(out, f.eitherTexts()...)
	add(f.Plugin != "", "takes all fields of the plugin %s; those that the plugin encrypts are secret", f.Plugin)
	add(f.Nullable && !f.Tabled && (len(f.Enum) != 1 || f.Enum[0] != nil), "may be null")
	add(f.Unordered, "order does not matter")
	add(f.Loads != "", "%s", f.Loads)
	add(f.Beside != "", "also texts alone; each is %s; sync deletes those that are not listed, where the key is written", diag.A(catalog.Words(f.Beside)))
	add(f.Deprecated, "deprecated")
	return out
}

func enumText(values []any) string {
	if len(values) == 1 {
		return "always " + text(values[0])
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = text(v)
	}
	return "one of " + strings.Join(out, ", ")
}

func (f *Field) limitTexts() []string {
	return append(append(between(f.Limits, "minLength", "maxLength", " characters"), between(f.Limits, "minItems", "maxItems", " items")...),
		append(between(f.Limits, "minProperties", "maxProperties", " keys"), between(f.Limits, "minimum", "maximum", "")...)...)
}

// eitherTexts are the limits of each form of a value, or of an item, that has several
// of different types.
func (f *Field) eitherTexts() []string {
	forms := f.Either
	if f.Items != nil {
		forms = f.Items.Either
	}
	var out []string
	kinds := map[string]bool{}
	for _, e := range forms {
		kinds[e.kind()] = true
	}
	if len(kinds) < len(forms) {
		return nil
	}
	for _, e := range forms {
		says := e.limitTexts()
		if e.Pattern != "" {
			says = append(says, "pattern "+e.Pattern)
		}
		if len(says) > 0 {
			out = append(out, e.kind()+": "+strings.Join(says, ", "))
		}
	}
	return out
}

func between(limits map[string]any, least, most, what string) []string {
	low, hasLow := limits[least]
	high, hasHigh := limits[most]
	switch {
	case hasLow && hasHigh && text(low) == text(high):
		return []string{text(high) + counted(text(high), what)}
	case hasLow && hasHigh:
		return []string{fmt.Sprintf("%s to %s%s", text(low), text(high), what)}
	case hasHigh:
		return []string{"at most " + text(high) + counted(text(high), what)}
	case hasLow && text(low) == "1" && what != "":
		return []string{"at least 1" + strings.TrimSuffix(what, "s")}
	case hasLow && text(low) != "0":
		return []string{fmt.Sprintf("at least %s%s", text(low), what)}
	}
	return nil
}

// counted is a plural after a number: that of one is the singular.
func counted(n, what string) string {
	if n == "1" {
		return strings.TrimSuffix(what, "s")
	}
	return what
}

// text is a value the way that people write it.
func text(v any) string {
	if s, ok := v.(string); ok && s != "" {
		return s
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// Widths of the table of fields.
const (
	maxName = 34
	maxKind = 24
)

func writeFields(b *strings.Builder, all []row, width int) {
	name, kind := 0, 0
	for _, r := range all {
		name, kind = max(name, len(r.name)), max(kind, len(r.kind))
	}
	name, kind = min(name, maxName), min(kind, maxKind)
	for _, r := range all {
		begin := fmt.Sprintf("  %-*s  ", name, r.name)
		if says := fmt.Sprintf("%-*s  %s", kind, r.kind, r.says); width > 0 && len(begin+r.kind) > width {
			hang(b, begin, says, width)
			continue
		}
		hang(b, begin+fmt.Sprintf("%-*s  ", kind, r.kind), r.says, width)
	}
	if len(all) == 0 {
		b.WriteString("  none\n")
	}
}
