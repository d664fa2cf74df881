package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// Example is a document that declares one resource of a type, with what it
// needs: it loads as it is.
func (x *Explainer) Example(t *Type) string { return x.document(t, false) }

// Scaffold is a document to fill in: what is required is there, the rest is
// commented out. It loads as it is.
func (x *Explainer) Scaffold(t *Type) string { return x.document(t, true) }

// maker writes a document around one resource.
type maker struct {
	x *Explainer
	// whole adds what is optional, commented out.
	whole bool
	// made are the kinds that the document declares; roots are the lists of
	// those that something refers to.
	made  []string
	roots []entry
}

func (x *Explainer) maker(t *Type, whole bool) *maker {
	m := &maker{x: x, whole: whole}
	for b := t.bound; b != nil; b = b.Parent {
		m.made = append(m.made, b.Kind)
	}
	return m
}

func (x *Explainer) document(t *Type, whole bool) string {
	m := x.maker(t, whole)
	if t.Class == External {
		m.source(t.bound)
		return m.document(t.bound, m.external(t.bound))
	}
	return m.document(t.bound, m.resource(t, whole))
}

// document writes a resource below its parents, beside what it refers to.
func (m *maker) document(t *catalog.Bound, own block) string {
	main := m.wrap(t, own)
	var b strings.Builder
	writeYAML(&b, joined(append(m.roots, main)), 0, false)
	return b.String()
}

// wrap puts a resource below its parents.
func (m *maker) wrap(b *catalog.Bound, own block) entry {
	e := entry{key: b.Key, val: items{own}}
	if b.Shape == catalog.Singleton {
		e.val = own
	}
	for _, field := range own {
		if b.Set != "" && field.key == b.Set { // the list alone says it
			e.val = field.val
		}
	}
	if b.Parent == nil {
		e.key = b.Root()
		return e
	}
	parent := m.resource(m.x.Type(b.Parent), false)
	for _, field := range slices.Sorted(maps.Keys(b.Under)) {
		parent = append(parent, entry{key: field, val: fmt.Sprint(b.Under[field])})
	}
	return m.wrap(b.Parent, append(parent, e))
}

// inside is the first text that the example of a parent has in a field of its items.
func (m *maker) inside(parent *catalog.Bound, field string) string {
	in := m.resource(m.x.Type(parent), false)
	for _, name := range value.ParsePath(field) {
		i := slices.IndexFunc(in, func(e entry) bool { return e.key == name })
		if i < 0 {
			return ""
		}
		switch v := in[i].val.(type) {
		case items:
			in = v[0]
		case block:
			in = v
		default:
			return fmt.Sprint(v)
		}
	}
	return ""
}

// refOf is what the resource of a kind is called in examples.
func refOf(kind string) string { return "my-" + strings.ReplaceAll(kind, "_", "-") }

// other declares a second resource of the kind of a parent, for what cannot refer
// to that one.
func (m *maker) other(b *catalog.Bound) string {
	name := "my-other-" + strings.TrimPrefix(refOf(b.Kind), "my-")
	own := m.resource(m.x.Type(b), false)
	for i, e := range own {
		if e.val == any(refOf(b.Kind)) {
			own[i].val = name
		}
	}
	m.roots = append(m.roots, m.wrap(b, own))
	return name
}

// need declares a resource that another one refers to.
func (m *maker) need(t *catalog.Bound, kind string) string {
	if t.Set != "" && t.Parent.Kind == kind {
		return m.other(t.Parent)
	}
	if slices.Contains(m.made, kind) {
		return refOf(kind)
	}
	m.made = append(m.made, kind)
	b := m.x.cat.Kind(kind)
	for p := b.Parent; p != nil; p = p.Parent {
		m.made = append(m.made, p.Kind)
	}
	own := m.resource(m.x.Type(b), false)
	if b.ReadOnly {
		m.source(b)
		own = m.external(b)
	}
	m.roots = append(m.roots, m.wrap(b, own))
	return refOf(kind)
}

// source declares what Konnect reads resources of a type from, so that the one of the
// example exists.
func (m *maker) source(b *catalog.Bound) {
	if b.Derived == nil {
		return
	}
	from := m.x.cat.Kind(b.Derived.From[0].Kind)
	m.roots = append(m.roots, m.wrap(from, m.resource(m.x.Type(from), false)))
}

// external declares a resource that exists.
func (m *maker) external(b *catalog.Bound) block {
	var by []string
	for i, field := range b.Identity {
		text, given := b.Example[field].(string)
		if !given && i == 0 {
			text = refOf(b.Kind)
			if s := b.Returned().At(strings.Split(field, "."), nil); s != nil && s.Format == "email" {
				text += "@example.com"
			}
		}
		if text != "" {
			by = append(by, field+": "+text)
		}
	}
	find := "{selector: {matchFields: {" + strings.Join(by, ", ") + "}}}"
	if b.Identity[0] == "id" || b.Returned().At(strings.Split(b.Identity[0], "."), nil) == nil {
		find = "{id: 7f0aa1a4-3b5c-4d5e-8f00-000000000001}"
	}
	return block{{key: "ref", val: refOf(b.Kind)}, {key: keyExternal, val: literal(find)}}
}

// resource declares a resource with all that is required.
func (m *maker) resource(t *Type, whole bool) block {
	return m.sampled(&sampler{m: m, t: t, whole: whole})
}

func (m *maker) sampled(s *sampler) block {
	t := s.t
	var out block
	if !t.Single {
		out = append(out, entry{key: "ref", val: refOf(t.Kind)})
	}
	fields := s.fields(t.Object, nil)
	if len(out) == 0 && firstOff(fields) == 0 && len(t.Object.Fields) > 0 {
		// A mapping without anything declares nothing.
		f := t.Object.Fields[0]
		fields = slices.DeleteFunc(fields, func(e entry) bool { return e.key == f.Name })
		fields = append(block{s.entry(f, value.Path{f.Name}, false)}, fields...)
	}
	out = append(out, fields...)
	if s.shows(nil) && len(t.Children) > 0 {
		out = append(out, entry{note: t.childNote()})
	}
	return out
}

// childNote says what may stand below a resource.
func (t *Type) childNote() string {
	var keys []string
	external := false
	for _, c := range t.Children {
		if c.External {
			external = true
			continue
		}
		keys = append(keys, c.Key)
	}
	if len(keys) == 0 {
		return "child resources are external: kongctl explain " + t.Kind
	}
	out := "child resources: " + strings.Join(keys, ", ") + " (kongctl scaffold " + t.Kind + "." + keys[0] + ")"
	if external {
		out += "; others are read-only or external: kongctl explain " + t.Kind
	}
	return out
}

// firstOff is where the entries begin that are commented out.
func firstOff(entries []entry) int {
	for i, e := range entries {
		if e.off {
			return i
		}
	}
	return len(entries)
}

// joined writes what stands in several lists of one name in one, and what is said
// of one resource in one place.
func joined(entries []entry) []entry {
	var out []entry
	for _, e := range entries {
		i := slices.IndexFunc(out, func(f entry) bool { return f.key == e.key })
		here, isList := e.val.(items)
		if i < 0 || !isList {
			if i < 0 {
				out = append(out, e)
			}
			continue
		}
		there, _ := out[i].val.(items)
		for _, item := range here {
			n := slices.IndexFunc(there, func(b block) bool { return len(b) > 0 && len(item) > 0 && b[0] == item[0] })
			if n < 0 {
				there = append(there, item)
				continue
			}
			there[n] = joined(append(there[n], item...))
		}
		out[i].val = there
	}
	return out
}
