package export

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

// rendering says what goes into files of its own.
type rendering struct {
	// texts takes a text out of a document and returns the file that has it, or
	// nil to leave it.
	texts func(r *Resource, p value.Path, text string) *value.Value
	// extras writes what other targets add; beside takes the files of it.
	extras bool
	beside func(name string, data []byte)
}

// document is one mapping with root lists.
func (w *writer) document(roots []*Resource, how rendering) value.Value {
	doc := value.MapAt(value.Pos{})
	if w.o.ByID && w.o.DefaultNamespace != "" { // scripts look for it
		doc = put(doc, []string{keyDefaults, keyMeta, keyNamespace}, value.StringAt(value.Pos{}, w.o.DefaultNamespace))
	}
	if w.snap.Prune != "" && !w.o.State && len(roots) > 0 { // a state is no configuration to sync, and neither is nothing
		doc = put(doc, []string{keyDefaults, keyPrune}, value.StringAt(value.Pos{}, w.snap.Prune))
	}
	for len(roots) > 0 {
		t := roots[0].Type
		n := slices.IndexFunc(roots, func(r *Resource) bool { return r.Type != t })
		if n < 0 {
			n = len(roots)
		}
		v := w.list(roots[:n], how)
		if t.Shape == catalog.Singleton {
			v = w.resource(roots[0], how)
		}
		doc = put(doc, strings.Split(w.root(t), "."), v)
		roots = roots[n:]
	}
	return doc
}

// root is the key of a type at the root. What is named by ids is for scripts, which
// look for types below their groups.
func (w *writer) root(t *catalog.Bound) string {
	for _, alias := range t.Aliases {
		if w.o.ByID && strings.Contains(alias, ".") {
			return alias
		}
	}
	return t.Root()
}

// put sets what a path of keys leads to.
func put(doc value.Value, path []string, v value.Value) value.Value {
	if len(path) > 1 {
		inner := doc.Field(path[0])
		if inner.IsAbsent() {
			inner = value.MapAt(value.Pos{})
		}
		v = put(inner, path[1:], v)
	}
	return doc.With(value.Entry{Key: path[0], Value: v})
}

func (w *writer) list(resources []*Resource, how rendering) value.Value {
	items := make([]value.Value, len(resources))
	for i, r := range resources {
		items[i] = w.resource(r, how)
	}
	return value.ListAt(value.Pos{}, items)
}

// resource is a resource with all that belongs to it: its ref, what it is known
// by, who owns it, its fields, its children.
func (w *writer) resource(r *Resource, how rendering) value.Value {
	if r.external {
		return w.selector(r)
	}
	body := w.bodies[r]
	entries := []value.Entry{{Key: keyRef, Value: value.StringAt(value.Pos{}, w.names.refs[r])}}
	written := map[string]bool{}
	add := func(k string) {
		if v, ok := body[k]; ok && !written[k] {
			written[k] = true
			entries = append(entries, value.Entry{Key: k, Value: w.value(r, value.Path{k}, v, how)})
		}
	}
	if f := r.Type.NameField(); f != "" {
		add(f)
		if !written[f] && catalog.MayLackName(r.Type) {
			entries = append(entries, value.Entry{Key: f, Value: value.NullAt(value.Pos{})})
		}
	}
	for _, f := range r.Type.Identity {
		add(value.ParsePath(f)[0])
	}
	if meta := w.meta(r); !meta.IsAbsent() {
		entries = append(entries, value.Entry{Key: keyMeta, Value: meta})
	}
	for _, k := range slices.Sorted(maps.Keys(body)) {
		add(k)
	}
	if how.extras {
		entries = append(entries, w.extra(r, how.beside)...)
	}
	return value.MapAt(value.Pos{}, append(entries, w.children(r, how)...)...)
}

