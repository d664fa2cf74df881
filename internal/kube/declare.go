package kube

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/group"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Resources makes resources of the objects in the documents, and one of the
// inventory that they belong to.
func (t *Target) Resources(docs resource.Documents, into *resource.Set) (diag.List, error) {
	if len(docs.List) == 0 && !docs.Named {
		return nil, nil
	}
	d := &declarer{target: t, set: into, found: group.Found{Stdin: t.options.Stdin, Flag: t.options.GroupFile, Dir: t.options.Dir}}
	for _, doc := range docs.List {
		d.document(doc)
	}
	d.unbuilt(docs.Skipped)
	if err := d.readKptfile(); err != nil {
		return nil, err
	}
	chosen, list := group.Choose(d.found)
	list = group.Place{Work: t.options.Work, Dir: t.options.Here}.Quote(list)
	d.diags = append(d.diags, list...)
	if d.diags.HasErrors() {
		return d.diags, nil
	}
	if chosen.Namespace == "" {
		c, err := t.cluster()
		if err != nil {
			return d.diags, err
		}
		chosen = chosen.In(c.Namespace())
	}
	id, list := group.InventoryID(chosen)
	if d.diags = append(d.diags, list...); d.diags.HasErrors() {
		return d.diags, nil
	}
	t.scope = object.Scope{
		Inventory: object.Inventory{Name: chosen.Name, Namespace: chosen.Namespace, ID: id, Labels: chosen.Labels, Annotations: chosen.Annotations},
		Options:   t.options.Options, Destroy: t.options.Destroy,
	}
	into.Mention(object.TypeName(object.GroupGVK()), object.Space(id))
	if t.options.Destroy {
		kind := into.Types.Kind(object.TypeName(schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}))
		into.Mention(kind.Kind, object.Space(id)) // to delete everything is the request
		return d.diags, nil
	}
	d.declare(chosen.Pos)
	return d.diags, nil
}

// declarer turns documents into resources.
type declarer struct {
	target *Target
	set    *resource.Set
	found  group.Found
	items  []*entry
	// namespaces and definitions are the objects that others need, by the name and
	// by the kind that they define; byName are all objects, without namespaces.
	namespaces  map[string]*entry
	definitions map[schema.GroupKind]*entry
	byName      map[object.ID][]*entry
	diags       diag.List
}

// entry is an object on its way to a resource.
type entry struct {
	*object.Item
	value    value.Value
	ref      value.Value // the annotation that names it
	document source.Document
	resource *resource.Resource
}

// document takes a document apart.
func (d *declarer) document(doc source.Document) {
	d.value(doc, doc.Root, nil)
}

// value takes one object, or a list of them.
func (d *declarer) value(doc source.Document, v value.Value, at value.Path) {
	if d.found.Add(v) {
		return
	}
	if d.target.options.Destroy && v.Field("items").Kind() != value.List {
		return // only the inventory counts
	}
	kind, _ := v.Field("kind").Text()
	if items := v.Field("items"); items.Kind() == value.List && strings.HasSuffix(kind, "List") {
		for i, item := range items.Items() {
			d.value(doc, item, at.Child("items").Index(i))
		}
		return
	}
	d.object(doc, v, at)
}

// unbuilt warns of folders whose files are the input of another tool: read as they
// are, they lack what the tool would make of them.
func (d *declarer) unbuilt(skipped []source.Skipped) {
	if d.target.options.Destroy {
		return // only the inventory counts
	}
	for _, tool := range []struct{ why, detail, command string }{
		{source.Kustomization, "The folder is the input of kustomize, and its files are read as they are: what kustomize generates and changes is missing.", "kustomize build"},
		{source.HelmChart, "The folder is a Helm chart, and its templates are not read.", "helm template"},
	} {
		top := ""
		for _, s := range skipped {
			if s.Why == tool.why && (top == "" || strings.Count(s.File, "/") < strings.Count(top, "/")) {
				top = s.File
			}
		}
		if top == "" {
			continue
		}
		apply := "kongctl live apply -"
		if d.target.options.Here == "" {
			apply = "kongctl sync -f -"
		}
		d.diags = append(d.diags, diag.Warn(diag.KubeUnbuilt, value.Pos{File: top}, tool.detail,
			fmt.Sprintf("pipe what it makes: %s %s | %s; or leave the file out with --exclude %s.", tool.command, path.Dir(top), apply, top)))
	}
}

