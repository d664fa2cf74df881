package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/diag"
	"kongctl/internal/live"
	"kongctl/internal/ref"
	"kongctl/internal/source"
	"kongctl/internal/value"
)

// The words of the language that stand on resources.
const (
	keyRef    = "ref"
	keyMeta   = "kongctl"
	keyLabels = "labels"

	protectedLabel = config.LabelPrefix + "protected"
)

// WriteOptions say what the documents look like.
type WriteOptions struct {
	// DefaultNamespace is what roots without a namespace are declared in; ""
	// leaves it out.
	DefaultNamespace string
	// SkipDefaults leaves out fields that have the contract's default.
	SkipDefaults bool
	// Split makes a file of every root type, and of every long text.
	Split bool
	// State adds what a configuration cannot say, so that the embedded Konnect
	// can be made the same again.
	State bool
}

// File is one file of an export. Its name is relative, with slashes, and empty
// where all is in one.
type File struct {
	Name string
	Data []byte
}

// Output is an export.
type Output struct {
	Files []File
	// Resources counts what is in it.
	Resources int
	// Warnings tell what does not come back.
	Warnings diag.List
}

// Write makes documents of what was read.
func Write(s *Snapshot, o WriteOptions) (*Output, error) {
	w := &writer{
		snap: s, o: o,
		bodies: map[*Resource]map[string]any{}, variables: map[*Resource]map[string]string{},
	}
	roots := w.prepare(s.Roots)
	w.check(roots)
	w.caution(roots)
	files, err := w.files(roots)
	if err != nil {
		return nil, err
	}
	return &Output{Files: files, Resources: len(w.bodies), Warnings: w.diags}, nil
}

type writer struct {
	snap      *Snapshot
	o         WriteOptions
	names     *names
	bodies    map[*Resource]map[string]any
	variables map[*Resource]map[string]string // of secrets, by path
	diags     diag.List
}

func (w *writer) warn(code diag.Code, detail, fix string) {
	w.diags = append(w.diags, diag.Warn(code, value.Pos{}, detail, fix))
}

// prepare settles what every resource says and what it is called, and returns
// the roots that are written.
func (w *writer) prepare(list []*Resource) []*Resource {
	menders := map[*Resource]*mender{}
	list = w.distinct(list)
	all := (&Snapshot{Roots: list}).All()
	for _, r := range all {
		m := &mender{t: r.Type, body: projector{t: r.Type, skipDefaults: w.o.SkipDefaults}.body(r.Object.Fields)}
		w.labels(r, m.body)
		m.mend()
		menders[r], w.bodies[r] = m, m.body
	}
	w.names = newNames(all)
	for _, r := range all {
		secrets, _ := marks(w.bodies[r])
		w.variables[r] = map[string]string{}
		for _, p := range secrets {
			w.variables[r][p.String()] = w.names.variable(r, p)
		}
		w.tell(r, menders[r])
	}
	return list
}

// distinct leaves out what says nothing, and all but the first of those that a
// configuration cannot tell apart.
func (w *writer) distinct(list []*Resource) []*Resource {
	var out []*Resource
	seen := map[string]bool{}
	for _, r := range list {
		if untouched(r.Type, r.Object.Fields) && len(r.children) == 0 {
			continue
		}
		key := r.identity()
		if key != "" && seen[key] {
			w.warn(diag.ExpTwin, fmt.Sprintf("%s (id %s) has the name of another one, and a configuration cannot tell the two apart: it is left out.", capital(r.what()), r.Object.ID),
				"rename one of the two in Konnect.")
			continue
		}
		seen[key] = true
		copied := *r
		copied.children = w.distinct(r.children)
		for _, c := range copied.children {
			c.Parent = &copied
		}
		out = append(out, &copied)
	}
	nestAgain(out)
	return out
}

// nestAgain points what nests at the copies.
func nestAgain(list []*Resource) {
	byID := map[string]*Resource{}
	for _, r := range list {
		byID[r.Type.Kind+" "+r.Object.ID] = r
	}
	for _, r := range list {
		if r.Above != nil {
			r.Above = byID[r.Type.Kind+" "+r.Above.Object.ID]
		}
	}
}