func (w *writer) meta(r *Resource) value.Value {
	if !r.Type.HasLabels() || w.namespace(r) == "" {
		return value.Value{}
	}
	meta := map[string]any{"namespace": w.namespace(r)}
	if catalog.Labels(r.Object)[label.Protected] == "true" {
		meta["protected"] = true
	}
	return value.From(value.Pos{}, meta)
}

// children are the lists below a resource, and what nests in it.
func (w *writer) children(r *Resource, how rendering) []value.Entry {
	var entries []value.Entry
	if tree := r.Type.Tree; tree != nil && r.Parent != nil {
		if nested := direct(r.Parent.children, r.Type.Kind, r); len(nested) > 0 {
			entries = append(entries, value.Entry{Key: tree.Children, Value: w.list(nested, how)})
		}
	}
	for _, t := range r.Type.Children {
		list := direct(r.children, t.Kind, nil)
		switch {
		case len(list) == 0:
		case t.Set != "":
			entries = append(entries, value.Entry{Key: t.Key, Value: w.resource(list[0], how).Field(t.Set)})
		case t.Shape == catalog.Singleton:
			entries = append(entries, value.Entry{Key: t.Key, Value: w.resource(list[0], how)})
		case len(catalog.Keys(t)) > 0:
			entries = append(entries, value.Entry{Key: t.Key, Value: w.byKey(t, list, how)})
		default:
			entries = append(entries, value.Entry{Key: t.Key, Value: w.list(list, how)})
		}
	}
	return entries
}

// byKey are resources in a mapping by the key that each one has.
func (w *writer) byKey(t *catalog.Bound, list []*Resource, how rendering) value.Value {
	var entries []value.Entry
	for _, r := range list {
		v := w.resource(r, how)
		key, _ := v.Field(t.MapKey).Text()
		entries = append(entries, value.Entry{Key: key, Value: v.Without(t.MapKey)})
	}
	return value.MapAt(value.Pos{}, entries...)
}

// direct are the resources of a kind right below one of a tree, or at its top.
func direct(list []*Resource, kind string, above *Resource) []*Resource {
	var out []*Resource
	for _, r := range list {
		if r.Type.Kind == kind && r.Above == above {
			out = append(out, r)
		}
	}
	return out
}

// value writes a part of a body: references by ref, marks as what is to be put
// in.
func (w *writer) value(r *Resource, p value.Path, x any, how rendering) value.Value {
	var at value.Pos
	switch v := x.(type) {
	case secretMark:
		env := value.ExprAt(at, value.Expression{Op: value.OpEnv, Name: w.variables[r][p.String()]})
		return value.ExprAt(at, value.Expression{Op: value.OpSecret, Parts: []value.Value{env}})
	case unreadMark:
		return value.StringAt(at, catalog.Placeholder)
	case string:
		return w.text(r, p, v, how)
	case []any:
		items := make([]value.Value, len(v))
		for i, y := range v {
			items[i] = w.value(r, p.Index(i), y, how)
		}
		return value.ListAt(at, items)
	case map[string]any:
		var entries []value.Entry
		for _, k := range slices.Sorted(maps.Keys(v)) {
			entries = append(entries, value.Entry{Key: k, Value: w.value(r, p.Child(k), v[k], how)})
		}
		return value.MapAt(at, entries...)
	default:
		return value.From(at, x)
	}
}

func (w *writer) text(r *Resource, p value.Path, s string, how rendering) value.Value {
	if reference, ok := r.Type.Reference(p.Generic()); ok {
		if t := w.names.target(r, reference, s); t != nil && !w.o.ByID {
			return w.names.reference(t)
		}
		return value.StringAt(value.Pos{}, s)
	}
	if t := w.names.mentioned(r, s); t != nil && !w.o.ByID && p[0] != r.Type.MapKey {
		return w.names.reference(t)
	}
	if how.texts != nil {
		if v := how.texts(r, p, s); v != nil {
			return *v
		}
	}
	return value.StringAt(value.Pos{}, s)
}