// readKptfile looks for what no walk reads: the Kptfile of the folder, which has
// no ending, and a ResourceGroup that lies here unread.
func (d *declarer) readKptfile() error {
	o := d.target.options
	if o.Here == "" {
		return nil
	}
	kptfile, nearby, err := group.Place{Work: o.Work, Dir: o.Here}.Beside()
	if !kptfile.IsAbsent() {
		d.found.Add(kptfile)
	}
	d.found.Nearby = o.Stdin && nearby
	return err
}

// object checks what every object must have and keeps it.
func (d *declarer) object(doc source.Document, v value.Value, at value.Path) {
	before := len(d.diags)
	version := d.text(v, "apiVersion")
	kind := d.text(v, "kind")
	meta := v.Field("metadata")
	if meta.Kind() != value.Map {
		d.wrong(v, value.Path{"metadata"}, "An object needs metadata with a name.", "write metadata: {name: NAME}.")
		return
	}
	if local, ok := meta.Field("annotations").Field(object.LocalConfig).Text(); ok && local != "false" {
		return
	}
	name := d.text(v, "metadata", "name")
	namespace := ""
	if given := meta.Field("namespace"); !given.IsAbsent() && given.Kind() != value.Null {
		namespace = d.text(v, "metadata", "namespace")
	}
	d.texts(v, "labels")
	d.texts(v, "annotations")
	gv, err := schema.ParseGroupVersion(version)
	gvk := gv.WithKind(kind)
	if _, ok := object.ParseType(object.TypeName(gvk)); (err != nil || !ok) && len(d.diags) == before {
		d.wrong(v, value.Path{"apiVersion"}, fmt.Sprintf("%s %s is not a kind of Kubernetes.", version, kind), "write apiVersion as GROUP/VERSION or v1, and kind as in Deployment.")
	}
	if len(d.diags) > before {
		return
	}
	e := &entry{
		Item: &object.Item{
			GVK: gvk, ID: object.ID{Group: gvk.Group, Kind: kind, Namespace: namespace, Name: name},
			File: doc.File, Document: doc.Number, At: at,
		},
		value: v, document: doc, ref: meta.Field("annotations").Field(object.Ref),
	}
	if text, ok := meta.Field("annotations").Field(object.DependsOn).Text(); ok {
		if e.DependsOn, err = object.ParseDependsOn(text); err != nil {
			d.wrong(v, value.Path{"metadata", "annotations", object.DependsOn}, fmt.Sprintf("The annotation %s: %v.", object.DependsOn, err), "correct it.")
		}
	}
	mutation, _ := meta.Field("annotations").Field(object.OnMutate).Text()
	e.Ignored = mutation == object.Ignore
	d.substitutions(e)
	if object.IsSecret(gvk.GroupKind()) {
		e.Secrets, e.Contents = secretValues(v), map[string]string{}
		for _, p := range e.Secrets {
			if file := doc.Contents[v.Lookup(p).Pos()]; file != "" {
				e.Contents[p.String()] = file
			}
		}
	}
	if d.target.options.Here == "" && d.found.Object.Line == 0 {
		d.found.Object = v.Pos()
	}
	d.items = append(d.items, e)
}

// substitutions notes the objects that values are taken of at apply time.
func (d *declarer) substitutions(e *entry) {
	at := value.Path{"metadata", "annotations", object.Mutation}
	text, ok := e.value.Lookup(at).Text()
	if !ok {
		return
	}
	list, err := object.Substitutions(map[string]any{"metadata": map[string]any{"annotations": map[string]any{object.Mutation: text}}})
	if err != nil {
		d.wrong(e.value, at, fmt.Sprintf("%s: %v.", e.ID, err), "correct it.")
	}
	for _, s := range list {
		from := s.Source
		if from.Kind == e.ID.Kind && from.Group == e.ID.Group && from.Name == e.ID.Name && cmp.Or(from.Namespace, e.ID.Namespace) == e.ID.Namespace {
			d.wrong(e.value, at, fmt.Sprintf("%s takes a value of itself.", e.ID), "name another object.")
			continue
		}
		if from.Namespace == "" {
			from.Namespace = e.ID.Namespace
		}
		e.Takes = append(e.Takes, from, s.Source)
	}
}

// secretValues are the literal values of a Secret. Expressions are the core's.
func secretValues(v value.Value) []value.Path {
	var out []value.Path
	for _, key := range v.Keys() {
		if !object.SecretField(key) {
			continue
		}
		for _, name := range v.Field(key).Keys() {
			if v.Field(key).Field(name).Kind() != value.Expr {
				out = append(out, value.Path{key, name})
			}
		}
	}
	return out
}

