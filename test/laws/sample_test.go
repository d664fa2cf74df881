package laws

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

func sortStrings(s []string) { sort.Strings(s) }

// refTo and secretOf stand in samples where a tag is written.
type (
	refTo    struct{ ref, field string }
	secretOf struct{ env string }
)

// sampler makes values that have one feature.
type sampler struct {
	t *catalog.Bound
	n int // tells samples apart
	// refs finds the text for a reference to a kind.
	refs func(kind string) any
	// part moves the forms of what is below the top on.
	part int
	// plain gives fields their defaults.
	plain bool
	// in are the schemas that a value is being made inside of.
	in []*contract.Schema
}

// within is the sampler for what is inside of a schema.
func (g sampler) within(s *contract.Schema) sampler {
	g.in = append(g.in[:len(g.in):len(g.in)], s.Deref())
	return g
}

// endless reports whether a schema holds itself once more than samples show: a
// filter of filters is shown, one of filters of filters is not.
func endless(in []*contract.Schema, s *contract.Schema) bool {
	s = s.Deref()
	if s == nil {
		return false
	}
	n := 0
	for _, x := range in {
		if x == s {
			n++
		}
	}
	return n > 1 || endless(in, s.Items) || endless(in, s.Additional)
}

// sample is a declaration with all that is required and the feature.
func (g sampler) sample(f feature) map[string]any {
	out, _ := g.build(g.t.Write(), f, nil).(map[string]any)
	for _, id := range g.t.Identity {
		p := value.ParsePath(id)
		if _, ok := value.Get(out, p); !ok && g.t.Write().At(p.Generic(), out) != nil && !strings.Contains(id, ".") {
			value.Set(out, p, g.build(g.t.Write().At(p.Generic(), out), nil, p))
		}
	}
	for k, v := range g.t.Example {
		if _, ok := out[k]; !ok {
			out[k] = v
		}
	}
	if names := catalog.Keys(g.t); len(names) > 0 {
		out[g.t.MapKey] = names[g.n%len(names)]
	} else if g.t.MapKey != "" {
		out[g.t.MapKey] = g.leaf(&contract.Schema{Type: "string"}, value.Path{g.t.MapKey})
	}
	return out
}

func (g sampler) build(s *contract.Schema, f feature, at value.Path) any {
	s = s.Deref()
	if len(f) > 0 && f[0].leaf {
		if f[0].value == nil {
			return nil
		}
		return f[0].value
	}
	branches := s.Branches()
	props := own(s)
	if len(branches) == 0 && len(props) == 0 {
		return g.simple(s, f, at)
	}
	required := map[string]bool{}
	for _, r := range s.Required {
		required[r] = true
	}
	out := map[string]any{}
	rest := f
	if len(branches) > 0 {
		b := branches[0]
		if len(f) > 0 && f[0].branch > 0 {
			b, rest = branches[f[0].branch-1], f[1:]
		}
		inner, isMap := g.build(b, rest, at).(map[string]any)
		if !isMap {
			return g.build(b, rest, at)
		}
		if len(inner) == 0 {
			inner = g.firstField(b, at)
		}
		out = inner
	}
	for _, name := range props.names() {
		p := props[name]
		on := len(f) > 0 && f[0].field == name
		if p.Deref().ReadOnly || (!required[name] && !on && !g.identity(at.Child(name))) {
			continue
		}
		var next feature
		if on {
			next = f[1:]
		}
		out[name] = g.build(p, next, at.Child(name))
	}
	return out
}

func (g sampler) identity(p value.Path) bool { return slices.Contains(g.t.Identity, p.String()) }

// firstField makes a variant without required fields recognizable.
func (g sampler) firstField(s *contract.Schema, at value.Path) map[string]any {
	out := map[string]any{}
	for _, name := range own(s).names() {
		if p := own(s)[name]; !p.Deref().ReadOnly {
			out[name] = g.build(p, nil, at.Child(name))
			break
		}
	}
	return out
}

func (g sampler) simple(s *contract.Schema, f feature, at value.Path) any {
	switch s.Type {
	case "array":
		if x, ok := value.Get(g.t.Example, at); ok && len(f) == 0 {
			return value.Clone(x)
		}
		var next feature
		if len(f) > 0 && f[0].item {
			next = f[1:]
		}
		n := 1
		if s.MinItems != nil {
			n = max(1, *s.MinItems)
		}
		out := make([]any, n)
		for i := range out {
			out[i] = g.build(s.Items, next, at)
		}
		return out
	case "object":
		if s.Object(nil).Values != nil {
			if v := g.build(s.Additional, nil, at.Child("law")); v != nil {
				return map[string]any{"law": v}
			}
		}
		return map[string]any{}
	default:
		return g.leaf(s, at)
	}
}

var candidates = []string{"sample", "#aabbcc", "sample.example.com", "10.0.0.1", "a", "1.0", "01JZ4Q8Y6MHB3T0W9XK2VDNA7C", "US", "txcd_10103001"}

