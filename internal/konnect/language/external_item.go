package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

const (
	keyExternals    = "external_resources"
	keyResourceType = "resource_type"
	keySelector     = "selector"

	externalForm = "_external: {selector: {matchFields: {name: …}}} or _external: {id: …}"
)

// externals reads the resources that others own: declared, looked up or named by
// an id.
type externals struct {
	*state
	read    *reader
	lookups map[string]*resource.Resource // what stands for a lookup, by its ref
	byIDs   map[string]*resource.Resource // externals that are declared, by type and id; all of them once the documents are read
}

// list reads the root list of what others own.
func (b *externals) list(e value.Entry) {
	switch e.Value.Kind() {
	case value.Null:
	case value.List:
		for _, item := range e.Value.Items() {
			b.entry(item)
		}
	default:
		b.set.Incomplete = b.set.Incomplete || unread(e.Value)
		b.wrongShape(e.Value, fmt.Sprintf("%s must be a list of mappings and is %s.", keyExternals, shape(e.Value)), "write a list: "+keyExternals+": [{ref: …, resource_type: …, id: …}]")
	}
}

// entry reads one item of the root list: the type stands in it.
func (b *externals) entry(v value.Value) {
	if v.Kind() != value.Map {
		b.set.Incomplete = b.set.Incomplete || unread(v)
		b.leaveOut(v)
		b.wrongShape(v, fmt.Sprintf("An external resource must be a mapping and is %s.", shape(v)), "write {ref: …, resource_type: …, id: …}, or with a selector in place of the id.")
		return
	}
	word := v.Field(keyResourceType)
	name, _ := word.Text()
	t := b.cat.Named(name)
	switch {
	case unread(word):
		b.set.Incomplete = true
	case t == nil:
		b.leaveOut(v)
		b.unknownType(v, name)
	default:
		if !v.Has(keyRef) {
			b.set.Hide(t.Neutral())
			b.diags.Add(diag.ExtNoRef, v.Pos(), "An external resource is used by its ref, and this one has none.", "add ref: my-"+catalogSlug(t)+".")
		}
		if v.Has(keyExternal) {
			b.diags.Add(diag.ExtBlock, v.KeyPos(keyExternal), fmt.Sprintf("All items of %s are external.", keyExternals), "write id or selector beside resource_type, without _external.")
		}
		r := b.add(t, nil, nil, v)
		r.Word = name
		b.describe(r, v, v.Without(keyResourceType, keyID, keySelector, keyExternal), findBy{in: v, keys: []string{keyID, keySelector}})
	}
}

// item reads an item of a list of resources that has an _external
// block, or what stands for one: names are the keys of the item that do.
func (b *externals) item(t *catalog.Bound, parent, above *resource.Resource, v value.Value, names ...string) {
	r := b.add(t, parent, above, v)
	if parent == nil && above == nil && b.rootKey != t.Root() {
		r.Word = singular(b.cat, t, b.rootKey)
	}
	b.describe(r, v, v.Without(keyExternal), findBy{in: v.Field(keyExternal), block: true, names: names, keys: append([]string{keyID, keySelector}, extensions(b.opts.Extensions).providers()...)})
}

func (b *externals) add(t *catalog.Bound, parent, above *resource.Resource, v value.Value) *resource.Resource {
	return &resource.Resource{
		Type: t.Neutral(), Parent: parent, Above: above, Pos: v.Pos(), Written: map[string]bool{}, External: &resource.External{Pos: v.Pos()},
		Dir: b.doc.Dir, Base: b.doc.Base, Word: t.Kind, Number: len(b.set.Resources),
	}
}

// findBy is where it is written how an external is found: in a block of its
// own, or among the other keys. Of an item that has nothing but what names it, Names are
// the keys that do.
type findBy struct {
	in    value.Value
	block bool
	keys  []string
	names []string
}

// describe reads a resource that others own, and what nests in it. Rest is
// what is written but how to find it.
func (b *externals) describe(r *resource.Resource, v, rest value.Value, by findBy) {
	t := catalog.Of(r)
	b.set.Resources = append(b.set.Resources, r)
	nested := b.read.entries(r, rest)
	fields := r.Fields
	r.Fields = value.MapAt(v.Pos())
	if t.Shape == catalog.Singleton {
		b.leaveOut(v)
		b.diags.Add(diag.ExtBlock, v.KeyPos(keyExternal), noneToFind(t), onlyManaged(t))
		return
	}
	b.readFindBy(r, by)
	if id := r.External.ID; id != "" {
		b.byIDs[t.Kind+" "+id] = r
	}
	b.nameless(r, len(nested) > 0 || catalog.Nameable(t) || t.ReadOnly && t.Writer == "")
	for _, e := range fields.Entries() {
		b.key(r, e, by)
	}
	for _, e := range nested {
		if child := t.Child(e.Key); child != nil {
			b.read.children(child, r, nil, e.Value)
		} else {
			b.read.children(t, r.Parent, r, e.Value)
		}
	}
}

