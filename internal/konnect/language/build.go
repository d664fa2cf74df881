// Package language turns documents into resources.
//
// In: documents with positions, and the catalog. Out: a flat set of resources
// (nesting undone, defaults and namespaces settled, fields in the contract's
// form), or every problem there is, each with its position. It must never
// call Konnect or read a file.
package language

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Options are what Build needs besides documents.
type Options struct {
	// Env looks a variable up. Values are checked, never shown.
	Env func(string) (string, bool)
	// RequireAnyNamespace asks every root to name its namespace itself;
	// RequireNamespaces asks for one of these.
	RequireAnyNamespace bool
	RequireNamespaces   []string
	// Skipped is what a walk left out.
	Skipped []source.Skipped
	// Extensions are what other targets add to the language.
	Extensions []resource.Extension
	// Incomplete says that not all inputs could be read: what seems to be
	// missing may stand in the others.
	Incomplete bool
}

// Build makes a set of documents. It finds all problems in one pass.
func Build(cat *catalog.Catalog, docs []source.Document, o Options) (*resource.Set, diag.List) {
	if o.Env == nil {
		o.Env = func(string) (string, bool) { return "", false }
	}
	b := newReader(&state{cat: cat, opts: o, set: newSet(cat, o.Incomplete), said: map[saying]bool{}, above: map[*resource.Resource][]ancestor{}, dashes: map[*catalog.Bound]bool{}, contents: map[value.Pos]string{}, taken: map[value.Pos]string{}})
	b.skipped()
	for _, d := range docs {
		maps.Copy(b.contents, d.Contents)
		b.scopes.readDefaults(d)
	}
	for _, d := range docs {
		b.document(d)
	}
	b.externals.cycles()
	p := &parents{b.state, b.externals}
	p.declaredByID()
	p.parentsByID()
	p.adopt()
	p.declaredByID()
	unflatten(b)
	turn(b)
	b.moves.settle()
	b.scopes.settle()
	b.orders()
	b.follow()
	siblings := namesOf(b.state)
	siblings.resolve()
	siblings.repeats()
	b.externals.idsAbove()
	b.finish()
	checkUnder(b)
	checkInside(b)
	b.scopes.requireNamespaces()
	b.scopes.requireScope()
	b.preferByLabel()
	b.orderByName(siblings)
	siblings.note()
	siblings.settleCircles()
	return b.set, b.diags
}

func newSet(cat *catalog.Catalog, incomplete bool) *resource.Set {
	return &resource.Set{Types: cat.Types(), Incomplete: incomplete, LeftOut: map[string]bool{}, Hidden: map[string]bool{}, Null: map[string]resource.NullKey{}}
}

// state is what all that read documents share.
type state struct {
	cat     *catalog.Catalog
	opts    Options
	set     *resource.Set
	said    map[saying]bool
	diags   diag.List
	doc     source.Document
	rootKey string // of the list that is being read
	// above are those that flat resources name besides their parent: what the
	// parent belongs to.
	above map[*resource.Resource][]ancestor
	// dashes tells which types have fields with dashes.
	dashes map[*catalog.Bound]bool
	// contents are the files that values of any document are the content of.
	contents map[value.Pos]string
	// taken are the variables that values were taken from already.
	taken map[value.Pos]string
}

// reader makes resources of documents.
type reader struct {
	*state
	externals *externals
	scopes    *scopes
	moves     *mover
	// sides are the keys that types have for others, as they are asked for; besides
	// is what was written there.
	sides   map[*catalog.Bound][]catalog.Side
	besides []beside
	// flats are the lists at the root that hold the same, when they are asked for;
	// flat is what was written there, as children of what it stands beside.
	flats map[string]catalog.Flat
	flat  map[*resource.Resource]beside
	// emptyFlats are those lists that have no items.
	emptyFlats []emptyFlat
	// declaring are the keys that declare something at the root, when they are asked for.
	declaring map[string]bool
	// sideRefs are refs that stand for several resources, or for none.
	sideRefs []*resource.Resource
}

func newReader(s *state) *reader {
	b := &reader{state: s, scopes: newScopes(s), moves: &mover{state: s}, sides: map[*catalog.Bound][]catalog.Side{}, flat: map[*resource.Resource]beside{}}
	b.externals = &externals{state: s, read: b, lookups: map[string]*resource.Resource{}, byIDs: map[string]*resource.Resource{}}
	return b
}

// Keys of a resource that are not fields, and of a file that are not lists of
// resources.
const (
	keyDefaults = "_defaults"
	keyPrune    = "prune"
	keyMeta     = "kongctl"
	keyRef      = "ref"
	keyID       = "id"
	keyExternal = "_external"
)