// identity is what must differ between siblings, "" where there is one at most.
func (r *Resource) identity() string {
	if len(r.Type.Identity) == 0 {
		return ""
	}
	parts := []string{r.Type.Kind}
	if r.Above != nil {
		parts = append(parts, r.Above.Object.ID)
	}
	for _, f := range r.Type.Identity {
		v, _ := value.Get(r.Object.Fields, value.ParsePath(f))
		parts = append(parts, strings.TrimSpace(fmt.Sprint(v)))
	}
	return strings.Join(parts, "\x00")
}

// labels leaves ours out: the kongctl block says what they say.
func (w *writer) labels(r *Resource, body map[string]any) {
	labels, ok := body[keyLabels].(map[string]any)
	if !ok {
		return
	}
	for k := range labels {
		if strings.HasPrefix(k, config.LabelPrefix) {
			delete(labels, k)
		}
	}
	if len(labels) == 0 {
		delete(body, keyLabels)
	}
}

// check loads the export: what stands in the way is told here rather than
// later.
func (w *writer) check(roots []*Resource) {
	doc := w.document(roots, nil)
	set, diags := config.Build(w.snap.Catalog, []source.Document{{Root: doc}}, config.Options{
		Env: func(string) (string, bool) { return "", true },
	})
	_, more := ref.Link(set)
	for _, d := range append(diags, more...) {
		if d.Severity == diag.Error {
			w.warn(diag.ExpUnloadable, d.Detail, "put it right in the export before you use it.")
		}
	}
}

// caution tells what to know before the export is used.
func (w *writer) caution(roots []*Resource) {
	var unmanaged []string
	for _, r := range roots {
		if r.Type.HasLabels() && w.namespace(r) == "" {
			unmanaged = append(unmanaged, r.what())
		}
	}
	if len(unmanaged) > 0 && !w.o.State {
		n := len(unmanaged)
		if n > 10 {
			unmanaged = append(unmanaged[:10], "…")
		}
		w.warn(diag.ExpUnmanaged, fmt.Sprintf("%d of the resources carry no label %s; a plan of this export tells that they exist and are not managed:\n%s", n, live.NamespaceLabel, strings.Join(unmanaged, "\n")),
			"take them over first (the label, or adopt), and declare them with --default-namespace.")
	}
	for _, f := range w.snap.Failed {
		where := ""
		if f.Parent != nil {
			where = " of " + f.Parent.what()
		}
		w.warn(diag.ExpUnreadable, fmt.Sprintf("The %s%s could not be read and are not in the export: %v", strings.ReplaceAll(f.Type.Key, "_", " "), where, f.Err),
			"give the token the right to read them, or leave them out with --resources.")
	}
	if !w.snap.Whole && len(roots) > 0 {
		w.warn(diag.ExpPartial, "The export holds a part of what exists. A sync of it would delete what is managed in the same namespaces and not in it.",
			"use it with apply, or with sync --prune=none.")
	}
}

// namespace is where a root is declared, "" for the default of the language.
func (w *writer) namespace(r *Resource) string {
	if ns := r.Object.Labels[live.NamespaceLabel]; ns != "" {
		return ns
	}
	return w.o.DefaultNamespace
}

// texts takes a text out of a document and returns the file that has it, or
// nil to leave it.
type texts func(r *Resource, p value.Path, text string) *value.Value

