// Package laws runs the laws of the architecture over every type of the
// catalog.
//
// In: values made from the contract: every optional field, enum value and union
// branch gets its turn. Out: failures that name the type and the feature. It
// must never hold code for one type.
package laws

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// step leads from a schema to a part of it.
type step struct {
	field  string // a property
	branch int    // a variant of a union, from 1
	item   bool   // an element of a list
	leaf   bool   // the value itself
	value  any
}

func (s step) String() string {
	switch {
	case s.field != "":
		return "." + s.field
	case s.branch > 0:
		return fmt.Sprintf("|%d", s.branch)
	case s.item:
		return "[]"
	default:
		return fmt.Sprintf("=%v", s.value)
	}
}

// feature is something that a value can have: a field, an enum's value, a
// variant, null.
type feature []step

func (f feature) String() string {
	var b strings.Builder
	for _, s := range f {
		b.WriteString(s.String())
	}
	return b.String()
}

const maxDepth = 8

// allFeatures lists all that a type's values can have.
func allFeatures(t *catalog.Bound) []feature {
	return append([]feature{{}}, walk(t.Write(), nil, nil)...)
}

// features lists what laws try of a type.
func features(t *catalog.Bound) []feature { return spread(allFeatures(t), maxFeatures) }

func walk(s *contract.Schema, at feature, in []*contract.Schema) []feature {
	s = s.Deref()
	if s == nil || len(in) > maxDepth || s.Secret || endless(in, s) {
		return nil
	}
	in = append(in[:len(in):len(in)], s)
	var out []feature
	add := func(st step) feature {
		f := append(at[:len(at):len(at)], st)
		out = append(out, f)
		return f
	}
	for i, b := range s.Branches() {
		f := add(step{branch: i + 1})
		out = append(out, walk(b, f, in)...)
	}
	if s.Nullable && len(in) > 1 {
		add(step{leaf: true})
	}
	for _, v := range s.Enum {
		if v != nil {
			add(step{leaf: true, value: v})
		}
	}
	if s.Type == "boolean" && len(s.Enum) == 0 {
		add(step{leaf: true, value: true})
		add(step{leaf: true, value: false})
	}
	if s.Type == "array" && s.Items != nil {
		out = append(out, walk(s.Items, append(at[:len(at):len(at)], step{item: true}), in)...)
	}
	for _, name := range own(s).names() {
		p := own(s)[name]
		if p.Deref().ReadOnly {
			continue
		}
		f := add(step{field: name})
		out = append(out, walk(p, f, in)...)
	}
	return out
}

// fields are the properties of a schema without those of its variants.
type fields map[string]*contract.Schema

func own(s *contract.Schema) fields {
	out := fields{}
	for k, p := range s.Properties {
		out[k] = p
	}
	for _, a := range s.AllOf {
		for k, p := range own(a.Deref()) {
			out[k] = p
		}
	}
	return out
}

func (f fields) names() []string {
	var out []string
	for k := range f {
		out = append(out, k)
	}
	sortStrings(out)
	return out
}