// children reads a list of resources below their parent. A single mapping
// stands for a list of one; a singleton is always a mapping.
func (b *reader) children(t *catalog.Bound, parent, above *resource.Resource, v value.Value) {
	if t.Shape == catalog.Singleton {
		b.single(t, t.Key, parent, whole(t, v))
		return
	}
	switch v.Kind() {
	case value.Null:
	case value.Map:
		switch {
		case byKey(t, v):
			for _, e := range v.Entries() {
				b.children(t, parent, above, withKey(t, e))
			}
		case len(v.Keys()) > 0:
			b.item(t, parent, above, v)
		}
	case value.List:
		for _, item := range v.Items() {
			b.item(t, parent, above, item)
		}
	default:
		b.hide(t, v)
		b.wrongShape(v, fmt.Sprintf("%s must be a list of mappings and is %s.", t.Key, shape(v)), listForm(t, t.Key, v))
	}
}

// single reads what there is once, below a key.
func (b *reader) single(t *catalog.Bound, key string, parent *resource.Resource, v value.Value) {
	fix := fmt.Sprintf("write its fields below %s:.", key)
	switch v.Kind() {
	case value.Null:
	case value.Map:
		// What is always there has its defaults then, what is optional does not exist.
		if len(v.Keys()) > 0 || !t.Optional() {
			b.item(t, parent, nil, v)
		}
	case value.List:
		if n := len(v.Items()); n > 1 {
			b.wrongShape(v, fmt.Sprintf("%s allows at most one %s, got %d.", diag.Sentence(diag.A(catalog.OwnerWords(t))), key, n), "keep one of them, and "+fix)
			return
		}
		if len(v.Items()) == 0 {
			b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is an empty list.", key), emptyFix(t, key))
		}
		for _, item := range v.Items() {
			b.item(t, parent, nil, item)
		}
	default:
		b.hide(t, v)
		b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", key, shape(v)), fix)
	}
}

// emptyFix says how a singleton is emptied or left alone.
func emptyFix(t *catalog.Bound, key string) string {
	if t.Optional() {
		return fmt.Sprintf("write %s: {} if none is to exist, or remove the key.", key)
	}
	return fmt.Sprintf("write %s: {} to reset it, or remove the key.", key)
}

// item reads one resource and what nests in it.
func (b *reader) item(t *catalog.Bound, parent, above *resource.Resource, v value.Value) {
	if v = linked(t, v); v.Kind() != value.Map {
		b.notAnItem(t, v)
		return
	}
	switch {
	case v.Has(keyExternal):
		b.externals.item(t, parent, above, v)
		return
	case t.ReadOnly && t.Writer == "" && names(t, v), namesOnly(t, v):
		at := len(b.set.Resources)
		b.textsOnly(t, v)
		b.externals.item(t, parent, above, found(t, v), namesIn(t, v)...)
		b.set.Resources[at].External.Lacks = wanting(t, v)
		return
	case t.ReadOnly && t.Writer == "":
		b.leaveOut(v)
		b.diags.Add(diag.CfgExternalOnly, v.Pos(), fmt.Sprintf("A configuration can only refer to %s that exists, and this one says nothing by which it can be found.", diag.A(catalog.Words(t.Kind))), findFix(t))
		return
	case t.ReadOnly:
		b.leaveOut(v)
		b.diags.Add(diag.CfgExternalOnly, v.Pos(), fmt.Sprintf("%s is written with %s; a configuration can only refer to one.", diag.Sentence(diag.A(catalog.Words(t.Kind))), extensions(b.opts.Extensions).writtenWith(t)), b.externals.fix(t))
		return
	}
	r := &resource.Resource{
		Type: t.Neutral(), Parent: parent, Above: above, Pos: v.Pos(), Written: map[string]bool{},
		Dir: b.doc.Dir, Base: b.doc.Base, Number: len(b.set.Resources),
	}
	b.set.Resources = append(b.set.Resources, r)
	nested := b.entries(r, v)
	b.scopes.read(r, v)
	b.normalize(r)
	b.hideNameless(r)
	nested = append(nested, unfold(r)...)
	for _, e := range nested {
		if child := t.Child(e.Key); child != nil {
			b.children(child, r, nil, e.Value)
		} else {
			b.children(t, parent, r, e.Value)
		}
	}
}