// text is a field that must be text.
func (d *declarer) text(v value.Value, path ...string) string {
	p := value.Path(path)
	text, ok := v.Lookup(p).Text()
	if !ok || text == "" {
		fix := fmt.Sprintf("write %s.", p)
		if v.Lookup(p).Kind() == value.Expr {
			fix = "write the text itself: what identifies an object cannot come from elsewhere."
		}
		if !v.Lookup(value.Path{"metadata", "generateName"}).IsAbsent() && path[len(path)-1] == "name" {
			fix = "give it a name of its own: what generateName makes cannot be found again."
		}
		d.wrong(v, p, fmt.Sprintf("An object needs %s, and it must be text.", p), fix)
	}
	return text
}

// texts checks that labels and annotations are texts.
func (d *declarer) texts(v value.Value, field string) {
	entries := v.Field("metadata").Field(field)
	if entries.IsAbsent() || entries.Kind() == value.Null {
		return
	}
	if entries.Kind() != value.Map {
		d.wrong(v, value.Path{"metadata", field}, fmt.Sprintf("metadata.%s is a mapping of texts.", field), "write KEY: VALUE.")
		return
	}
	for _, e := range entries.Entries() {
		if k := e.Value.Kind(); k != value.String && k != value.Expr {
			d.wrong(v, value.Path{"metadata", field, e.Key}, fmt.Sprintf("The value of %s in metadata.%s is not text.", e.Key, field), inQuotes(e.Value))
		}
	}
}

// inQuotes says how to make a text of a value.
func inQuotes(v value.Value) string {
	switch v.Kind() {
	case value.Bool, value.Number:
		return fmt.Sprintf("put it in quotes: %q.", v.Written())
	default:
		return "write a text, or remove the key."
	}
}

func (d *declarer) wrong(v value.Value, p value.Path, detail, fix string) {
	d.diags.Add(diag.KubeObject, v.Nearest(p), detail, fix)
}

// declare makes the resources and puts them in order.
func (d *declarer) declare(pos value.Pos) {
	space, inventory := object.Space(d.target.scope.Inventory.ID), d.target.inventory(pos)
	d.name()
	for _, e := range d.items {
		r := &resource.Resource{
			Type: d.set.Types.Kind(object.TypeName(e.GVK)), Ref: e.Names()[0], RefPos: e.value.Pos(), Aliases: slices.Concat(e.Names(), e.Written()),
			Name: e.ID.Name, Namespace: space, Fields: e.value, Pos: e.value.Pos(), Dir: e.document.Dir, Base: e.document.Base, Native: e.Item,
		}
		e.resource = r
	}
	d.refs()
	for _, e := range d.items {
		if e.ID.IsNamespace() && e.ID.Name == d.target.scope.Inventory.Namespace {
			inventory.After = append(inventory.After, e.resource)
		}
	}
	d.set.Declare(inventory)
	d.index()
	for _, e := range d.items {
		d.order(e, inventory)
		d.set.Declare(e.resource)
	}
}

// name reports objects that are declared twice.
func (d *declarer) name() {
	seen := map[object.ID]*entry{}
	for _, e := range d.items {
		if other := seen[e.ID]; other != nil {
			d.diags.Add(diag.CfgDuplicate, e.value.Nearest(value.Path{"metadata", "name"}), fmt.Sprintf("The object %s is declared at %s, too.", e.ID, other.value.Pos()), "keep one of the two.")
		}
		seen[e.ID] = e
	}
}

// refs gives every object the shortest name that is its own, or the one that its
// annotation gives.
func (d *declarer) refs() {
	count := map[string]int{}
	for _, e := range d.items {
		for _, name := range e.Names() {
			count[name]++
		}
	}
	for _, e := range d.items {
		names := e.Names()
		e.resource.Ref = names[len(names)-1]
		for _, name := range names {
			if count[name] == 1 {
				e.resource.Ref = name
				break
			}
		}
		text, ok := e.ref.Text()
		switch {
		case e.ref.IsAbsent():
		case !ok || !resource.ValidRef(text):
			d.diags.Add(diag.CfgBadRef, e.ref.Pos(), fmt.Sprintf("The annotation %s is not a ref.", object.Ref), "use letters, digits, dots, dashes and underscores, at most 63.")
		default:
			e.resource.Ref, e.resource.Explicit, e.resource.RefPos = text, true, e.ref.Pos()
			d.taken(e)
		}
	}
}

