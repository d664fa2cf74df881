package contract

import (
	"sort"
	"strconv"
	"sync/atomic"
)

// Schema is what the contract says of a value. Reach through references with
// Deref; see a mapping as a whole with Object.
type Schema struct {
	// Name is set on named schemas.
	Name string

	Ref           string
	Type          Types
	Properties    map[string]*Schema
	Required      []string
	Items         *Schema
	Additional    *Schema
	OneOf         []*Schema
	AnyOf         []*Schema
	AllOf         []*Schema
	Discriminator *Discriminator
	Enum          []any
	Const         any
	Default       any
	Pattern       string
	Format        string
	MinLength     *int
	MaxLength     *int
	Minimum       *float64
	Maximum       *float64
	ExclMinimum   any
	ExclMaximum   any
	MultipleOf    *float64
	MinItems      *int
	MaxItems      *int
	UniqueItems   bool
	MinProperties *int
	MaxProperties *int
	Nullable      bool
	ReadOnly      bool
	WriteOnly     bool
	Deprecated    bool
	// Computed marks what the service works out when it is left out.
	Computed bool
	// Whole marks a mapping that a PATCH replaces; others it merges.
	Whole bool
	// Secret marks what must never be shown (see gen/secret.go).
	Secret bool

	hasDefault bool
	never      bool // the schema "false"
	c          *Contract
	// joined are the schemas of which one holds, where that is not known.
	joined []*Schema
	// mapped are the variants by the value of the discriminator, where they are not
	// those of the document.
	mapped map[string]*Schema
	// configures says which field holds the configuration of a plugin.
	configures *Configured
	// tabled marks what the table of plugins says, and loose what may be a list of such
	// values, too; below a secret all is one.
	tabled, loose bool
	// flat is where a reference leads to, once it was followed; nil where there
	// is no such object.
	flat *atomic.Pointer[Schema]
}

// Nothing is the schema of a mapping without fields.
func Nothing() *Schema { return &Schema{Type: "object", Additional: &Schema{never: true}} }

// Never reports whether no value fits a schema.
func (s *Schema) Never() bool { return s.never }

// Types is one type name; where the document allows several, the last of them.
type Types string

// Discriminator picks the branch of a union by the value of one property.
type Discriminator struct {
	Property string
	Mapping  map[string]string
}

func (s *Schema) bind(c *Contract) {
	s.c = c
	s.fold()
	if s.Ref != "" {
		s.flat = new(atomic.Pointer[Schema])
	}
	for _, p := range s.Properties {
		p.bind(c)
	}
	for _, list := range [][]*Schema{s.OneOf, s.AnyOf, s.AllOf} {
		for _, b := range list {
			b.bind(c)
		}
	}
	if s.Items != nil {
		s.Items.Secret = s.Items.Secret || s.Secret // each item of a secret list is one
		s.Items.bind(c)
	}
	if s.Additional != nil {
		s.Additional.bind(c)
	}
}

// fold makes a reference of a schema that does nothing but join one simple value.
func (s *Schema) fold() {
	if len(s.AllOf) != 1 || s.AllOf[0].Ref == "" || s.Ref != "" || s.Type != "" || s.Properties != nil || s.OneOf != nil || s.AnyOf != nil {
		return
	}
	switch s.c.typeOf(s.AllOf[0].Ref) {
	case "", "object", "array":
	default:
		s.Ref, s.AllOf = s.AllOf[0].Ref, nil
	}
}

// typeOf is what a named schema says of its type, without decoding all of it.
func (c *Contract) typeOf(name string) Types {
	var out Types
	r := &reader{text: c.raw[name]}
	r.object(func(key string) {
		if key == "type" {
			out = r.oneType()
		} else {
			r.skip()
		}
	})
	return out
}

// Deref follows references. What stands beside a reference is laid over what
// it leads to.
func (s *Schema) Deref() *Schema {
	if s == nil || s.Ref == "" {
		return s
	}
	if flat := s.flat.Load(); flat != nil {
		return flat
	}
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return s.deref()
}