func (b *reader) notAnItem(t *catalog.Bound, v value.Value) {
	b.leaveOut(v)
	b.hide(t, v)
	fix := "write its fields as key: value."
	if t.Shape != catalog.Singleton {
		fix = "write " + itemForm(t, v)
	}
	b.wrongShape(v, fmt.Sprintf("%s must be a mapping and is %s.", diag.Sentence(diag.A(catalog.Words(t.Kind))), shape(v)), fix)
}

// entries puts the keys of a resource where they belong and returns the lists
// of what nests in it.
func (b *reader) entries(r *resource.Resource, v value.Value) (nested []value.Entry) {
	t := catalog.Of(r)
	var fields []value.Entry
	for _, e := range v.Entries() {
		switch {
		case e.Key == keyRef:
			b.readRef(r, e.Value)
		case e.Key == keyMeta && r.External != nil:
			b.diags.Add(diag.CfgMeta, e.KeyPos, "A resource that others own belongs to no namespace and cannot be protected.", "remove the kongctl block.")
		case e.Key == keyMeta:
		case extensions(b.opts.Extensions).find(e.Key) != nil:
			extend(b.state, r, e)
		case t.Child(e.Key) != nil, t.Tree != nil && e.Key == t.Tree.Children:
			nested = append(nested, e)
			// Nothing after the colon says as little as no key at all.
			if e.Value.Kind() != value.Null {
				r.Written[e.Key] = true
			}
		case slices.Contains(t.ParentKeys(), e.Key), r.Above != nil && e.Key == t.Tree.Parent:
			b.readParent(r, e)
		case r.Parent == nil && ancestorType(t, e.Key) != nil:
			b.above[r] = append(b.above[r], ancestor{ancestorType(t, e.Key), reference(e.Value)})
		default:
			if s, ok := side(b, t, e.Key); ok {
				if e.Value.Kind() == value.Null {
					continue
				}
				b.besides = append(b.besides, beside{r, s, e, b.doc})
				continue
			}
			children, left := ungroup(t, e)
			nested, fields = append(nested, children...), append(fields, left...)
			for _, c := range children {
				if c.Value.Kind() != value.Null {
					r.Written[c.Key] = true
				}
			}
		}
	}
	r.Fields = b.dashed(t, value.MapAt(v.Pos(), fields...))
	return nested
}

// readParent reads whose a flat resource is.
func (b *reader) readParent(r *resource.Resource, e value.Entry) {
	own := catalog.Words(catalog.Of(r).Kind)
	switch {
	case r.Above != nil:
		b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("%s that nests below another belongs to that one.", diag.Sentence(diag.A(own))), fmt.Sprintf("remove %s.", e.Key))
	case r.Parent != nil:
		b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("%s that nests below %s belongs to that one.", diag.Sentence(diag.A(own)), diag.A(catalog.Words(catalog.Of(r).Parent.Kind))), fmt.Sprintf("remove %s.", e.Key))
	case !r.ParentRef.IsAbsent():
		b.diags.Add(diag.SrcDuplicateKey, e.KeyPos, fmt.Sprintf("The key %s says whose this %s is, and a key above it does so too.", e.Key, own), "keep one of the two.")
	default:
		r.ParentRef = reference(e.Value)
	}
}

// leaveOut notes what a reported resource is called, so that nobody
// reads that it is missing.
func (b *state) leaveOut(v value.Value) {
	for _, name := range []value.Value{v, v.Field(keyRef), v.Field("name")} {
		if s, ok := name.Text(); ok {
			b.set.LeftOut[s] = true
		}
	}
}

// hide notes where a value could not be read that may declare resources of a
// type, or what they are called.
func (b *state) hide(t *catalog.Bound, v value.Value) {
	if unread(v) {
		b.set.Hide(t.Neutral())
	}
}

// hideNameless notes a resource whose name could not be read, or has the wrong type.
func (b *reader) hideNameless(r *resource.Resource) {
	t := catalog.Of(r)
	for _, f := range r.Type.NameFields() {
		p := value.ParsePath(f)
		if s := t.Write().At(p, nil); s != nil && s.Type == "string" && r.NotText(p) {
			b.set.Hide(r.Type)
		}
		for n := range p {
			b.hide(t, r.Fields.Lookup(p[:n+1]))
		}
	}
}