// taken reports a ref that another resource was given.
func (d *declarer) taken(e *entry) {
	others := slices.Clone(d.set.Resources)
	for _, x := range d.items {
		others = append(others, x.resource)
	}
	for _, other := range others {
		if other == e.resource {
			return // the later of two is reported
		}
		if other.Explicit && other.Ref == e.resource.Ref {
			d.diags.Add(diag.CfgDuplicateRef, e.ref.Pos(), fmt.Sprintf("The ref %q is given to the %s at %s, too.", other.Ref, other.Type.Words, other.RefPos), "choose another one.")
			return
		}
	}
}

// order says what an object must come after.
func (d *declarer) order(e *entry, inventory *resource.Resource) {
	r := e.resource
	if !slices.Contains(inventory.After, r) {
		r.After = append(r.After, inventory)
	}
	for _, other := range []*entry{d.namespaces[e.ID.Namespace], d.definitions[e.GVK.GroupKind()]} {
		if other != nil && other != e {
			r.After = append(r.After, other.resource)
		}
	}
	for _, s := range e.Takes {
		if other := d.find(s); other != nil && other != e {
			r.After = append(r.After, other.resource)
		}
	}
	for _, id := range e.DependsOn {
		other := d.find(id)
		if other == nil {
			d.diags.Add(diag.KubeDependsOn, e.value.Nearest(value.Path{"metadata", "annotations", object.DependsOn}),
				fmt.Sprintf("%s depends on %s, which is not among the objects.", e.ID, id), "add it, or remove it from the annotation.")
			continue
		}
		if other == e {
			d.diags.Add(diag.RefCycle, e.value.Nearest(value.Path{"metadata", "annotations", object.DependsOn}), fmt.Sprintf("%s depends on itself.", e.ID), "remove it from the annotation.")
			continue
		}
		r.After = append(r.After, other.resource)
	}
}

// index finds objects that others need.
func (d *declarer) index() {
	d.namespaces, d.definitions, d.byName = map[string]*entry{}, map[schema.GroupKind]*entry{}, map[object.ID][]*entry{}
	for _, e := range d.items {
		name := e.ID
		name.Namespace = ""
		d.byName[name] = append(d.byName[name], e)
		switch {
		case e.ID.IsNamespace():
			d.namespaces[e.ID.Name] = e
		case e.ID.IsCRD():
			of, _ := e.value.Lookup(value.Path{"spec", "group"}).Text()
			kind, _ := e.value.Lookup(value.Path{"spec", "names", "kind"}).Text()
			d.definitions[schema.GroupKind{Group: of, Kind: kind}] = e
		}
	}
}

// find returns the object that an annotation names. A namespace that one of the
// two leaves out is that of the connection.
func (d *declarer) find(id object.ID) *entry {
	name := id
	name.Namespace = ""
	for _, e := range d.byName[name] {
		if e.ID.Namespace == id.Namespace || cmp.Or(e.ID.Namespace, d.target.namespace()) == cmp.Or(id.Namespace, d.target.namespace()) {
			return e
		}
	}
	return nil
}

// inventory is the resource that all others come after.
func (t *Target) inventory(pos value.Pos) *resource.Resource {
	i := t.scope.Inventory
	gvk := object.GroupGVK()
	labels := map[string]any{object.InventoryID: i.ID}
	for k, v := range i.Labels {
		labels[k] = v
	}
	meta := map[string]any{"name": i.Name, "namespace": i.Namespace, "labels": labels}
	if len(i.Annotations) > 0 {
		annotations := map[string]any{}
		for k, v := range i.Annotations {
			annotations[k] = v
		}
		meta["annotations"] = annotations
	}
	item := &object.Item{GVK: gvk, ID: object.ID{Group: gvk.Group, Kind: gvk.Kind, Namespace: i.Namespace, Name: i.Name}}
	return &resource.Resource{
		Type: t.types.Kind(object.TypeName(gvk)), Ref: item.Names()[0], Aliases: item.Names(), RefPos: pos, Name: i.Name, Namespace: object.Space(i.ID),
		Fields: value.From(pos, map[string]any{"apiVersion": object.GroupVersion, "kind": object.GroupKind, "metadata": meta}),
		Pos:    pos, Native: item, Records: true,
	}
}
