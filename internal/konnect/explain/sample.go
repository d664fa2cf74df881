package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// sampler makes values for the fields of one resource.
type sampler struct {
	m     *maker
	t     *Type
	whole bool
	// wanted is the field that the document is about, of which alone all is shown; empty
	// where it is about the resource.
	wanted value.Path
}

// shows reports whether what is optional at a path is shown.
func (s *sampler) shows(p value.Path) bool { return s.whole && p.HasPrefix(s.wanted) }

// fields are the entries of a mapping: what is required, then the rest.
func (s *sampler) fields(o *Object, at value.Path) block {
	if o == nil {
		return nil
	}
	all := slices.Clone(o.Fields)
	if v := s.pick(o, at); v != nil {
		all = append(all, v.Fields...)
	}
	sortFields(all)
	var on, off block
	for _, f := range all {
		p := at.Child(f.Name)
		switch {
		case s.needed(f, p):
			on = append(on, s.among(o, f, s.entry(f, p, false)))
		case s.shows(p) && f.Beside != "":
			off = append(off, entry{note: s.beside(f)})
		case s.shows(p) && !f.Deprecated:
			if e := s.entry(f, p, true); !endless(f, e.val) {
				off = append(off, s.among(o, f, e))
			}
		}
	}
	if len(on) == 0 && len(at) == 0 { // one of the optional fields, so that there is something to see
		on = s.first(all)
		off = slices.DeleteFunc(off, func(e entry) bool { return len(on) > 0 && e.key == on[0].key })
	}
	return append(on, off...)
}

// first is an entry of the first field that is not deprecated and shows a switch.
func (s *sampler) first(all []*Field) block {
	for _, f := range all {
		if f.Type == "boolean" && !f.Deprecated {
			return block{s.entry(f, value.Path{f.Name}, false)}
		}
	}
	return nil
}

// beside says what may stand at the side of a resource, which needs another one that
// the document does not have.
func (s *sampler) beside(f *Field) string {
	up := s.m.x.cat.Kind(f.Beside).Parent
	of, key := "", up.Root()
	if up.Parent != nil {
		of, key = " of the "+catalog.Words(up.Parent.Kind), up.Key
	}
	return fmt.Sprintf("with %s:%s also %s: [%s]", key, of, f.Name, sideName(f))
}

// besides is what stands at the side of a resource, with the other one that it needs.
func (s *sampler) besides(f *Field) any {
	s.m.need(s.t.bound, s.m.x.cat.Kind(f.Beside).Parent.Kind)
	return plains{sideName(f)}
}

// sideName is a name for what stands at the side of a resource.
func sideName(f *Field) string {
	return "my-" + strings.ReplaceAll(catalog.Singular(f.Items.Object.Fields[0].Name), "_", "-")
}

// endless reports whether a list that may not be empty has items like what it stands
// in, of which nothing is shown any more.
func endless(f *Field, v any) bool {
	list, ok := v.(plains)
	least, limited := f.Limits["minItems"].(int)
	return ok && len(list) == 0 && limited && least > 0
}

// needed reports whether a field must be written.
func (s *sampler) needed(f *Field, p value.Path) bool {
	_, shown := value.Get(s.t.bound.Example, p)
	return f.Required || f.Only || f.Identity || f.ShownOnce || shown && !f.Deprecated || s.holdsIdentity(p) || len(s.wanted) > 0 && s.wanted.HasPrefix(p)
}

// holdsIdentity reports whether a field of the identity stands below a path: that
// of a union is optional in the contract, and tells resources apart all the same.
func (s *sampler) holdsIdentity(p value.Path) bool {
	return slices.ContainsFunc(s.t.Identity, func(id string) bool { return strings.HasPrefix(id, p.String()+".") })
}

// pick is the variant of a union that is easiest to write: without secrets and
// without references to what is written elsewhere.
func (s *sampler) pick(o *Object, at value.Path) *Variant {
	var best *Variant
	least := 1 << 10
	for _, v := range o.Variants {
		cost := 0
		for _, f := range v.Fields {
			cost += s.cost(f, at.Child(f.Name))
		}
		example, _ := value.Get(s.t.bound.Example, at)
		if shown, ok := example.(map[string]any); ok {
			cost += 5 * lacks(v.Fields, shown)
		}
		if n := len(at); len(s.wanted) > n && s.wanted.HasPrefix(at) && !slices.ContainsFunc(v.Fields, func(f *Field) bool { return f.Name == s.wanted[n] }) {
			cost += 500
		}
		if cost < least {
			best, least = v, cost
		}
	}
	return best
}

