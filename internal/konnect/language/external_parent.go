package language

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// narrows finds the reference of a type that a key of an external means: such
// a reference narrows the search to what refers to it.
func (b *externals) narrows(t *catalog.Bound, key string) (catalog.Reference, bool) {
	for _, ref := range t.References {
		if slices.Contains(b.narrowKeys(t, ref), key) {
			return ref, true
		}
	}
	return catalog.Reference{}, false
}

// narrowKeys are the names of a reference on an external: the kind that it
// leads to, that kind's other names, and the field.
func (b *externals) narrowKeys(t *catalog.Bound, ref catalog.Reference) []string {
	p := value.ParsePath(ref.Field)
	at := t.ReturnedAt(p)
	if !at.OK || at.Schema != nil && at.Schema.Type == "array" {
		return nil // a list cannot be compared with one resource
	}
	var keys []string
	if to := b.cat.Kind(ref.Kind); to != nil {
		keys = append(append(keys, to.Kind), aliases(b.cat, to)...)
	}
	n := len(p) - 1
	switch {
	case n == 0:
		keys = append(keys, strings.TrimSuffix(p[0], "_id"))
	case p[n] == keyID:
		keys = append(keys, p[n-1])
	}
	for _, key := range slices.Clone(keys) {
		keys = append(keys, key+"_id")
	}
	return keys
}

// narrow stores what the search is narrowed to.
func (b *externals) narrow(r *resource.Resource, ref catalog.Reference, e value.Entry) {
	p := value.ParsePath(ref.Field)
	if !r.Fields.Lookup(p).IsAbsent() {
		b.diags.Add(diag.SrcDuplicateKey, e.KeyPos, fmt.Sprintf("The key %s narrows the search, and a key above it does so by the same field.", e.Key), "keep one of the two.")
		return
	}
	v := e.Value
	if v.Kind() == value.Map && len(v.Keys()) == 1 && v.Has(keyID) {
		v = v.Field(keyID)
	}
	v = reference(v)
	switch x := v.Expr(); {
	case unread(v), v.Kind() == value.String, x != nil && x.Op == value.OpRef:
	case x != nil && x.Op == value.OpLookup:
		v = b.lookup(r, p, ref, v)
	case x != nil && x.Op == value.OpEnv:
		b.diags.Add(diag.CfgEnvPlace, v.Pos(), "What narrows a search cannot depend on the environment.", "write its ref, name or id.")
		return
	default:
		b.wrongShape(v, fmt.Sprintf("The key %s takes the ref, name or id of %s, not %s.", e.Key, diag.A(catalog.Words(ref.Kind)), shape(v)), fmt.Sprintf("write the ref or name of the %s.", catalog.Words(ref.Kind)))
		return
	}
	r.Fields = within(r.Fields, p, e.KeyPos, v)
}

// within sets the value that a path leads to.
func within(v value.Value, p value.Path, pos value.Pos, leaf value.Value) value.Value {
	if len(p) == 0 {
		return leaf
	}
	if v.Kind() != value.Map {
		v = value.MapAt(pos)
	}
	return v.With(value.Entry{Key: p[0], KeyPos: pos, Value: within(v.Field(p[0]), p[1:], pos, leaf)})
}

// likeType tells of a key, which the type does not have as a field, that it
// names another type.
func (b *externals) likeType(t *catalog.Bound, key string) bool {
	if t.ReturnedAt(value.Path{key}).OK {
		return false
	}
	name := strings.TrimSuffix(key, "_id")
	for _, other := range b.cat.All() {
		for _, word := range append([]string{other.Kind}, aliases(b.cat, other)...) {
			if word == name || other.Writer != "" && strings.HasSuffix(word, "_"+name) {
				return true
			}
		}
	}
	return false
}

// wrongParent tells of a parent that the type cannot have.
func (b *externals) wrongParent(r *resource.Resource, e value.Entry) {
	valid := b.parentNames(r)
	detail := fmt.Sprintf("Resource: %q (type: %s)\nParent field '%s' is not valid for resource type '%s'.\n", shownRef(r), r.Word, e.Key, r.Word)
	if len(valid) == 0 {
		b.diags.Add(diag.ExtWrongParent, e.KeyPos, detail+"It has no parent.", fmt.Sprintf("remove %s.", e.Key))
		return
	}
	b.diags.Add(diag.ExtWrongParent, e.KeyPos, detail+"Valid parent types: "+strings.Join(valid, ", "), fmt.Sprintf("use %s, or remove it.", diag.Join(valid, "or")))
}

