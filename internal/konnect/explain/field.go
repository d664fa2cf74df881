package explain

import (
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Object describes a mapping.
type Object struct {
	// Fields are those that every variant has.
	Fields []*Field
	// Variants are the alternatives of a union, of which one is chosen.
	Variants []*Variant
	// Values is what other keys hold, or nil.
	Values *Field
	// Open: other keys may hold anything.
	Open bool

	// elsewhere are fields that other forms of what the mapping stands in have in it.
	elsewhere []*Field
}

// Variant is one alternative of a mapping.
type Variant struct {
	// Property has one of the values Is where the variant is meant; "" where its
	// fields tell it apart.
	Property string
	Is       []string
	Fields   []*Field

	// says is when the variant is meant, where a mapping further up decides it; apart
	// where a field further down does.
	says, apart string
	// nested is the property that chooses among the variants of the mapping itself,
	// under what a mapping further up has decided.
	nested, under string
}

// Field describes a value.
type Field struct {
	Name string
	// Type is string, integer, number, boolean, array, object or "" for anything.
	Type       string
	Required   bool
	Nullable   bool
	Default    any
	HasDefault bool
	Enum       []any
	Pattern    string
	Format     string
	// Limits are lengths, counts and bounds by their names in JSON Schema.
	Limits    map[string]any
	Immutable bool
	// InPlace is where an update changes a field that is immutable otherwise.
	InPlace string
	Secret  bool
	// ShownOnce: Konnect generates the secret where it is left out, and shows it once.
	ShownOnce bool
	// Plugin is what names the plugin that a mapping configures; Tabled is a field that
	// only the table of plugins knows.
	Plugin string
	Tabled bool
	// Returned: Konnect returns it, and nobody writes it here.
	Returned bool
	Identity bool
	// Another: another value of the identity is another resource, and no move says that
	// it is the same one.
	Another  bool
	Computed bool
	// LeftOut says which other field it takes its value from where it is left out.
	LeftOut    string
	Deprecated bool
	Unordered  bool
	// Refers is the kind that the field refers to, AnyKind stands for all.
	Refers string
	// Names is the kind of resources that the field names, which belong to the same
	// resource of the kind NamedIn.
	Names, NamedIn string
	// Inside is the field of the parent, of the kind NamedIn, that has the names of its
	// items, one of which a text is.
	Inside string
	// Short is another name of the field.
	Short string
	// Items is what a list holds, Object what a mapping holds.
	Items  *Field
	Object *Object
	// Either are the forms of a value that has several.
	Either []*Field
	// From are the fields one of which must be there where this one is left out.
	From []string
	// Loads says how people may write it in a way that the contract does not have.
	Loads string
	// Only: it has one allowed value, which is filled in.
	Only bool
	// Free: a text or another mapping may stand for it.
	Free bool
	// Document: a mapping may stand for the text.
	Document bool
	// Keys is the schema of the keys of a mapping, where they have a form.
	Keys map[string]any
	// Beside is the kind of what stands there and belongs to another resource, which a
	// scaffold lacks.
	Beside string
}

// AnyKind is what a field refers to that takes resources of every kind.
const AnyKind = "any"

// describer describes values of one type.
type describer struct {
	bound *catalog.Bound
	// returned: what Konnect returns is described, not what people write.
	returned bool
	// item: the value stands in an item of a list, which is compared as a whole.
	item bool
	// above are the named schemas that the value stands in.
	above []string
}

const maxDepth = 10

func (d *describer) object(s *contract.Schema, path []string) *Object {
	o := &Object{}
	d.join(o, s, path, true, 0)
	all := s.Object(nil)
	for _, f := range o.Fields {
		f.mayLack(all.Field(f.Name))
	}
	sortFields(o.Fields)
	o.simplify()
	return o
}

// mayLack makes a required field of one allowed value one that may be left out: it is
// filled in.
func (f *Field) mayLack(of *contract.Field) {
	if of == nil {
		return
	}
	if x, one := of.Only(); one && f.Required {
		f.Required, f.Only, f.Default, f.HasDefault = false, true, x, true
	}
}

// join adds what a schema says of a mapping.
func (d *describer) join(o *Object, s *contract.Schema, path []string, must bool, depth int) {
	s = s.Deref()
	if s == nil || depth > maxDepth {
		return
	}
	plain := s.Object(nil)
	o.Open = o.Open || plain.Open
	if plain.Values != nil && o.Values == nil {
		o.Values = d.field("", plain.Values, append(slices.Clone(path), "*"), false)
	}
	for _, name := range sorted(s.Properties) {
		f := s.Properties[name].Deref()
		if f.ReadOnly && !d.returned {
			continue
		}
		required := must && !d.returned && slices.Contains(s.Required, name)
		if known := o.own(name); known != nil {
			known.Required = known.Required || required
			continue
		}
		o.Fields = append(o.Fields, d.field(name, f, append(slices.Clone(path), name), required))
	}
	for _, part := range s.AllOf {
		d.join(o, part, path, must, depth+1)
	}
	for _, name := range s.Required {
		if known := o.own(name); known != nil && must && !d.returned {
			known.Required = true
		}
	}
	d.variants(o, s, path, must, depth)
}

// variants adds the alternatives of a union.
func (d *describer) variants(o *Object, s *contract.Schema, path []string, must bool, depth int) {
	branches := s.Branches()
	switch {
	case len(branches) == 0:
		return
	case len(branches) == 1:
		d.join(o, branches[0], path, must, depth+1)
		return
	case len(o.Variants) > 0: // a second union: its fields may all be there
		for _, b := range branches {
			d.join(o, b, path, false, depth+1)
		}
		return
	}
	property, choices := s.Selector()
	for _, b := range branches {
		inner := &Object{}
		d.join(inner, b, path, must, depth+1)
		var is []string
		for choice, chosen := range choices {
			if chosen == b {
				is = append(is, choice)
			}
		}
		sort.Strings(is)
		o.Open = o.Open || inner.Open
		if inner.Values != nil && o.Values == nil {
			o.Values = inner.Values
		}
		if len(inner.Variants) == 0 {
			o.Variants = append(o.Variants, d.variant(property, is, inner.Fields))
			continue
		}
		for _, v := range inner.Variants {
			o.Variants = append(o.Variants, d.variant(v.Property, v.Is, append(v.Fields, inner.Fields...)))
		}
	}
}

// variant is one alternative; the value that chooses it is all that its property
// can hold.
func (d *describer) variant(property string, is []string, fields []*Field) *Variant {
	v := &Variant{Property: property, Is: is}
	for _, f := range fields {
		if f.Name == property && len(is) > 0 {
			chosen := *f
			chosen.Required, chosen.Enum = true, nil
			for _, choice := range is {
				chosen.Enum = append(chosen.Enum, choice)
			}
			chosen.typed()
			f = &chosen
		}
		v.Fields = append(v.Fields, f)
	}
	sortFields(v.Fields)
	return v
}

// simplify moves fields that all variants share to the common ones.
func (o *Object) simplify() {
	if len(o.Variants) == 0 {
		return
	}
	for _, f := range slices.Clone(o.Variants[0].Fields) {
		shared := !slices.ContainsFunc(o.Variants, func(v *Variant) bool {
			return !slices.ContainsFunc(v.Fields, func(g *Field) bool { return reflect.DeepEqual(f, g) })
		})
		if !shared {
			continue
		}
		o.Fields = append(o.Fields, f)
		for _, v := range o.Variants {
			v.Fields = slices.DeleteFunc(v.Fields, func(g *Field) bool { return g.Name == f.Name })
		}
	}
	sortFields(o.Fields)
	o.tell()
}

// own finds a field that every variant has.
func (o *Object) own(name string) *Field {
	for _, f := range o.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Field finds a field of any variant, or nil.
func (o *Object) Field(name string) *Field {
	for _, f := range o.all() {
		if f.Name == name || f.Short == name && name != "" {
			return f
		}
	}
	return nil
}

// identifies reports whether every field is one that the resource is found by, so
// that another value is another resource.
func (o *Object) identifies() bool {
	fields := o.all()
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(f *Field) bool { return !f.identifies() })
}

func (f *Field) identifies() bool { return f.Identity || f.Object != nil && f.Object.identifies() }

// all are the fields of all variants, each name once for each meaning.
func (o *Object) all() []*Field {
	if o == nil {
		return nil
	}
	out := slices.Clone(o.Fields)
	for _, v := range o.Variants {
		out = append(out, v.Fields...)
	}
	return out
}

func (d *describer) field(name string, s *contract.Schema, path []string, required bool) *Field {
	s = s.Deref()
	f := &Field{
		Name: name, Type: string(s.Type), Required: required, Nullable: s.Nullable, Default: s.Default, HasDefault: s.HasDefault(),
		Enum: s.Enum, Pattern: s.Pattern, Format: s.Format, Limits: limits(s), Secret: s.Secret, Deprecated: s.Deprecated, Tabled: s.Tabled(),
	}
	if s.Const != nil {
		f.Enum = []any{s.Const}
	}
	f.typed()
	if catalog.IsImage(s) {
		f.Loads = "an image: !file image.png, or a data URL"
	}
	if s.HasDefault() && s.Default == nil {
		f.HasDefault = false // null is what every field without one has
	}
	d.facts(f, path)
	if e := d.bound.Emptied; e != "" && strings.Join(path, ".") == e && name != "" && !d.returned {
		f.Limits["minItems"] = 1
	}
	if len(path) > maxDepth || s.Name != "" && slices.Contains(d.above, s.Name) {
		f.Object = nil
		return f
	}
	if s.Name != "" {
		d = &describer{bound: d.bound, returned: d.returned, item: d.item, above: append(slices.Clone(d.above), s.Name)}
	}
	d.inner(f, s, path)
	return f
}

// typed gives a value the type of its choices, where the contract names them alone.
func (f *Field) typed() {
	if f.Type != "" || len(f.Enum) == 0 {
		return
	}
	for _, v := range f.Enum {
		if _, isText := v.(string); !isText {
			return
		}
	}
	f.Type = "string"
}

// inner describes what a list, a mapping or a value of several forms holds.
func (d *describer) inner(f *Field, s *contract.Schema, path []string) {
	switch {
	case s.Type == "array":
		if s.Items != nil {
			items := *d
			items.item = true
			f.Items = items.field("", s.Items, path, false)
		}
	case mapping(s):
		f.Type = "object"
		f.Object = d.object(s, path)
	case len(s.Branches()) > 0:
		for _, b := range s.Branches() {
			either := d.field("", b, path, false)
			if !slices.ContainsFunc(f.Either, func(g *Field) bool { return reflect.DeepEqual(g, either) }) {
				f.Either = append(f.Either, either)
			}
		}
		f.Type = ""
		if len(f.Either) == 1 {
			one := *f.Either[0]
			one.Name, one.Required, one.Nullable = f.Name, f.Required, f.Nullable || one.Nullable
			*f = one
		}
	}
}

// mapping reports whether a schema is that of a mapping in all its variants.
func mapping(s *contract.Schema) bool {
	s = s.Deref()
	if s.Type == "object" || len(s.Properties) > 0 {
		return true
	}
	parts := append(s.Branches(), s.AllOf...)
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(b *contract.Schema) bool { return !mapping(b) })
}