// nameless tells of an external that nothing can refer to. Where something belongs to it
// all the same, it has a ref like what is looked up.
func (b *externals) nameless(r *resource.Resource, used bool) {
	switch found := r.External.Selector != nil && len(r.External.Selector.Conditions) > 0; {
	case r.Explicit || r.OwnName() != "":
	case found && used:
		r.Ref = resource.ShortRef(unnamedRef(r) + b.parentText(r))
	case found:
		b.diags.Add(diag.ExtNoRef, r.Pos, "The selector does not give a name, so nothing can refer to what it finds.", "add ref: my-"+catalogSlug(catalog.Of(r))+".")
	default:
		b.set.Hide(r.Type) // how it is found was reported
	}
}

// readFindBy reads which of id, selector and deck says how to find it.
func (b *externals) readFindBy(r *resource.Resource, by findBy) {
	what := fmt.Sprintf("External resource %q", r.Ref)
	if by.block {
		what = keyExternal
		r.External.Pos = by.in.Pos()
		switch by.in.Kind() {
		case value.Null, value.Map:
		default:
			b.hide(catalog.Of(r), by.in)
			b.wrongShape(by.in, fmt.Sprintf("%s must be a mapping and is %s.", keyExternal, shape(by.in)), "write "+externalForm+".")
			return
		}
		for _, e := range by.in.Entries() {
			if !slices.Contains(by.keys, e.Key) {
				b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in %s.", e.Key, keyExternal), suggest(e.Key, by.keys)+resource.Explained(catalog.Of(r).Kind, "keys"))
			}
		}
	}
	var given, quoted []string
	for _, key := range by.keys {
		quoted = append(quoted, "'"+key+"'")
		if by.in.Has(key) {
			given = append(given, key)
		}
	}
	list := quoted[0] + " or " + quoted[1]
	if len(quoted) > 2 {
		list = strings.Join(quoted[:2], ", ") + ", or " + quoted[2]
	}
	switch {
	case len(given) == 0 && by.block && len(by.in.Keys()) > 0: // its keys were reported
	case len(given) == 0 && slices.ContainsFunc(by.in.Keys(), func(key string) bool { return misspells(catalog.Of(r), key, by.keys) }): // it is misspelled, which is reported
	case len(given) == 0 && by.block:
		b.diags.Add(diag.ExtBlock, by.in.Pos(), fmt.Sprintf("%s must have one of %s.", what, list), "write "+externalForm+".")
	case len(given) == 0:
		b.diags.Add(diag.ExtBlock, by.in.Pos(), fmt.Sprintf("%s must have one of %s.", what, list), "add selector: {matchFields: {name: …}} or id: …")
	case len(given) > 1:
		b.diags.Add(diag.ExtBlock, by.in.KeyPos(given[1]), fmt.Sprintf("%s can only have one of %s.", what, list), fmt.Sprintf("keep %s.", diag.Join(given, "or")))
	default:
		r.External.Pos = by.in.KeyPos(given[0])
		b.readFinder(r, given[0], by)
	}
}

func (b *externals) readFinder(r *resource.Resource, key string, by findBy) {
	switch v := by.in.Field(key); {
	case unread(v):
		b.hide(catalog.Of(r), v)
	case key == keyID:
		r.External.ID = b.readID(catalog.Of(r), v, by.block)
	case key == keySelector:
		r.External.Selector = selectors{b.state}.read(catalog.Of(r), v)
	default:
		r.External.Made = provide(b.state, r, key, v)
	}
}

// readID reads the id of what exists.
func (b *externals) readID(t *catalog.Bound, v value.Value, block bool) string {
	s, ok := v.Text()
	const fix = "write the id as Konnect shows it, for example id: 550e8400-e29b-41d4-a716-446655440000."
	if e := v.Expr(); e != nil && e.Op == value.OpEnv {
		form := "selector: {matchFields: {id: !env %s}}"
		if block {
			form = keyExternal + ": {" + form + "}"
		}
		b.diags.Add(diag.CfgEnvPlace, v.Pos(), "An id is shown in plans, so it cannot depend on the environment.", fmt.Sprintf("write %s, or the id itself.", fmt.Sprintf(form, e.Name)))
		return ""
	}
	if ok && strings.TrimSpace(s) == "" || v.Kind() == value.Null {
		b.diags.Add(diag.ExtBlock, v.Pos(), "The id is empty.", fix)
		return ""
	}
	if !ok {
		b.wrongShape(v, fmt.Sprintf("An id must be a text and is %s.", shape(v)), fix)
		return ""
	}
	if at := t.Returned().At([]string{keyID}, nil); at != nil && at.Format == "uuid" && !uuidPattern.MatchString(s) {
		b.diags.Add(diag.ExtBlock, v.Pos(), fmt.Sprintf("The id of %s is a UUID, and this is not one.", diag.A(catalog.Words(t.Kind))), fix)
		return ""
	}
	if at := t.Returned().At([]string{keyID}, nil); at != nil && at.Pattern == ulidPattern.String() && !ulidPattern.MatchString(s) {
		b.diags.Add(diag.ExtBlock, v.Pos(), fmt.Sprintf("The id of %s is a ULID, and this is not one.", diag.A(catalog.Words(t.Kind))), "write the id as Konnect shows it, for example id: 01JZ4Q8Y6MHB3T0W9XK2VDNA7C.")
		return ""
	}
	return oneID(s)
}

