package contract

import (
	"fmt"
	"sort"
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
// or every branch has one required property with values of its own.
func (s *Schema) Selector() (property string, branches map[string]*Schema) {
	s = s.Deref()
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
// cannot be known.
func (s *Schema) Pick(v map[string]any) *Schema {
	if property, branches := s.Selector(); property != "" {
		x, ok := v[property]
		if !ok {
			return nil
		}
		return branches[fmt.Sprint(x)]
	}
	var fits *Schema
	for _, b := range s.Branches() {
		if !b.mayHold(v) {
			continue
		}
		if fits != nil {
			return nil
		}
		fits = b
	}
	return fits
}

// mayHold tells whether the branch knows every key and misses none that it
// requires.
func (s *Schema) mayHold(v map[string]any) bool {
	o := s.Object(nil)
	for k := range v {
		if o.Field(k) == nil && o.Values == nil && !o.Open {
			return false
		}
	}
	for _, n := range o.Names() {
		if _, ok := v[n]; !ok && o.Field(n).Required {
			return false
		}
	}
	return true
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
