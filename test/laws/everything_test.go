package laws

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// everything is a declaration with all that a type can have, of each union one
// form. No value is the default.
func (g sampler) everything(form int) map[string]any {
	out := g.sample(nil)
	whole, _ := g.whole(g.t.Write(), form, nil, 0).(map[string]any)
	for k, v := range whole {
		if _, given := g.t.Example[k]; !given || out[k] == nil || form > 0 && formsOf(g.t, k) > 1 {
			out[k] = v
		}
	}
	g.discriminate(out, form)
	return out
}

// formsOf is how many forms a mapping has that the example of a type gives.
func formsOf(t *catalog.Bound, field string) int {
	if _, isMap := t.Example[field].(map[string]any); !isMap {
		return 1
	}
	return forms(t.Write().At([]string{field}, nil), 0)
}

// discriminate gives fields beside a mapping the values that name its form: of as many
// values as it has forms, the one in the same place.
func (g sampler) discriminate(out map[string]any, form int) {
	for k := range g.t.Example {
		n := formsOf(g.t, k)
		for other := range g.t.Example {
			if s := g.t.Write().At([]string{other}, nil); n > 1 && s != nil && len(s.Enum) == n {
				out[other] = s.Enum[form%n]
			}
		}
	}
}

// whole is a value with all fields. The number tells the items of a list apart.
func (g sampler) whole(s *contract.Schema, form int, at value.Path, number int) any {
	s = s.Deref()
	g = g.within(s)
	if s.Secret && s.Type != "array" {
		return secret(s)
	}
	branches, props := s.Branches(), own(s)
	if len(branches) > 0 {
		which := form
		if len(at) > 0 {
			which += g.part
		}
		b := g.whole(branches[which%len(branches)], form, at, number)
		out, isMap := b.(map[string]any)
		if !isMap {
			return b
		}
		for _, name := range props.names() {
			if _, there := out[name]; !there && !props[name].Deref().ReadOnly && !endless(g.in, props[name]) {
				out[name] = g.whole(props[name], form, at.Child(name), number)
			}
		}
		return out
	}
	switch {
	case len(props) > 0:
		out := map[string]any{}
		for _, name := range props.names() {
			p := props[name].Deref()
			if p.ReadOnly || len(at) == 0 && g.t.Tree != nil && name == g.t.Tree.Parent || endless(g.in, p) {
				continue
			}
			out[name] = g.whole(p, form, at.Child(name), number)
		}
		if len(at) > 0 && s.Object(nil).Open { // beside its fields it takes keys that people choose
			out["law-a"] = map[string]any{"law-c": "sample", "law-d": "sample"}
			out["law-b"] = "sample"
		}
		return out
	case s.Type == "object" && s.Additional != nil:
		return map[string]any{
			"law-a": g.whole(s.Additional, form, at.Child("law-a"), number),
			"law-b": g.whole(s.Additional, form, at.Child("law-b"), number+1),
		}
	case s.Type == "array" && s.Items != nil:
		return g.items(s, form, at)
	}
	return g.number(g.leaf(s, at), s, at, number)
}