func (b *reader) readRef(r *resource.Resource, v value.Value) {
	s, isText := v.Text()
	fix := "write for example ref: my-" + strings.ReplaceAll(catalog.Of(r).Kind, "_", "-") + "."
	switch {
	case unread(v):
		b.hide(catalog.Of(r), v)
		return
	case v.Kind() == value.Expr && v.Expr().Op == value.OpEnv:
		b.diags.Add(diag.CfgEnvPlace, v.Pos(), "A ref names the resource in this configuration, so it cannot depend on the environment.", "write the ref itself.")
		return
	case isText && refPattern.MatchString(s) && len(s) <= maxRef:
		r.Ref, r.Explicit, r.RefPos = s, true, v.Pos()
		return
	case v.Kind() == value.Number:
		fix = fmt.Sprintf("write it in quotes: ref: %q", v.Written())
	case refPattern.MatchString(slug(s)) && len(s) <= maxRef:
		fix = "write for example ref: " + slug(s) + "."
	}
	b.set.LeftOut[s] = true
	b.diags.Add(diag.CfgBadRef, v.Pos(), "A ref has 1 to 63 letters, digits, dots, underscores and dashes, and starts with a letter or digit.", fix)
}

// unfold takes out of the fields what Normalize has made into children.
func unfold(r *resource.Resource) (nested []value.Entry) {
	for _, e := range r.Fields.Entries() {
		if catalog.Of(r).Child(e.Key) != nil {
			nested = append(nested, e)
			r.Fields = r.Fields.Without(e.Key)
			r.Written[e.Key] = true
		}
	}
	return nested
}

// normalize brings fields into the contract's form.
func (b *reader) normalize(r *resource.Resource) {
	t := catalog.Of(r)
	for _, ref := range t.References {
		short := t.ShortName(ref.Field)
		if short == ref.Field || !r.Fields.Has(short) {
			continue
		}
		if r.Fields.Has(ref.Field) {
			b.diags.Add(diag.SrcDuplicateKey, r.Fields.KeyPos(ref.Field), fmt.Sprintf("The keys %s and %s mean the same.", short, ref.Field), "keep one of the two.")
		}
		e := value.Entry{Key: ref.Field, KeyPos: r.Fields.KeyPos(short), Value: r.Fields.Field(short)}
		r.Fields = r.Fields.Without(short).With(e)
	}
	if normalize := catalog.Normalizer(t); normalize != nil {
		b.derive(r)
		v, diags := normalize(withoutNulls(t, r.Fields))
		r.Fields = v
		b.diags = append(b.diags, diags...)
	}
	r.Fields = b.fromFiles(r)
	r.Fields = emptyLists(r)
	unnamed := catalog.MayLackName(t) && r.Fields.Field("name").Kind() == value.Null
	r.Fields = unset(r)
	r.Fields = only(r)
	if f := t.NameField(); f == "name" && r.Explicit && !r.Fields.Has("name") && !unnamed {
		r.Fields = r.Fields.With(value.Entry{Key: "name", KeyPos: r.RefPos, Value: value.StringAt(r.RefPos, r.Ref)})
	}
	b.known(r)
	r.Fields = b.references(r)
}

// references turns plain names in reference fields into references.
func (b *reader) references(r *resource.Resource) value.Value {
	return r.Fields.Map(func(p value.Path, v value.Value) value.Value {
		ref, ok := referenceAt(catalog.Of(r), p, v)
		if !ok {
			return v
		}
		if e := v.Expr(); e != nil && e.Op == value.OpLookup {
			return b.externals.lookup(r, p, ref, v)
		}
		if s, ok := v.Text(); ok && ref.All != "" && s == ref.All {
			return v
		}
		v = reference(v)
		if v.Kind() == value.String {
			return b.externals.idReference(r, p, ref, v)
		}
		return v
	})
}

// referenceAt is the reference that a value is, by its place.
func referenceAt(t *catalog.Bound, p value.Path, v value.Value) (catalog.Reference, bool) {
	ref, ok := t.Reference(p.Generic())
	if !ok || v.Kind() == value.List {
		return ref, false
	}
	if s := t.Write().At(p, nil); s != nil && s.Type == "array" {
		return ref, false // a list of references is meant: its items are looked at
	}
	if n := len(p) - 1; n > 0 && len(p[:n].Generic()) == len(p.Generic()) {
		if s := t.Write().At(p[:n].Generic(), nil); s == nil || s.Type != "array" {
			return ref, false // a list where none belongs
		}
	}
	return ref, true
}

// reference reads a name, a {ref: name} or an id.
func reference(v value.Value) value.Value {
	if v.Kind() == value.Map && len(v.Keys()) == 1 && v.Has(keyRef) {
		v = v.Field(keyRef)
	}
	if s, ok := v.Text(); ok && !idPattern.MatchString(s) {
		return value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: s, Field: keyID})
	}
	return v
}
