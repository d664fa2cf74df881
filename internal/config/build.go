package config

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/diag"
	"kongctl/internal/source"
	"kongctl/internal/value"
)

// Options are what Build needs besides documents.
type Options struct {
	// Env looks a variable up; values are checked for existence only.
	Env func(string) (string, bool)
	// RequireAnyNamespace asks every root to name its namespace itself;
	// RequireNamespaces asks for one of these.
	RequireAnyNamespace bool
	RequireNamespaces   []string
}

// Build makes a set of documents. It finds all problems in one pass.
func Build(cat *catalog.Catalog, docs []source.Document, o Options) (*Set, diag.List) {
	if o.Env == nil {
		o.Env = func(string) (string, bool) { return "", false }
	}
	b := &builder{
		cat: cat, opts: o,
		set:      &Set{Catalog: cat, Roots: map[string]bool{}},
		defaults: map[string]meta{},
		spaces:   map[string]bool{},
		named:    map[*Resource]bool{},
	}
	for _, d := range docs {
		b.readDefaults(d)
	}
	for _, d := range docs {
		b.document(d)
	}
	b.adopt()
	b.finish()
	for ns := range b.spaces {
		b.set.Namespaces = append(b.set.Namespaces, ns)
	}
	sort.Strings(b.set.Namespaces)
	return b.set, b.diags
}

type builder struct {
	cat      *catalog.Catalog
	opts     Options
	set      *Set
	defaults map[string]meta // by file
	spaces   map[string]bool
	named    map[*Resource]bool // roots whose namespace was written
	diags    diag.List
	doc      source.Document
}

// Keys at the root that are not lists of resources.
const (
	keyDefaults = "_defaults"
	keyMeta     = "kongctl"
	keyRef      = "ref"
	keyID       = "id"
	keyExternal = "_external"
	keyDeck     = "_deck"
)

// Root keys that a later version reads.
var laterRoots = []string{"moved", "external_resources"}

func (b *builder) document(d source.Document) {
	b.doc = d
	if !b.knows(d.Root) {
		detail := fmt.Sprintf("No key of this document is one that a configuration may have: %s.", list(d.Root.Keys(), 5))
		fix := "start it with a collection such as " + list(b.cat.RootKeys(), 4) + "…"
		if d.Walked {
			b.diags = append(b.diags, diag.Warn(diag.SrcNotASource, d.Root.Pos(), detail, fix))
		} else {
			b.diags.Add(diag.SrcNotASource, d.Root.Pos(), detail, fix)
		}
		return
	}
	for _, e := range d.Root.Entries() {
		b.rootEntry("", e)
	}
}

func (b *builder) knows(root value.Value) bool {
	for _, k := range root.Keys() {
		if k == keyDefaults || slices.Contains(laterRoots, k) || b.cat.RootKey(k) != nil || b.group(k) {
			return true
		}
	}
	return len(root.Keys()) == 0
}

// group tells whether a root key only holds other root keys.
func (b *builder) group(key string) bool {
	for _, k := range b.cat.RootKeys() {
		if strings.HasPrefix(k, key+".") {
			return true
		}
	}
	return false
}

func (b *builder) rootEntry(prefix string, e value.Entry) {
	key := prefix + e.Key
	switch t := b.cat.RootKey(key); {
	case t != nil:
		b.set.Roots[t.Kind] = true
		b.rootList(t, key, e)
	case prefix == "" && e.Key == keyDefaults:
	case prefix == "" && b.group(e.Key) && e.Value.Kind() == value.Map:
		for _, inner := range e.Value.Entries() {
			b.rootEntry(e.Key+".", inner)
		}
	case slices.Contains(laterRoots, key):
		b.diags.Add(diag.CfgLater, e.KeyPos, fmt.Sprintf("The key %s belongs to the configuration language, but this version does not read it.", key), "remove it, or use a newer version.")
	default:
		b.diags.Add(diag.CfgUnknownRoot, e.KeyPos, fmt.Sprintf("There is no collection %q.", key), suggest(key, append(b.cat.RootKeys(), keyDefaults)))
	}
}

func (b *builder) rootList(t *catalog.Bound, key string, e value.Entry) {
	switch e.Value.Kind() {
	case value.Null:
	case value.List:
		for _, item := range e.Value.Items() {
			b.item(t, nil, nil, item)
		}
	default:
		b.diags.Add(diag.CfgWrongShape, e.Value.Pos(), fmt.Sprintf("%s must be a list of resources and is %s.", key, e.Value.Kind()), fmt.Sprintf("write %s: with one \"- name: …\" per resource below it.", key))
	}
}

// children reads a list of resources below their parent. A single mapping
// stands for a list of one; a singleton is always a mapping.
func (b *builder) children(t *catalog.Bound, parent, above *Resource, v value.Value) {
	if t.Shape == catalog.Singleton {
		b.single(t, parent, v)
		return
	}
	switch v.Kind() {
	case value.Null:
	case value.Map:
		if len(v.Keys()) > 0 {
			b.item(t, parent, above, v)
		}
	case value.List:
		for _, item := range v.Items() {
			b.item(t, parent, above, item)
		}
	default:
		b.diags.Add(diag.CfgWrongShape, v.Pos(), fmt.Sprintf("%s must be a list of mappings and is %s.", t.Key, v.Kind()), "write one \"- …\" per resource below it.")
	}
}