func (g sampler) items(s *contract.Schema, form int, at value.Path) any {
	if x, ok := value.Get(g.t.Example, at); ok {
		return value.Clone(x)
	}
	n := 2
	if _, refers := g.t.Reference(at.Generic()); refers {
		n = 1 // all references of a kind lead to one resource
	}
	var out []any
	for i := range n {
		if x := g.whole(s.Items, form, at, i); !slices.ContainsFunc(out, func(y any) bool { return value.Equal(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

// number is a value that differs from the default and from that of another number.
func (g sampler) number(v any, s *contract.Schema, at value.Path, number int) any {
	var choice []any
	switch x := v.(type) {
	case string:
		_, refers := g.t.Reference(at.Generic())
		switch {
		case refers || g.identity(at) || s.Const != nil:
			return v
		case len(s.Enum) > 0:
			choice = s.Enum
		case strings.HasPrefix(x, "-----BEGIN"), s.Pattern != "" && (len(at) == 0 || at[len(at)-1] != "key"), // items are known by their keys
			s.Format != "" && !strings.HasPrefix(x, "https://"), number == 0 && len(choice) == 0:
			return v
		default:
			return fmt.Sprintf("%s%d", x, number)
		}
	case bool:
		choice = []any{true, false}
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return json.Number(fmt.Sprint(n + int64(number)))
		}
		return v
	default:
		return v
	}
	if s.HasDefault() && g.plain {
		return s.Default
	}
	if s.HasDefault() {
		choice = slices.DeleteFunc(slices.Clone(choice), func(x any) bool { return value.Equal(x, s.Default) })
	}
	if len(choice) == 0 {
		return v // the default is all there is
	}
	return choice[number%len(choice)]
}

// least is what is left of a declaration without all that is optional, with null for
// required fields without a value.
func (g sampler) least(s *contract.Schema, full map[string]any, at value.Path) map[string]any {
	o, out := s.Object(full), map[string]any{}
	for k, v := range full {
		f, p := o.Field(k), at.Child(k)
		_, given := g.t.Example[p[0]]
		if (f == nil || !f.Required) && !g.identity(p) && !given && p.String() != g.t.MapKey {
			continue
		}
		out[k] = v
		if given || f == nil {
			continue
		}
		if m, isMap := v.(map[string]any); isMap {
			out[k] = g.least(f.Schema, m, p)
		} else if s := f.Schema; s.Nullable && !s.Secret && !g.identity(p) && !g.t.Immutable(p) && p.String() != g.t.MapKey {
			out[k] = nil
		}
	}
	return out
}

// forms is how many samples show every form of a type's unions.
func forms(s *contract.Schema, depth int) int {
	s = s.Deref()
	if s == nil || depth > maxDepth {
		return 1
	}
	n := max(1, len(s.Branches()))
	for _, b := range s.Branches() {
		n = max(n, forms(b, depth+1))
	}
	for _, p := range own(s) {
		n = max(n, forms(p, depth+1))
	}
	for _, below := range []*contract.Schema{s.Items, s.Additional} {
		n = max(n, forms(below, depth+1))
	}
	return n
}

// transition is one way from a declaration to another one.
type transition struct {
	name string
	from map[string]any
	// change makes the other declaration of a copy; nil where the resource is
	// dropped.
	change func(to map[string]any)
}

// to is the other declaration.
func (x transition) to() map[string]any {
	if x.change == nil {
		return nil
	}
	to, _ := value.Clone(x.from).(map[string]any)
	x.change(to)
	return to
}

// transitions lead from a sample to smaller and different ones of the same
// resource: without one field, map key, list item or key of one, with one key of a
// mapping alone, with another value, and with nothing but what is required.
func transitions(t *catalog.Bound, full, least map[string]any) []transition {
	var out []transition
	add := func(name string, change func(to map[string]any)) {
		out = append(out, transition{name, full, change})
	}
	add("all dropped", func(to map[string]any) {
		clear(to)
		maps.Copy(to, least)
	})
	if !t.Optional() {
		add("nothing declared", func(to map[string]any) { clear(to) })
	}
	var visit func(at value.Path, v any)
	visit = func(at value.Path, v any) {
		s := t.Write().At(at.Generic(), full)
		if len(at) > 0 && (s == nil || t.IsIdentity(at.Generic()) || at.String() == t.MapKey) {
			return
		}
		if len(at) > 0 {
			if !required(t.Write(), full, at) {
				add(at.String()+" dropped", func(to map[string]any) { value.Delete(to, at) })
			}
			if s.Nullable && v != nil {
				add(at.String()+" null", func(to map[string]any) { value.Set(to, at, nil) })
			}
		}
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				visit(at.Child(k), x[k])
			}
			if len(at) > 0 && len(x) > 0 {
				add(at.String()+" empty", func(to map[string]any) { value.Set(to, at, map[string]any{}) })
			}
			if len(at) > 0 && len(x) > 2 {
				for _, k := range slices.Sorted(maps.Keys(x)) {
					add(at.Child(k).String()+" alone", func(to map[string]any) {
						for other := range x {
							if p := at.Child(other); other != k && !required(t.Write(), full, p) {
								value.Delete(to, p)
							}
						}
					})
				}
			}
		case []any:
			if t.Immutable(at.Generic()) {
				return
			}
			for _, p := range keysOf(x) {
				add(at.String()+"[0]."+p.String()+" dropped", func(to map[string]any) {
					items, _ := value.Clone(x).([]any)
					value.Delete(items[0].(map[string]any), p)
					value.Set(to, at, items)
				})
			}
			if len(x) > 1 {
				add(at.String()+" without its first item", func(to map[string]any) { value.Set(to, at, value.Clone(x[1:])) })
			}
			add(at.String()+" empty", func(to map[string]any) { value.Set(to, at, []any{}) })
		default:
			if y, ok := otherLeaf(t, at, v, s); ok && !t.Immutable(at.Generic()) {
				add(at.String()+" changed", func(to map[string]any) { value.Set(to, at, y) })
			}
		}
	}
	visit(nil, full)
	return out
}

// keysOf are the paths of all keys in the first item of a list of mappings.
func keysOf(items []any) (out []value.Path) {
	if len(items) == 0 {
		return nil
	}
	var visit func(at value.Path, v any)
	visit = func(at value.Path, v any) {
		if len(at) > 0 {
			out = append(out, at)
		}
		m, _ := v.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(m)) {
			visit(at.Child(k), m[k])
		}
	}
	visit(nil, items[0])
	return out
}

// required reports whether what a declaration has at a path cannot be dropped.
func required(s *contract.Schema, full map[string]any, at value.Path) bool {
	above, _ := value.Get(full, at[:len(at)-1])
	m, _ := above.(map[string]any)
	for i, k := range at[:len(at)-1] {
		part, _ := value.Get(full, at[:i])
		part0, _ := part.(map[string]any)
		if f := s.Object(part0).Field(k); f != nil {
			s = f.Schema
		} else {
			return false // a key that people choose
		}
	}
	f := s.Object(m).Field(at[len(at)-1])
	return f != nil && f.Required
}

// otherLeaf is another value for a field that is no reference.
func otherLeaf(t *catalog.Bound, at value.Path, v any, s *contract.Schema) (any, bool) {
	if _, refers := t.Reference(at.Generic()); refers || s.Secret || t.Example[at[0]] != nil {
		return nil, false
	}
	switch x := v.(type) {
	case bool:
		return !x, true
	case json.Number:
		n, err := x.Int64()
		return json.Number(fmt.Sprint(n + 3)), err == nil
	case string:
		for _, y := range s.Enum {
			if y != nil && y != any(x) {
				return y, true
			}
		}
		if len(s.Enum) > 0 || s.Const != nil || s.Pattern != "" || s.Format != "" && !strings.HasPrefix(x, "https://") {
			return nil, false
		}
		return x + "x", true
	}
	return nil, false
}
