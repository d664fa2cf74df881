package contract

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/kongctl/kongctl/internal/value"
)

// Branches are the variants of a union, or nil if s is not a union.
func (s *Schema) Branches() []*Schema {
	s = s.Deref()
	list := s.OneOf
	if list == nil {
		list = s.AnyOf
	}
	out := make([]*Schema, len(list))
	for i, b := range list {
		out[i] = b.Deref()
	}
	return out
}

// Selector tells by which property the branches of a union are distinguished and
// which value leads to which branch. The document names it as discriminator,
// or every branch has one required property with values of its own. The branches
// must not be changed.
func (s *Schema) Selector() (property string, branches map[string]*Schema) {
	s = s.Deref()
	if s.c == nil {
		return s.selector()
	}
	if known, ok := s.c.selectors.Load(s); ok {
		return known.(selector).property, known.(selector).branches
	}
	property, branches = s.selector()
	s.c.selectors.Store(s, selector{property, branches})
	return property, branches
}

type selector struct {
	property string
	branches map[string]*Schema
}

func (s *Schema) selector() (property string, branches map[string]*Schema) {
	if s.mapped != nil {
		return s.Discriminator.Property, s.mapped
	}
	if d := s.Discriminator; d != nil && len(d.Mapping) > 0 {
		out := map[string]*Schema{}
		for value, name := range d.Mapping {
			if b := s.c.Schema(name); b != nil {
				out[value] = b.Deref()
			}
		}
		return d.Property, out
	}
	list := s.Branches()
	if len(list) < 2 {
		return "", nil
	}
	for _, name := range list[0].Object(nil).Names() {
		if out := selectBy(name, list); out != nil {
			return name, out
		}
	}
	return "", nil
}

func selectBy(name string, list []*Schema) map[string]*Schema {
	out := map[string]*Schema{}
	for _, b := range list {
		f := b.Object(nil).Field(name)
		if f == nil || !f.Required {
			return nil
		}
		values := f.Schema.Enum
		if f.Schema.Const != nil {
			values = []any{f.Schema.Const}
		}
		if len(values) == 0 {
			return nil
		}
		for _, v := range values {
			key := fmt.Sprint(v)
			if out[key] != nil {
				return nil
			}
			out[key] = b
		}
	}
	return out
}

// Pick returns the branch of a union that a value belongs to; nil when that
// cannot be known. Where no property tells, it is the only branch that may hold
// the value, or else the only one that has its keys; and where none may, the same without
// what is null.
func (s *Schema) Pick(v map[string]any) *Schema {
	if property, branches := s.Selector(); property != "" {
		x, ok := v[property]
		if !ok {
			return nil
		}
		return branches[fmt.Sprint(x)]
	}
	branches := s.Branches()
	all := s.Object(nil)
	fits := func(b *Schema) bool { return b.mayHold(v, all) }
	if !slices.ContainsFunc(branches, fits) {
		v = maps.Clone(v)
		maps.DeleteFunc(v, func(_ string, x any) bool { return x == nil })
	}
	return or(only(branches, func(b *Schema) bool { return fits(b) && !b.lacks(v) }),
		func() *Schema { return only(branches, fits) })
}

// WithVariant adds to a part of a mapping what else the whole has that says which variant
// of a union it is of, where the part fits several.
func WithVariant(s *Schema, part, whole map[string]any) map[string]any {
	if len(s.Branches()) == 0 || s.Pick(part) != nil {
		return part
	}
	all := maps.Clone(whole)
	maps.Copy(all, part)
	is := s.Pick(all)
	if is == nil {
		return part
	}
	out := maps.Clone(part)
	for name, f := range is.Object(nil).fields {
		_, sent := part[name]
		x, has := whole[name]
		if has && !sent && slices.ContainsFunc(s.Branches(), func(b *Schema) bool {
			g := b.Object(nil).Field(name)
			return g == nil || g.Schema != f.Schema
		}) {
			out[name] = x
		}
	}
	return out
}

func or(s *Schema, other func() *Schema) *Schema {
	if s != nil {
		return s
	}
	return other()
}

// only is the one branch that fits, nil where several do.
func only(branches []*Schema, fits func(*Schema) bool) *Schema {
	var found *Schema
	for _, b := range branches {
		if !fits(b) {
			continue
		}
		if found != nil {
			return nil
		}
		found = b
	}
	return found
}

// mayHold tells whether the branch knows every key that any branch knows, and
// takes the values that a choice bounds. What it requires is not null, where it may not
// be.
func (s *Schema) mayHold(v map[string]any, all *Object) bool {
	o := s.Object(nil)
	for k, x := range v {
		f := o.Field(k)
		switch {
		case f != nil:
			if !f.Schema.takes(x) || x == nil && f.Required && !mayBeNull(f.Schema) {
				return false
			}
		case o.Values == nil && all.Field(k) != nil:
			return false
		}
	}
	return true
}