// lacks counts the fields of an example that others do not have.
func lacks(fields []*Field, example map[string]any) int {
	n := len(example)
	for _, f := range fields {
		x, ok := example[f.Name]
		if !ok {
			continue
		}
		n--
		if inner, isMap := x.(map[string]any); isMap {
			n += lacks(f.Object.all(), inner)
		}
	}
	return n
}

func (s *sampler) cost(f *Field, p value.Path) int {
	if !s.needed(f, p) {
		return 0
	}
	n := 1
	if f.Secret {
		n += 10
	}
	if b := s.m.x.cat.Kind(f.Refers); b != nil && b.ReadOnly {
		n += 10
	}
	for _, g := range f.Object.all() {
		n += s.cost(g, p.Child(g.Name))
	}
	shown, _ := value.Get(s.t.bound.Example, p)
	example, _ := shown.(map[string]any)
	for k := range example {
		if f.Object == nil || f.Object.Field(k) == nil {
			n += 20 // the example is of another variant
		}
	}
	return n
}

func (s *sampler) entry(f *Field, p value.Path, off bool) entry {
	e := entry{key: f.Name, off: off}
	if f.Short != "" {
		e.key = f.Short
	}
	if f.Beside != "" {
		e.val = s.besides(f)
		return e
	}
	if s.shows(p) {
		e.note = hint(f)
	}
	e.val = s.value(f, p, off)
	return e
}

// hint is what a comment behind a value says.
func hint(f *Field) string {
	var out []string
	if len(f.Enum) > 1 {
		var values []string
		for _, v := range f.Enum {
			values = append(values, text(v))
		}
		out = append(out, strings.Join(values, " | "))
	} else if f.Type != "string" && f.Type != "object" && f.Type != "" {
		out = append(out, f.kind())
	}
	if f.Refers != "" {
		out = append(out, "ref, name or id")
	}
	if f.HasDefault {
		out = append(out, "default "+text(f.Default))
	}
	return strings.Join(out, "; ")
}

func (s *sampler) value(f *Field, p value.Path, off bool) any {
	if v, ok := value.Get(s.t.bound.Example, p); ok && f.Type != "object" && f.Refers == "" {
		return exampleValue(v)
	}
	switch {
	case f.Refers != "":
		return s.reference(f, off)
	case f.Names != "" && !off && s.closed(p):
		return s.named(f)
	case f.Secret && f.Type == "array":
		return literal("[!secret {source: !env " + variable(p) + "}]")
	case f.Secret:
		return literal("!secret {source: !env " + variable(p) + "}")
	case len(f.Either) > 0:
		return s.value(f.Either[0], p, off)
	case f.Type == "array":
		return s.list(f, p, off)
	case f.Type == "object":
		return s.object(f, p)
	default:
		return s.scalar(f, p)
	}
}

// anyKey is the key of a mapping that has keys of its user's choice.
const anyKey = "my-key"

func exampleValue(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	return plains(list)
}

func (s *sampler) object(f *Field, p value.Path) any {
	if f.Object == nil {
		return block{}
	}
	out := s.fields(f.Object, p)
	if len(out) > 0 && firstOff(out) == 0 {
		out[0].off = false // a mapping needs something
	}
	if len(out) == 0 && f.Object.Values != nil {
		return block{{key: anyKey, val: s.value(f.Object.Values, p.Child(anyKey), false)}}
	}
	return out
}

func (s *sampler) list(f *Field, p value.Path, off bool) any {
	if f.HasDefault {
		if list, ok := f.Default.([]any); ok && len(list) > 0 {
			return plains(list)
		}
	}
	if f.Items == nil {
		return plains{}
	}
	switch v := s.value(f.Items, p, off).(type) {
	case block:
		if len(v) == 0 {
			return plains{}
		}
		return items{v}
	default:
		return plains{v}
	}
}

// reference refers to a resource of the document; one that is commented out to
// another one that is there, or to one that exists.
func (s *sampler) reference(f *Field, off bool) any {
	kind := f.Refers
	if kind == AnyKind {
		kind = s.m.anyKind(s.t)
	}
	var out any
	switch {
	case !off && kind != s.t.Kind: // nothing refers to itself
		out = s.m.need(s.t.bound, kind)
	case kind != s.t.Kind && slices.Contains(s.m.made, kind):
		out = refOf(kind)
	default:
		out = formats("uuid")
		if sortable := "01JZ4Q8Y6MHB3T0W9XK2VDNA7C"; !f.fits(formats("uuid")) && f.fits(sortable) {
			out = sortable
		}
	}
	if f.Type == "array" {
		return plains{out}
	}
	return out
}