// oneID is an id in the one form that it has: letters of a UUID are small.
func oneID(s string) string {
	if uuidPattern.MatchString(s) {
		return strings.ToLower(s)
	}
	return s
}

// key reads a key of an external that neither names it nor says how to
// find it.
func (b *externals) key(r *resource.Resource, e value.Entry, by findBy) {
	t := catalog.Of(r)
	ref, narrows := b.narrows(t, e.Key)
	switch {
	case narrows:
		b.narrow(r, ref, e)
	case e.Key == t.NameField() && e.Value.Kind() == value.String:
		// A name for readers: what finds it stands below _external.
	case b.likeType(t, e.Key):
		b.wrongParent(r, e)
	case !by.block && misspells(t, e.Key, by.keys):
		b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in an external %s.", e.Key, catalog.Words(t.Kind)), suggest(e.Key, by.keys)+resource.Explained(t.Kind, "keys"))
	case t.ReturnedAt(value.Path{e.Key}).OK || t.Write() != nil && t.Write().At([]string{e.Key}, nil) != nil:
		b.diags.Add(diag.ExtField, e.KeyPos, fmt.Sprintf("This %s is external: its owner sets %s.", catalog.Words(t.Kind), e.Key), ownersFix(r, e, by))
	default:
		b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in an external %s.", e.Key, catalog.Words(t.Kind)), suggest(e.Key, b.keys(t, by))+resource.Explained(t.Kind, "keys"))
	}
}

// ownersFix says what to do about a field that the owner of an external sets.
func ownersFix(r *resource.Resource, e value.Entry, by findBy) string {
	p, s := value.Path{e.Key}, r.External.Selector
	at := catalog.Of(r).ReturnedAt(p)
	said := s != nil && slices.ContainsFunc(s.Conditions, func(c resource.Condition) bool { return c.Path.String() == p.String() })
	switch {
	case !at.OK || at.Secret || !isSingle(e.Value) || said:
		return "remove it."
	case s != nil && by.names == nil:
		return fmt.Sprintf("remove it, or move it to %s of the selector.", keyMatchFields)
	}
	find, now := fmt.Sprintf("%s: {%s: {%s: …}}", keySelector, keyMatchFields, p), by.names
	switch {
	case !by.block:
		now = slices.DeleteFunc(slices.Clone(by.keys), func(key string) bool { return !by.in.Has(key) })
	case now == nil:
		now = []string{keyExternal}
	}
	if by.block {
		find = fmt.Sprintf("%s: {%s}", keyExternal, find)
	}
	return fmt.Sprintf("remove it, or find the resource by it, with this in place of %s: %s.", diag.Join(append(slices.Clone(now), e.Key), "and"), find)
}

// isSingle reports whether a selector can compare a field with a value.
func isSingle(v value.Value) bool {
	e := v.Expr()
	return v.Kind() == value.String || v.Kind() == value.Number || v.Kind() == value.Bool || e != nil && e.Op == value.OpEnv
}

// misspells reports whether a key is one of some others with a typo, and no field of a type.
func misspells(t *catalog.Bound, key string, known []string) bool {
	return diag.Nearest(key, known) != "" && t.Returned().Object(nil).Field(key) == nil
}

// keys are what may stand in an external of a type, in a list of its own or in that of
// all externals.
func (b *externals) keys(t *catalog.Bound, by findBy) []string {
	own := []string{keyRef, keyExternal}
	switch {
	case !by.block:
		own = append([]string{keyRef, keyResourceType}, by.keys...)
	case t.ReadOnly && t.Writer == "":
		own = append(own, append(slices.Clone(t.Identity), keyID)...) // they name what exists
	}
	keys := append(own, t.ParentKeys()...)
	for _, ref := range t.References {
		keys = append(keys, b.narrowKeys(t, ref)...)
	}
	keys = append(keys, extensions(b.opts.Extensions).keys(t)...)
	for _, child := range t.Children {
		keys = append(keys, child.Key)
	}
	return keys
}

// fix shows how to refer to what another target writes.
func (b *externals) fix(t *catalog.Bound) string {
	if x := extensions(b.opts.Extensions).provider(t); x != nil {
		return "add " + externalForm + " or " + x.Form + "."
	}
	return "add " + externalForm + "."
}

func catalogSlug(t *catalog.Bound) string { return strings.ReplaceAll(t.Kind, "_", "-") }

// noneToFind says why a singleton is not looked for; onlyManaged is what to do.
func noneToFind(t *catalog.Bound) string {
	return fmt.Sprintf("There is one %s below its %s at most, so there is nothing to find.", catalog.Words(t.Kind), catalog.OwnerWords(t))
}

func onlyManaged(t *catalog.Bound) string {
	if t.Parent == nil {
		return fmt.Sprintf("manage the %s here: write its fields.", catalog.Words(t.Kind))
	}
	return fmt.Sprintf("make the %s external, or manage this one.", catalog.Words(t.Parent.Kind))
}