func (g sampler) leaf(s *contract.Schema, at value.Path) any {
	if r, ok := g.t.Reference(at.Generic()); ok {
		return g.refs(r.Kind)
	}
	if r, ok := catalog.ByName(g.t, at.Generic()); ok {
		if to, isRef := g.refs(r.Kind).(refTo); isRef {
			return refTo{to.ref, "name"}
		}
	}
	if n := g.t.Neutral().NamedAt(at.Generic()); n.Kind != "" && !n.Open { // it must exist
		if to, isRef := g.refs(n.Kind).(refTo); isRef {
			return refTo{to.ref, "name"}
		}
	}
	if s.Secret {
		return secret(s)
	}
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	if s.Const != nil {
		return s.Const
	}
	if x, ok := exampleOf(g.t, s, at); ok {
		return g.unique(s, x, at)
	}
	switch s.Type {
	case "boolean":
		return true
	case "integer", "number":
		if s.Minimum != nil {
			return json.Number(fmt.Sprint(*s.Minimum))
		}
		return json.Number("7")
	}
	switch s.Format {
	case "uuid":
		return "7f0aa1a4-3b5c-4d5e-8f00-000000000001"
	case "date-time":
		return "2026-01-01T00:00:00Z"
	case "uri", "url":
		return "https://sample.example.com/x"
	case "email":
		return "a@sample.example.com"
	case "hostname":
		return "sample.example.com"
	case "ISO8601":
		return "P1M"
	}
	for _, c := range candidates {
		if s.Pattern == "" || form(s.Pattern).MatchString(c) {
			return g.unique(s, c, at)
		}
	}
	return "sample"
}

// patterns keeps those of the contract that were compiled.
var patterns sync.Map

func form(pattern string) *regexp.Regexp {
	if known, ok := patterns.Load(pattern); ok {
		return known.(*regexp.Regexp)
	}
	known, _ := patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	return known.(*regexp.Regexp)
}

// secret is one of the form that a field takes: a key, or a word where the text is
// bounded.
func secret(s *contract.Schema) secretOf {
	if s.Pattern != "" || s.MaxLength != nil && *s.MaxLength < len(key) {
		return secretOf{env: "LAW_SECRET_WORD"}
	}
	return secretOf{env: "LAW_SECRET"}
}

// exampleOf is the value that the catalog gives for a field, or for an item of a
// list, where its type fits.
func exampleOf(t *catalog.Bound, s *contract.Schema, at value.Path) (any, bool) {
	x, ok := value.Get(t.Example, at)
	if list, isList := x.([]any); isList && s.Type != "array" && len(list) > 0 {
		x = list[0]
	}
	if _, text := x.(string); s.Type == "integer" && text {
		return nil, false
	}
	return x, ok
}

// unique tells the names of samples apart.
func (g sampler) unique(schema *contract.Schema, x any, at value.Path) any {
	s, ok := x.(string)
	if !ok || !g.identity(at) && !slices.Contains(g.t.Unique, at.String()) {
		return x
	}
	if strings.HasPrefix(s, "-----BEGIN") {
		begin, rest, _ := strings.Cut(s, "\n")
		return fmt.Sprintf("%s\nLaw: %d\n\n%s", begin, g.n, rest)
	}
	if schema.MaxLength != nil && *schema.MaxLength <= len(s) {
		return x // other fields of the identity tell them apart: a currency cannot
	}
	name := fmt.Sprintf("%s-%s-%d", s, strings.ReplaceAll(g.t.Kind, "_", "-"), g.n)
	if plain := strings.ReplaceAll(name, "-", "_"); schema.Pattern != "" {
		if of := form(schema.Pattern); !of.MatchString(name) && of.MatchString(plain) {
			return plain
		}
	}
	return name
}

// shares tells whether samples of a type can stand below one parent: some
// field of the identity is free text.
func shares(t *catalog.Bound) bool {
	if t.Shape == catalog.Singleton {
		return false
	}
	for _, id := range t.Identity {
		s := t.Write().At(value.ParsePath(id).Generic(), nil)
		_, isRef := t.Reference(value.ParsePath(id).Generic())
		if s != nil && s.Type == "string" && len(s.Enum) == 0 && !isRef && s.Format == "" && t.Shape != catalog.Membership {
			return true
		}
	}
	return false
}

// write renders a sample as YAML: JSON with tags.
func write(b *strings.Builder, v any) {
	switch x := v.(type) {
	case refTo:
		if x.field != "" {
			x.ref += "#" + x.field
		}
		fmt.Fprintf(b, "!ref %q", x.ref)
	case tagged:
		fmt.Fprintf(b, "!%s %s", x.tag, x.text)
	case secretOf:
		fmt.Fprintf(b, "!secret {source: !env %s}", x.env)
	case map[string]any:
		var keys []string
		for k := range x {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%q: ", k)
			write(b, x[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, y := range x {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, y)
		}
		b.WriteByte(']')
	default:
		raw, err := json.Marshal(x)
		if err != nil {
			panic(err)
		}
		b.Write(raw)
	}
}