func (b *builder) single(t *catalog.Bound, parent *Resource, v value.Value) {
	switch v.Kind() {
	case value.Null:
	case value.Map:
		if len(v.Keys()) > 0 {
			b.item(t, parent, nil, v)
		}
	case value.List:
		if len(v.Items()) == 1 {
			b.item(t, parent, nil, v.Items()[0])
			return
		}
		fallthrough
	default:
		b.diags.Add(diag.CfgWrongShape, v.Pos(), fmt.Sprintf("There is one %s at most, so %s must be a mapping and is %s.", catalog.Words(t.Kind), t.Key, v.Kind()), fmt.Sprintf("write its fields directly below %s:.", t.Key))
	}
}

// item reads one resource and what nests in it.
func (b *builder) item(t *catalog.Bound, parent, above *Resource, v value.Value) {
	if v.Kind() != value.Map {
		b.diags.Add(diag.CfgWrongShape, v.Pos(), fmt.Sprintf("A %s must be a mapping and is %s.", catalog.Words(t.Kind), v.Kind()), "write its fields as key: value.")
		return
	}
	if b.refused(t, v) {
		return
	}
	r := &Resource{Type: t, Parent: parent, Above: above, Pos: v.Pos(), Written: map[string]bool{}, Dir: b.doc.Dir, Base: b.doc.Base, number: len(b.set.Resources)}
	b.set.Resources = append(b.set.Resources, r)
	var fields []value.Entry
	nested := map[string]value.Value{}
	for _, e := range v.Entries() {
		switch {
		case e.Key == keyRef:
			b.readRef(r, e.Value)
		case e.Key == keyMeta:
		case t.Child(e.Key) != nil, t.Tree != nil && e.Key == t.Tree.Children:
			nested[e.Key] = e.Value
			r.Written[e.Key] = true
		case parent == nil && t.Parent != nil && slices.Contains(t.ParentKeys(), e.Key):
			r.parentRef = reference(e.Value)
		default:
			fields = append(fields, e)
		}
	}
	r.Fields = value.MapAt(v.Pos(), fields...)
	b.readMeta(r, v)
	b.normalize(r)
	for _, key := range v.Keys() {
		inner, ok := nested[key]
		if !ok {
			continue
		}
		if child := t.Child(key); child != nil {
			b.children(child, r, nil, inner)
		} else {
			b.children(t, parent, r, inner)
		}
	}
}

// refused tells of resources that cannot be managed as written.
func (b *builder) refused(t *catalog.Bound, v value.Value) bool {
	for _, key := range []string{keyExternal, keyDeck} {
		if v.Has(key) {
			b.diags.Add(diag.CfgLater, v.KeyPos(key), fmt.Sprintf("The key %s belongs to the configuration language, but this version does not read it.", key), "remove it, and give the id of what exists where it is needed.")
			return true
		}
	}
	if t.External {
		b.diags.Add(diag.CfgExternalOnly, v.Pos(), fmt.Sprintf("A %s is written with decK; a configuration can only refer to one.", catalog.Words(t.Kind)), "give its id where it is needed, and leave it out here.")
		return true
	}
	return false
}

func (b *builder) readRef(r *Resource, v value.Value) {
	s, ok := v.Text()
	switch {
	case v.Kind() == value.Expr && v.Expr().Op == value.OpEnv:
		b.diags.Add(diag.CfgEnvPlace, v.Pos(), "A ref names the resource in this configuration, so it cannot depend on the environment.", "write the ref itself.")
	case !ok || !refPattern.MatchString(s) || len(s) > 63:
		b.diags.Add(diag.CfgBadRef, v.Pos(), "A ref has 1 to 63 letters, digits, dots, underscores and dashes, and starts with a letter or digit.", "write for example ref: my-"+strings.ReplaceAll(r.Type.Key, "_", "-")+".")
	default:
		r.Ref, r.Explicit = s, true
	}
}

// normalize brings fields into the contract's form.
func (b *builder) normalize(r *Resource) {
	t := r.Type
	for _, ref := range t.References {
		short, ok := strings.CutSuffix(ref.Field, "_id")
		if !ok || strings.Contains(ref.Field, ".") || !r.Fields.Has(short) || t.Write().At([]string{short}, nil) != nil {
			continue
		}
		e := value.Entry{Key: ref.Field, KeyPos: r.Fields.KeyPos(short), Value: r.Fields.Field(short)}
		r.Fields = r.Fields.Without(short).With(e)
	}
	if t.Normalize != nil {
		v, diags := t.Normalize(r.Fields)
		r.Fields = v
		b.diags = append(b.diags, diags...)
	}
	if f := t.NameField(); f == "name" && r.Explicit && !r.Fields.Has("name") {
		r.Fields = r.Fields.With(value.Entry{Key: "name", KeyPos: r.Pos, Value: value.StringAt(r.Pos, r.Ref)})
	}
	r.Fields = b.references(r)
}

// references turns plain names in reference fields into references.
func (b *builder) references(r *Resource) value.Value {
	return r.Fields.Map(func(p value.Path, v value.Value) value.Value {
		if _, ok := r.Type.Reference(p.Generic()); !ok || v.Kind() == value.List {
			return v
		}
		return reference(v)
	})
}

// reference reads a name, a {ref: name} or an id.
func reference(v value.Value) value.Value {
	if v.Kind() == value.Map && len(v.Keys()) == 1 && v.Has(keyRef) {
		v = v.Field(keyRef)
	}
	if s, ok := v.Text(); ok && !uuidPattern.MatchString(s) {
		return value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: s, Field: keyID})
	}
	return v
}