func (s *Schema) deref() *Schema {
	if s.Ref == "" {
		return s
	}
	if flat := s.flat.Load(); flat != nil {
		return flat
	}
	target := s.c.named(s.Ref)
	if target == nil {
		panic("contract: schema " + s.Ref + " does not exist")
	}
	target = target.deref()
	if s.bare() {
		s.flat.Store(target)
		return target
	}
	merged := *target
	merged.ReadOnly = s.ReadOnly || target.ReadOnly
	merged.WriteOnly = s.WriteOnly || target.WriteOnly
	merged.Nullable = s.Nullable || target.Nullable
	merged.Deprecated = s.Deprecated || target.Deprecated
	merged.Computed = s.Computed || target.Computed
	merged.Secret = s.Secret || target.Secret
	if s.hasDefault {
		merged.Default, merged.hasDefault = s.Default, true
	}
	s.flat.Store(&merged)
	return &merged
}

func (s *Schema) bare() bool {
	return !s.ReadOnly && !s.WriteOnly && !s.Nullable && !s.Deprecated && !s.Computed && !s.Secret && !s.hasDefault
}

// HasDefault tells whether a default is given, null included.
func (s *Schema) HasDefault() bool { return s.hasDefault }

// Object is what a schema says of a mapping: everything that allOf joins, and
// of a union the branch that fits a value, or all branches together.
type Object struct {
	fields map[string]*Field
	// Values is the schema of keys that are not fields; nil when there can be
	// none.
	Values *Schema
	// Open tells that keys that are not fields may be anything.
	Open bool
	// varies tells that a union is part of it, so that values may pick a branch.
	varies bool
}

// Field is one property of an Object.
type Field struct {
	Name     string
	Schema   *Schema // dereferenced
	Required bool
}

// Only returns the value of a required field that has one allowed value.
func (f *Field) Only() (any, bool) {
	switch {
	case !f.Required || f.Schema.ReadOnly || f.Schema.Nullable:
		return nil, false
	case f.Schema.Const != nil:
		return f.Schema.Const, true
	case len(f.Schema.Enum) == 1:
		return f.Schema.Enum[0], true
	default:
		return nil, false
	}
}

// Field finds a property, or nil.
func (o *Object) Field(name string) *Field { return o.fields[name] }