// closed reports whether what a field names must exist.
func (s *sampler) closed(p value.Path) bool {
	return !s.t.bound.Neutral().NamedAt(p.Generic()).Open
}

// named names a resource of the document, with the same parent.
func (s *sampler) named(f *Field) any {
	out := s.m.need(s.t.bound, f.Names)
	if f.Type == "array" {
		return plains{out}
	}
	return out
}

// anyKind is the kind that an example with a reference to any resource refers to:
// the root that a text of the example names by its key, or else by a word (API
// Viewer), else the first.
func (m *maker) anyKind(t *Type) string {
	first, word := "", ""
	for _, b := range m.x.cat.All() {
		if b.Parent != nil || !b.HasLabels() {
			continue
		}
		for _, v := range t.bound.Example {
			s, _ := v.(string)
			if strings.EqualFold(strings.ReplaceAll(s, " ", "_"), b.Root()) {
				return b.Kind
			}
			if slices.Contains(strings.Fields(strings.ToLower(s)), b.Kind) {
				word = b.Kind
			}
		}
		if first == "" && b.Top() != t.bound.Top() {
			first = b.Kind
		}
	}
	return cmp.Or(word, first)
}

// formats are texts of a format.
func formats(format string) string {
	switch format {
	case "uuid":
		return "7f0aa1a4-3b5c-4d5e-8f00-000000000001"
	case "date-time":
		return "2026-01-01T00:00:00Z"
	case "date":
		return "2026-01-01"
	case "uri", "url":
		return "https://www.example.com"
	case "email":
		return "someone@example.com"
	case "hostname":
		return "www.example.com"
	case "ipv4":
		return "192.0.2.1"
	case "ISO8601":
		return "P1M"
	default:
		return ""
	}
}

func (s *sampler) scalar(f *Field, p value.Path) any {
	switch {
	case len(f.Enum) > 0 && f.HasDefault:
		return f.Default
	case len(f.Enum) > 0:
		return f.Enum[0]
	case f.HasDefault && f.Default != nil && f.Type != "string":
		return f.Default
	}
	switch f.Type {
	case "boolean":
		return true
	case "integer", "number":
		if least, ok := f.Limits["minimum"].(float64); ok {
			return json.Number(fmt.Sprint(least))
		}
		return json.Number("1")
	case "string":
		return s.text(f, p)
	default:
		return "value"
	}
}

func (s *sampler) text(f *Field, p value.Path) string {
	if f.Inside != "" {
		return s.m.inside(s.t.bound.Parent, f.Inside)
	}
	if formatted := formats(f.Format); formatted != "" {
		return formatted
	}
	if format, ok := s.t.bound.Format(p); ok && format == catalog.Document {
		return document
	}
	name := p[len(p)-1]
	words := catalog.Words(name)
	candidates := []string{
		strings.ToUpper(words[:1]) + words[1:], strings.ReplaceAll(name, "_", "-"), "example", "#0055aa", "www.example.com",
		"https://www.example.com", "192.0.2.1", "/", "a", "1.0", "1",
	}
	if name == anyKey {
		candidates = append([]string{"my-value"}, candidates...)
	}
	if f.Identity || p.String() == "name" {
		candidates = append([]string{refOf(s.t.Kind)}, candidates...)
	}
	candidates = append(candidates, "G-EXAMPLE", "GTM-EXAMPLE", "01JZ4Q8Y6MHB3T0W9XK2VDNA7C", "US", "txcd_10103001")
	for _, c := range candidates {
		if f.fits(c) {
			return c
		}
	}
	if least, ok := f.Limits["minLength"].(int); ok && f.fits(strings.Repeat("a", least)) {
		return strings.Repeat("a", least)
	}
	return candidates[0]
}

// document is the shortest text of a specification.
const document = "openapi: 3.0.3\ninfo: {title: My API, version: 1.0.0}\npaths: {}\n"

// fits reports whether a field can hold a text.
func (f *Field) fits(text string) bool {
	n := utf8.RuneCountInString(text)
	if least, ok := f.Limits["minLength"].(int); ok && n < least {
		return false
	}
	if most, ok := f.Limits["maxLength"].(int); ok && n > most {
		return false
	}
	if f.Pattern == "" {
		return true
	}
	form, err := regexp.Compile(f.Pattern)
	return err == nil && form.MatchString(text)
}

// variable is the environment variable that a secret of an example comes from.
func variable(p value.Path) string {
	return "MY_" + strings.ToUpper(strings.ReplaceAll(p[len(p)-1], "-", "_"))
}