// mayBeNull tells whether null is a value, of a union whether it is in a branch.
func mayBeNull(s *Schema) bool {
	return s.Nullable || slices.ContainsFunc(s.Branches(), func(b *Schema) bool { return b.Nullable })
}

// takes tells whether a value can be meant for a schema: the same kind of value,
// and of a choice one of its values, down to what is inside.
func (s *Schema) takes(v any) bool {
	if s = s.Deref(); s.tabled {
		return true
	}
	switch x := v.(type) {
	case map[string]any:
		if s.Type != "" && s.Type != "object" {
			return false
		}
		if len(s.Branches()) > 0 {
			return true
		}
		o := s.Object(nil)
		for k, y := range x {
			f := o.Field(k)
			if f == nil && o.Values == nil && !o.Open && len(o.fields) > 0 || f != nil && !f.Schema.takes(y) {
				return false
			}
		}
		return true
	case []any:
		return s.Type == "" || s.Type == "array"
	case string:
		switch {
		case x == value.UnknownText:
			return true
		case s.Const != nil:
			return fmt.Sprint(s.Const) == x
		case len(s.Enum) > 0:
			return containsScalar(s.Enum, x)
		}
	}
	return true
}

// lacks tells that a value has not all that the branch requires.
func (s *Schema) lacks(v map[string]any) bool {
	o := s.Object(nil)
	for n, f := range o.fields {
		if _, ok := v[n]; !ok && f.Required {
			return true
		}
	}
	return false
}

// either is what two schemas say of a value of which one of them holds. A secret
// of one is a secret.
func either(a, b *Schema) *Schema {
	if a == b {
		return a
	}
	for _, x := range a.joined {
		if x == b {
			return a
		}
	}
	out := &Schema{
		c: a.c, Nullable: a.Nullable || b.Nullable, ReadOnly: a.ReadOnly && b.ReadOnly, WriteOnly: a.WriteOnly || b.WriteOnly,
		Deprecated: a.Deprecated && b.Deprecated, Computed: a.Computed || b.Computed, Secret: a.Secret || b.Secret,
		tabled: a.tabled && b.tabled, loose: a.loose && b.loose,
	}
	if out.c == nil {
		out.c = b.c
	}
	out.joined = append(append(out.joined, a.parts()...), b.parts()...)
	if a.hasDefault && b.hasDefault && value.Equal(a.Default, b.Default) {
		out.Default, out.hasDefault = a.Default, true
	}
	if a.Type != b.Type || a.mapping() || b.mapping() {
		if a.Type == b.Type {
			out.Type = a.Type
		}
		out.AnyOf = out.joined
		return out
	}
	out.Type = a.Type
	out.bounds(a, b)
	if a.Items != nil && b.Items != nil {
		out.Items = either(a.Items.Deref(), b.Items.Deref())
	}
	return out
}

// parts are the schemas that one was made of.
func (s *Schema) parts() []*Schema {
	if s.joined != nil {
		return s.joined
	}
	return []*Schema{s}
}

// mapping tells that there may be something below a value but items.
func (s *Schema) mapping() bool {
	return s.Type == "object" || s.Properties != nil || s.OneOf != nil || s.AnyOf != nil || s.AllOf != nil
}

// bounds keeps what both schemas ask of a value.
func (s *Schema) bounds(a, b *Schema) {
	s.Enum = choices(a)
	if of := choices(b); of == nil {
		s.Enum = nil
	} else if s.Enum != nil {
		for _, x := range of {
			if !containsScalar(s.Enum, x) {
				s.Enum = append(s.Enum, x)
			}
		}
	}
	if a.Pattern == b.Pattern {
		s.Pattern = a.Pattern
	}
	if a.Format == b.Format {
		s.Format = a.Format
	}
	s.MinLength, s.MaxLength = same(a.MinLength, b.MinLength), same(a.MaxLength, b.MaxLength)
	s.MinItems, s.MaxItems = same(a.MinItems, b.MinItems), same(a.MaxItems, b.MaxItems)
	s.Minimum, s.Maximum = same(a.Minimum, b.Minimum), same(a.Maximum, b.Maximum)
	s.UniqueItems = a.UniqueItems && b.UniqueItems
}

// choices are the values that a schema allows, nil where they are not listed.
func choices(s *Schema) []any {
	if s.Const != nil {
		return []any{s.Const}
	}
	return slices.Clone(s.Enum)
}

func same[T comparable](a, b *T) *T {
	if a == nil || b == nil || *a != *b {
		return nil
	}
	return a
}

// SelectorValues lists the values of a selector in order.
func SelectorValues(branches map[string]*Schema) []string {
	out := make([]string, 0, len(branches))
	for v := range branches {
		out = append(out, v)
	}
	sort.Strings(out)
	return out
}

func containsScalar(list []any, x any) bool {
	for _, y := range list {
		if fmt.Sprint(y) == fmt.Sprint(x) {
			return true
		}
	}
	return false
}