// Names lists the properties.
func (o *Object) Names() []string {
	out := make([]string, 0, len(o.fields))
	for n := range o.fields {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// Object returns the view of s as a mapping. A nil value joins all branches of
// unions; else the branch that the value picks counts, where it picks one.
func (s *Schema) Object(v map[string]any) *Object {
	if s == nil {
		return s.object(v, 0)
	}
	if all := s.ofAll(); v == nil || !all.varies {
		return all
	}
	return s.object(v, 0)
}

// ofAll is the view that joins all branches, kept once it is made.
func (s *Schema) ofAll() *Object {
	flat := s.Deref()
	if flat.c == nil {
		return flat.object(nil, 0)
	}
	if known, ok := flat.c.objects.Load(flat); ok {
		return known.(*Object)
	}
	known, _ := flat.c.objects.LoadOrStore(flat, flat.object(nil, 0))
	return known.(*Object)
}

const maxDepth = 16

func (s *Schema) object(v map[string]any, depth int) *Object {
	o := &Object{fields: map[string]*Field{}}
	o.join(s, v, depth)
	return o
}

// join adds what a schema says of a mapping to what is known of it.
func (o *Object) join(s *Schema, v map[string]any, depth int) {
	s = s.Deref()
	if s == nil || depth > maxDepth {
		return
	}
	for name, p := range s.Properties {
		o.meet(name, p.Deref(), false)
	}
	switch {
	case s.Additional == nil && (s.Type == "object" || depth == 0 && s.plainTrue()) && len(s.Properties)+len(s.OneOf)+len(s.AllOf)+len(s.AnyOf) == 0:
		o.Open = true // also what takes any value takes any mapping
	case s.Additional != nil && s.Additional.never:
	case s.Additional != nil && s.Additional.plainTrue():
		o.Open = true
	case s.Additional != nil:
		o.Values = s.Additional.Deref()
	}
	for _, b := range s.AllOf {
		o.join(b, v, depth+1)
	}
	o.choose(s, v, depth)
	if c := s.configures; c != nil {
		o.varies = true
		if f := o.fields[c.Field]; v != nil && f != nil {
			f.Schema = c.of(v, f.Schema)
		}
	}
	for _, name := range s.Required {
		if f := o.fields[name]; f != nil {
			f.Required = true
		}
	}
}

// choose adds the branch of a union that a value picks, or what all its branches
// say together.
func (o *Object) choose(s *Schema, v map[string]any, depth int) {
	branches := s.Branches()
	if len(branches) == 0 {
		return
	}
	o.varies = true
	if v != nil {
		if b := s.Pick(v); b != nil {
			o.join(b, v, depth+1)
			return
		}
	}
	joined := branches[0].object(nil, depth+1)
	for _, b := range branches[1:] {
		joined.or(b.object(nil, depth+1))
	}
	for name, f := range joined.fields {
		o.meet(name, f.Schema, f.Required)
	}
	o.Open = o.Open || joined.Open
	if joined.Values != nil {
		o.Values = joined.Values
	}
}

// meet adds a field that the mapping has beside what is known of it: both hold.
func (o *Object) meet(name string, s *Schema, required bool) {
	f := o.fields[name]
	switch {
	case f == nil:
		f = &Field{Name: name, Schema: s}
		o.fields[name] = f
	case f.Schema == s:
	case len(s.Enum) > 0 && len(f.Schema.Enum) > 0:
		f.Schema = unionEnum(f.Schema, s)
	case f.Schema.vague() && !s.vague():
		f.Schema = s
	}
	f.Required = f.Required || required
}

// or makes an object that of a mapping of which another view may hold instead.
func (o *Object) or(other *Object) {
	for name, f := range o.fields {
		if other.fields[name] == nil {
			f.Required = false
		}
	}
	for name, f := range other.fields {
		have := o.fields[name]
		if have == nil {
			o.fields[name] = &Field{Name: name, Schema: f.Schema}
			continue
		}
		have.Schema = either(have.Schema, f.Schema)
		have.Required = have.Required && f.Required
	}
	o.Open = o.Open || other.Open
	switch {
	case o.Values == nil:
		o.Values = other.Values
	case other.Values != nil:
		o.Values = either(o.Values, other.Values)
	}
}

// vague tells that a schema says nothing but a type.
func (s *Schema) vague() bool {
	return s.Properties == nil && s.Items == nil && s.Additional == nil && s.OneOf == nil && s.AnyOf == nil && s.AllOf == nil && s.Enum == nil && s.Const == nil
}

func (s *Schema) plainTrue() bool {
	return s.Ref == "" && s.Type == "" && s.Properties == nil && s.OneOf == nil && s.AnyOf == nil && s.AllOf == nil && !s.never && !s.Secret
}

func unionEnum(a, b *Schema) *Schema {
	merged := *a
	merged.Enum = append([]any(nil), a.Enum...)
	for _, x := range b.Enum {
		if !containsScalar(merged.Enum, x) {
			merged.Enum = append(merged.Enum, x)
		}
	}
	return &merged
}

// At follows field names below s, through lists and maps; nil when the path
// leads nowhere. The value, where given, picks the branches of unions, in lists
// where the path names the place of an item, and the plugin that is configured.
func (s *Schema) At(path []string, v any) *Schema {
	at := s.Deref()
	for _, seg := range path {
		if at == nil {
			return nil
		}
		if at.loose && at.Secret {
			continue // all that it holds
		}
		place, isPlace := index(seg)
		if isPlace && at.Item() != nil {
			list, _ := v.([]any)
			at, v = at.Item(), nil
			if place < len(list) {
				v = list[place]
			}
			continue
		}
		for at.Type == "array" && at.Items != nil {
			at, v = at.Items.Deref(), nil
		}
		if at.loose && at.Secret {
			continue
		}
		m, _ := v.(map[string]any)
		if m == nil && at.Configured(seg) {
			at, v = at.Configuration(seg), nil
			continue
		}
		o := at.Object(m)
		switch f := o.Field(seg); {
		case f != nil:
			at = f.Schema
		case o.Values != nil:
			at = o.Values
		default:
			return nil
		}
		v = m[seg]
	}
	return at
}

// Item is what a list holds, of a union whose variants are lists, too; nil where
// the value is no list.
func (s *Schema) Item() *Schema {
	if s == nil {
		return nil
	}
	if s.loose {
		return s
	}
	if s.Type == "array" {
		return s.Items.Deref()
	}
	var out *Schema
	for _, b := range s.Branches() {
		switch of := b.Item(); {
		case of == nil:
		case out == nil:
			out = of
		default:
			out = either(out, of)
		}
	}
	return out
}

// index reads the place of an item in a path.
func index(seg string) (int, bool) {
	if len(seg) < 3 || seg[0] != '[' || seg[len(seg)-1] != ']' {
		return 0, false
	}
	n, err := strconv.Atoi(seg[1 : len(seg)-1])
	return n, err == nil && n >= 0
}
