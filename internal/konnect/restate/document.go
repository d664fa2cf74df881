package restate

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

func declaredFields(t *catalog.Bound, o *resource.Object) map[string]value.Value {
	return export.Declared(t, o.Fields, Unset)
}

// overlay sets what a change sends: its fields, what they refer to, variables and
// secrets.
func (b *builder) overlay(n *node, c *plan.Change) error {
	fields, _ := value.Clone(c.Fields).(map[string]any)
	if fields == nil {
		fields = map[string]any{}
	}
	t := n.t
	if err := byID(t, c); err != nil {
		return err
	}
	for _, key := range t.ParentKeys() {
		if t.Write().At(value.Path{key}, nil) == nil {
			delete(fields, key)
		}
	}
	if labels, ok := fields["labels"].(map[string]any); ok && t.HasLabels() {
		maps.DeleteFunc(labels, func(k string, _ any) bool { return label.Ours(k) }) // the namespace says it
	}
	if _, there := fields[t.MapKey]; t.MapKey != "" && !there && c.ResourceID != "" {
		fields[t.MapKey] = c.ResourceID
	}
	put := map[string]value.Value{}
	for _, path := range slices.Sorted(maps.Keys(c.References)) {
		p, r := value.ParsePath(path), c.References[path]
		switch {
		case t.Tree != nil && p.String() == t.Tree.Parent:
			delete(fields, t.Tree.Parent)
			if err := b.nest(n, c, r.Ref, known(r.ID)); err != nil {
				return err
			}
		case t.Write().At(p.Generic(), fields) == nil && !isMapKey(t, p):
			// what it stands below
		case known(r.ID) != "" && r.Field == "":
			put[path] = value.StringAt(value.Pos{}, r.ID)
		default:
			put[path] = reference(r)
		}
	}
	for _, e := range c.Expressions {
		v, err := variable(e.Field, e.Expression)
		if err != nil {
			return err
		}
		put[e.Field] = v
	}
	for _, s := range c.SecretWrites {
		v, err := secret(s)
		if err != nil {
			return err
		}
		put[s.Field] = v
	}
	for k, v := range fields {
		n.fields[k] = value.From(value.Pos{}, v)
	}
	for _, path := range slices.Sorted(maps.Keys(put)) {
		p := value.ParsePath(path)
		if len(p) == 0 {
			return unfitf("it names no field")
		}
		n.fields[p[0]] = set(n.fields[p[0]], p[1:], put[path])
	}
	return nil
}

func isMapKey(t *catalog.Bound, p value.Path) bool { return t.MapKey != "" && p.String() == t.MapKey }

// set puts a value at a path.
func set(in value.Value, at value.Path, v value.Value) value.Value {
	if len(at) == 0 {
		return v
	}
	if i, ok := value.Place(at[0]); ok {
		items := slices.Clone(in.Items())
		for len(items) <= i {
			items = append(items, value.NullAt(value.Pos{}))
		}
		items[i] = set(items[i], at[1:], v)
		return value.ListAt(value.Pos{}, items)
	}
	if in.Kind() != value.Map {
		in = value.MapAt(value.Pos{})
	}
	return in.With(value.Entry{Key: at[0], Value: set(in.Field(at[0]), at[1:], v)})
}

// secret is a secret as a configuration writes it.
func secret(s plan.Expression) (value.Value, error) {
	list, _ := s.Expression["parts"].([]any)
	var parts []value.Value
	for _, x := range list {
		part, _ := x.(map[string]any)
		if text, ok := part["text"].(string); ok {
			parts = append(parts, value.StringAt(value.Pos{}, text))
			continue
		}
		v, err := variable(s.Field, part)
		if err != nil {
			return value.Value{}, err
		}
		parts = append(parts, v)
	}
	if len(parts) == 0 || !slices.ContainsFunc(parts, func(v value.Value) bool { return v.Expr() != nil }) {
		return value.Value{}, unfitf("%s: the secret itself is in the plan", s.Field)
	}
	return value.ExprAt(value.Pos{}, value.Expression{Op: value.OpSecret, Parts: parts}), nil
}

// document declares nodes and what is below them.
func document(roots []*node) value.Value {
	doc := value.MapAt(value.Pos{})
	for _, n := range roots {
		if n.namespace != "" && !doc.Has("_defaults") { // for roots that carry no labels
			doc = doc.With(value.Entry{Key: "_defaults", Value: value.From(value.Pos{}, map[string]any{"kongctl": map[string]any{"namespace": n.namespace}})})
		}
		doc = put(doc, strings.Split(n.t.Root(), "."), n)
	}
	return doc
}

// put adds a node to what a path of keys leads to: a list, or itself where there is
// one at most.
func put(doc value.Value, path []string, n *node) value.Value {
	in := doc.Field(path[0])
	var v value.Value
	switch {
	case len(path) > 1:
		if in.Kind() != value.Map {
			in = value.MapAt(value.Pos{})
		}
		v = put(in, path[1:], n)
	case n.t.Shape == catalog.Singleton:
		v = n.value()
	default:
		v = value.ListAt(value.Pos{}, append(slices.Clone(in.Items()), n.value()))
	}
	return doc.With(value.Entry{Key: path[0], Value: v})
}

// value declares a node with what is below it.
func (n *node) value() value.Value {
	out := value.MapAt(value.Pos{}, value.Entry{Key: "ref", Value: value.StringAt(value.Pos{}, n.ref)})
	if n.t.ReadOnly {
		out = out.With(value.Entry{Key: "_external", Value: value.From(value.Pos{}, map[string]any{"id": n.id})})
	}
	if n.parent == nil && n.t.HasLabels() && !n.t.ReadOnly && n.namespace != "" {
		out = out.With(value.Entry{Key: "kongctl", Value: value.From(value.Pos{}, map[string]any{"namespace": n.namespace, "protected": n.protected})})
	}
	for _, k := range slices.Sorted(maps.Keys(n.fields)) {
		out = out.With(value.Entry{Key: k, Value: n.fields[k]})
	}
	for _, child := range n.children {
		key := child.t.Key
		if child.t == n.t {
			key = n.t.Tree.Children
		}
		out = put(out, []string{key}, child)
	}
	return out
}
