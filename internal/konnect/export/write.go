package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// The words of the language that stand on resources.
const (
	keyRef       = "ref"
	keyMeta      = "kongctl"
	keyNamespace = "namespace"
	keyDefaults  = "_defaults"
	keyPrune     = "prune"
	keyLabels    = "labels"
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
	// Base begins the names of files that stand beside a single one; "" puts all
	// into that one.
	Base string
	// Extras are what other targets add, by the object of the resource.
	Extras map[*resource.Object]*Extra
	// Region is named in a state; "" is that of the embedded Konnect itself.
	Region string
	// ByID names resources by their ids, in refs and references alike.
	ByID bool
	// State adds what a configuration cannot say, so that the embedded Konnect
	// can be made the same again.
	State bool
	// Flags are those of the command that asks: fixes name no others.
	Flags []string
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
	// Resources counts what is in it, Entities what other targets added.
	Resources, Entities int
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
	return &Output{Files: files, Resources: len(w.bodies), Entities: w.entities(), Warnings: w.diags}, nil
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
	repairers := map[*Resource]*repairer{}
	list = w.distinct(list)
	if w.o.State {
		keepPlaces(list)
	}
	all := (&Snapshot{Roots: list}).All()
	for _, r := range all {
		if r.external {
			continue
		}
		if r.Type.ReadOnly { // what it is known by leads to its children
			w.bodies[r] = identityOf(r)
			continue
		}
		m := &repairer{t: r.Type, body: projector{t: r.Type, skipDefaults: w.o.SkipDefaults}.body(r.Object.Fields)}
		dropOwnLabels(m.body)
		m.repair(r.Object.Fields)
		repairers[r], w.bodies[r] = m, m.body
	}
	if w.names = newNames(all); w.o.ByID {
		w.names.byID()
	}
	w.reserve()
	for _, r := range all {
		if r.external || r.Type.ReadOnly {
			continue
		}
		secrets, _ := marks(w.bodies[r])
		w.variables[r] = map[string]string{}
		for _, p := range secrets {
			w.variables[r][p.String()] = w.names.variable(r, p)
		}
		w.tell(r, repairers[r])
	}
	return list
}

// identityOf is what a resource of others is known by.
func identityOf(r *Resource) map[string]any {
	out := map[string]any{}
	for _, f := range r.Type.Identity {
		if v, ok := value.Get(r.Object.Fields, value.ParsePath(f)); ok {
			value.Set(out, value.ParsePath(f), v)
		}
	}
	return out
}

// dropOwnLabels leaves ours out: the kongctl block says what they say.
func dropOwnLabels(body map[string]any) {
	labels, ok := body[keyLabels].(map[string]any)
	if !ok {
		return
	}
	for k := range labels {
		if label.Ours(k) {
			delete(labels, k)
		}
	}
	if len(labels) == 0 {
		delete(body, keyLabels)
	}
}

// check loads the export: what stands in the way is reported here rather than
// later.
func (w *writer) check(roots []*Resource) {
	doc := w.document(roots, rendering{}) // what other targets add, they check
	set, diags := language.Build(w.snap.Catalog, []source.Document{{Root: doc}}, language.Options{
		Env: func(string) (string, bool) { return "", true },
	})
	_, more := resource.Link(set)
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
		w.warn(diag.ExpUnmanaged, fmt.Sprintf("%d of the resources carry no label %s; a plan of this export tells that they exist and are not managed:\n%s", n, label.Namespace, strings.Join(unmanaged, "\n")),
			w.o.Fix("", "take them over with kongctl adopt", "declare them in a namespace with --default-namespace"))
	}
	for _, f := range w.snap.Failed {
		where := ""
		if f.Parent != nil {
			where = " of " + f.Parent.what()
		}
		w.warn(diag.ExpUnreadable, fmt.Sprintf("The %s%s could not be read and are not in the export: %v", strings.ReplaceAll(f.Type.Key, "_", " "), where, f.Err),
			w.o.Fix("", "give the token the right to read them", "leave them out with --resources"))
	}
	w.tellOlder()
	if w.snap.Prune != "" && len(roots) > 0 {
		w.warn(diag.ExpPartial, fmt.Sprintf("The export holds a part of what exists. It says so with _defaults: {prune: %s}: a sync of it leaves the rest alone.", w.snap.Prune),
			"remove prune from it only when it declares all that is to exist in its namespaces.")
	}
}

// namespace is where a root is declared, "" for the default of the language.
func (w *writer) namespace(r *Resource) string {
	if ns := catalog.Labels(r.Object)[label.Namespace]; ns != "" {
		return ns
	}
	return w.o.DefaultNamespace
}

// files renders the documents.
func (w *writer) files(roots []*Resource) ([]File, error) {
	if w.o.Split {
		return w.splitFiles(roots)
	}
	var b bytes.Buffer
	var more []File
	how := rendering{extras: true}
	if w.o.Base != "" {
		how.beside = func(name string, data []byte) { more = append(more, File{Name: name, Data: data}) }
	}
	if w.o.State {
		b.WriteString(StateHead)
		if _, err := encode(&b, w.state(roots)); err != nil {
			return nil, err
		}
		b.WriteString("---\n")
	}
	values, err := encode(&b, w.document(roots, how))
	if err != nil {
		return nil, err
	}
	w.measure("", b.Len(), values)
	for _, f := range more {
		w.measure(f.Name, len(f.Data), 1)
	}
	sortFiles(more)
	return append([]File{{Data: b.Bytes()}}, more...), nil
}