// facts adds what the catalog and the contract say of a field by its path.
func (d *describer) facts(f *Field, path []string) {
	b := d.bound
	d.reference(f, path)
	if f.Name != "" && !d.returned {
		if f.Names = b.Neutral().NamedAt(path).Kind; f.Names != "" {
			f.NamedIn = b.Parent.Kind
		}
		if f.Inside = b.NamedInside(path); f.Inside != "" {
			f.NamedIn = b.Parent.Kind
		}
	}
	f.Unordered = b.IsUnordered(path)
	f.Identity = f.Name != "" && slices.Contains(b.Identity, strings.Join(path, "."))
	f.Another = f.Identity && !d.returned && !b.ReadOnly && catalog.Renamed(b) != strings.Join(path, ".")
	if d.returned {
		f.Returned, f.Secret = true, f.Secret || b.ReturnedAt(path).Secret
		return
	}
	f.Nullable = f.Nullable || b.HasLabels() && len(path) <= 2 && path[0] == fieldLabels // null takes labels away
	if len(path) == 1 && path[0] == fieldLabels {
		f.Keys = labelKeys()
	}
	if c, ok := b.WriteOp().Configuration(); ok && c.Field == strings.Join(path, ".") {
		f.Plugin = c.Plugin
		if c.By != "" {
			f.Plugin = "that " + c.By + " names"
		}
	}
	if catalog.TakesDocument(b, path) {
		f.Document, f.Loads = true, "a mapping in its place is sent as JSON"
	}
	f.Computed, f.LeftOut = b.IsComputed(path), leftOut(b, path)
	f.ShownOnce = slices.ContainsFunc(catalog.ShownOnce(b), func(p value.Path) bool { return p.String() == strings.Join(path, ".") })
	f.Immutable = f.Name != "" && !d.item && b.Immutable(path) && (len(path) == 1 || f.Identity || !b.Immutable(path[:len(path)-1]))
	if x, ok := catalog.Eased(b, path); ok && f.Immutable {
		f.InPlace = x.Where + " is " + diag.Join(x.Is, "or")
	}
}