// document is one mapping with root lists.
func (w *writer) document(roots []*Resource, out texts) value.Value {
	doc := value.MapAt(value.Pos{})
	for len(roots) > 0 {
		t := roots[0].Type
		n := slices.IndexFunc(roots, func(r *Resource) bool { return r.Type != t })
		if n < 0 {
			n = len(roots)
		}
		doc = put(doc, strings.Split(t.Root(), "."), w.list(roots[:n], out))
		roots = roots[n:]
	}
	return doc
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

func (w *writer) list(resources []*Resource, out texts) value.Value {
	items := make([]value.Value, len(resources))
	for i, r := range resources {
		items[i] = w.resource(r, out)
	}
	return value.ListAt(value.Pos{}, items)
}

// resource is a resource with all that belongs to it: its ref, what it is known
// by, who owns it, its fields, its children.
func (w *writer) resource(r *Resource, out texts) value.Value {
	body := w.bodies[r]
	entries := []value.Entry{{Key: keyRef, Value: value.StringAt(value.Pos{}, w.names.refs[r])}}
	written := map[string]bool{}
	add := func(k string) {
		if v, ok := body[k]; ok && !written[k] {
			written[k] = true
			entries = append(entries, value.Entry{Key: k, Value: w.value(r, value.Path{k}, v, out)})
		}
	}
	if f := r.Type.NameField(); f != "" {
		add(f)
	}
	for _, f := range r.Type.Identity {
		add(value.ParsePath(f)[0])
	}
	if meta := w.meta(r); !meta.IsAbsent() {
		entries = append(entries, value.Entry{Key: keyMeta, Value: meta})
	}
	for _, k := range sortedKeys(body) {
		add(k)
	}
	return value.MapAt(value.Pos{}, append(entries, w.children(r, out)...)...)
}

func (w *writer) meta(r *Resource) value.Value {
	if !r.Type.HasLabels() || w.namespace(r) == "" {
		return value.Value{}
	}
	meta := map[string]any{"namespace": w.namespace(r)}
	if r.Object.Labels[protectedLabel] == "true" {
		meta["protected"] = true
	}
	return value.From(value.Pos{}, meta)
}

// children are the lists below a resource, and what nests in it.
func (w *writer) children(r *Resource, out texts) []value.Entry {
	var entries []value.Entry
	if tree := r.Type.Tree; tree != nil && r.Parent != nil {
		if nested := direct(r.Parent.children, r.Type.Kind, r); len(nested) > 0 {
			entries = append(entries, value.Entry{Key: tree.Children, Value: w.list(nested, out)})
		}
	}
	for _, t := range r.Type.Children {
		list := direct(r.children, t.Kind, nil)
		switch {
		case len(list) == 0:
		case t.Shape == catalog.Singleton:
			entries = append(entries, value.Entry{Key: t.Key, Value: w.resource(list[0], out)})
		default:
			entries = append(entries, value.Entry{Key: t.Key, Value: w.list(list, out)})
		}
	}
	return entries
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
func (w *writer) value(r *Resource, p value.Path, x any, out texts) value.Value {
	var at value.Pos
	switch v := x.(type) {
	case secretMark:
		env := value.ExprAt(at, value.Expression{Op: value.OpEnv, Name: w.variables[r][p.String()]})
		return value.ExprAt(at, value.Expression{Op: value.OpSecret, Parts: []value.Value{env}})
	case unreadMark:
		return value.StringAt(at, Placeholder)
	case string:
		return w.text(r, p, v, out)
	case []any:
		items := make([]value.Value, len(v))
		for i, y := range v {
			items[i] = w.value(r, p.Index(i), y, out)
		}
		return value.ListAt(at, items)
	case map[string]any:
		var entries []value.Entry
		for _, k := range sortedKeys(v) {
			entries = append(entries, value.Entry{Key: k, Value: w.value(r, p.Child(k), v[k], out)})
		}
		return value.MapAt(at, entries...)
	default:
		return value.From(at, x)
	}
}

func (w *writer) text(r *Resource, p value.Path, s string, out texts) value.Value {
	if reference, ok := r.Type.Reference(p.Generic()); ok {
		if t := w.names.target(r, reference, s); t != nil {
			return value.ExprAt(value.Pos{}, value.Expression{Op: value.OpRef, Name: w.names.refs[t], Field: "id"})
		}
		return value.StringAt(value.Pos{}, s)
	}
	if out != nil {
		if v := out(r, p, s); v != nil {
			return *v
		}
	}
	return value.StringAt(value.Pos{}, s)
}

// files renders the documents.
func (w *writer) files(roots []*Resource) ([]File, error) {
	if w.o.Split {
		return w.splitFiles(roots)
	}
	var b bytes.Buffer
	if w.o.State {
		b.WriteString(stateHead)
		if err := encode(&b, w.state(roots)); err != nil {
			return nil, err
		}
		b.WriteString("---\n")
	}
	if err := encode(&b, w.document(roots, nil)); err != nil {
		return nil, err
	}
	w.measure("", b.Len())
	return []File{{Data: b.Bytes()}}, nil
}