// parentNames are the types that a resource may belong to or be narrowed by,
// in the words of whoever wrote it.
func (b *externals) parentNames(r *resource.Resource) []string {
	var out []string
	if catalog.Of(r).Parent != nil {
		out = append(out, catalog.Of(r).Parent.Kind)
	}
	for _, ref := range catalog.Of(r).References {
		keys := b.narrowKeys(catalog.Of(r), ref)
		switch {
		case len(keys) == 0:
			continue
		case r.Word != catalog.Of(r).Kind && ref.Kind != "":
			if other := aliases(b.cat, b.cat.Kind(ref.Kind)); len(other) > 0 {
				keys = other
			}
		}
		if !slices.Contains(out, keys[0]) {
			out = append(out, keys[0])
		}
	}
	return out
}

// shownRef is the ref, or what stands for it.
func shownRef(r *resource.Resource) string {
	if r.Ref != "" {
		return r.Ref
	}
	return r.OwnName()
}

// oneLine keeps a text that people wrote on one line of a message.
func oneLine(text string) string {
	quoted := strconv.Quote(text)
	if strings.ContainsFunc(text, unicode.IsControl) {
		return quoted[1 : len(quoted)-1]
	}
	return text
}

// unknownType tells of a type that no catalog has.
func (b *externals) unknownType(v value.Value, name string) {
	pos, detail := v.KeyPos(keyResourceType), fmt.Sprintf("Unknown resource type '%s'.", oneLine(name))
	written := v.Field(keyResourceType)
	switch {
	case !v.Has(keyResourceType):
		detail = "An external resource needs the type of what it stands for."
	case written.Kind() != value.String:
		detail = fmt.Sprintf("resource_type must be a text and is %s.", shape(written))
		pos = written.Pos()
	default:
		pos = written.Pos()
	}
	near, core := b.nearType(name)
	fix := "use one of the valid types."
	switch {
	case !v.Has(keyResourceType):
		fix = "add resource_type: with one of the valid types."
	case near != "" && core:
		fix = fmt.Sprintf("did you mean %s (%s)?", near, coreEntity)
	case near != "":
		fix = fmt.Sprintf("did you mean %s?", near)
	}
	b.diags.Add(diag.ExtType, pos, detail+"\nValid resource types: "+strings.Join(b.validTypes(), ", "), fix)
}

// coreEntity is what the types are called that decK writes.
const coreEntity = "Gateway core entity"

// validTypes are the names of all types that can be external, roots first.
func (b *externals) validTypes() []string {
	var roots, children, core []string
	for _, t := range b.cat.All() {
		switch other := aliases(b.cat, t); {
		case t.Shape == catalog.Singleton:
		case t.Writer != "" && len(other) > 0:
			core = append(core, other[0])
		case t.Writer != "":
			core = append(core, t.Kind)
		case t.Parent == nil:
			roots = append(roots, t.Kind)
		default:
			children = append(children, t.Kind)
		}
	}
	return slices.Concat(roots, children, core)
}

// nearType is the type that was probably meant: one that a short name was
// taken of, core entities first, else the nearest.
func (b *externals) nearType(name string) (near string, core bool) {
	if name == "" {
		return "", false
	}
	words := b.validTypes()
	short := ""
	for _, w := range words {
		if strings.HasSuffix(w, "_"+strings.TrimSuffix(name, "s")) {
			short = w
			if b.cat.Named(w).Writer != "" {
				return w, true
			}
		}
	}
	if short == "" {
		short = diag.Nearest(name, words)
	}
	t := b.cat.Named(short)
	return short, t != nil && t.Writer != ""
}

// aliases are the other names of one resource of a type.
func aliases(cat *catalog.Catalog, t *catalog.Bound) []string {
	var out []string
	for _, key := range t.Aliases {
		if one := singular(cat, t, key); one != t.Kind {
			out = append(out, one)
		}
	}
	return out
}

// singular is the name of one resource out of a root list; the kind where none
// can be made of it.
func singular(cat *catalog.Catalog, t *catalog.Bound, key string) string {
	for _, one := range []string{strings.TrimSuffix(key, "ies") + "y", strings.TrimSuffix(key, "s")} {
		if one != key && !strings.Contains(one, ".") && cat.Named(one) == t {
			return one
		}
	}
	return t.Kind
}