// reference says what a field refers to.
func (d *describer) reference(f *Field, path []string) {
	r, ok := d.bound.Reference(path)
	if !ok || d.returned {
		return
	}
	f.Refers = r.Kind
	if r.Kind == "" {
		f.Refers = AnyKind
	}
	isTree := d.bound.Tree != nil && r.Field == d.bound.Tree.Parent
	if short := d.bound.ShortName(r.Field); short != r.Field && f.Name != "" && !isTree {
		f.Short = short
	}
}

func limits(s *contract.Schema) map[string]any {
	out := map[string]any{}
	for name, n := range map[string]*int{
		"minLength": s.MinLength, "maxLength": s.MaxLength, "minItems": s.MinItems, "maxItems": s.MaxItems,
		"minProperties": s.MinProperties, "maxProperties": s.MaxProperties,
	} {
		if n != nil && (s.Type != "array" || !strings.HasSuffix(name, "Length")) { // of a list they mean nothing
			out[name] = *n
		}
	}
	for name, n := range map[string]*float64{"minimum": s.Minimum, "maximum": s.Maximum, "multipleOf": s.MultipleOf} {
		if n != nil {
			out[name] = *n
		}
	}
	for name, n := range map[string]any{"exclusiveMinimum": s.ExclMinimum, "exclusiveMaximum": s.ExclMaximum} {
		if _, isBool := n.(bool); n != nil && !isBool {
			out[name] = n
		}
	}
	if s.UniqueItems {
		out["uniqueItems"] = true
	}
	return out
}

func sorted[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// sortFields puts the fields that tell a resource apart first, then those that
// are required, each by name.
func sortFields(fields []*Field) {
	rank := func(f *Field) int {
		switch {
		case f.Identity:
			return 0
		case f.Required:
			return 1
		default:
			return 2
		}
	}
	slices.SortStableFunc(fields, func(a, b *Field) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
}
