// Package resource holds the neutral model: what a configuration declares, what
// exists, and how resources refer to each other, whatever target they belong to.
//
// In: resources that targets made of documents. Out: a set of them, the links
// between them, and problems with their positions: unknown, ambiguous, of the
// wrong type, in a circle. It must never import a target or read anything.
package resource

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// DefaultNamespace is where resources without a namespace belong.
const DefaultNamespace = "default"

// Resource is one resource that the configuration declares.
type Resource struct {
	Type *Type
	// Ref names the resource in this configuration; Explicit reports whether
	// people wrote it, at RefPos.
	Ref      string
	Explicit bool
	RefPos   value.Pos
	// Aliases are other names that references may use.
	Aliases []string
	// Name is what people would call it.
	Name      string
	Namespace string
	// Protected is of the resource itself: its children are not protected by it.
	Protected bool
	// Parent owns the resource; Above is the one it nests in, of its own type.
	Parent, Above *Resource
	// ParentRef is how the configuration names the parent.
	ParentRef value.Value
	// Fields are the declared fields in the names of the target's API.
	Fields value.Value
	// Unset are the immutable fields that say null and that the target takes no null
	// for: Fields lack them, and what exists must have no value of its own there.
	Unset []value.Path
	// Nulled are the other fields that say null and that the target takes no null for:
	// a merge takes them back, too, also in the items of lists. They are not in Fields.
	Nulled []value.Path
	// Written are the keys of child lists that were written, empty or not.
	Written map[string]bool
	// Shares are those of which only a share was written.
	Shares map[string]Share
	// Prune is how its document prunes, "" for as the run does. It never widens that.
	Prune string
	Pos   value.Pos
	// Implied ones nobody wrote: what others say implies them.
	Implied bool
	// External says how to find a resource that others own; nil for managed
	// ones. Its Fields hold only the references that narrow the search.
	External *External
	// After are resources that this one takes no value of and must come after;
	// Prefer are those that it comes after where that leads to no circle.
	After, Prefer []*Resource
	// Named are its fields that hold names of others, as far as the inputs say which.
	Named []NamedUse
	// Records says that it keeps a record of those that come after it: a filter
	// leaves it out with all of them or not at all.
	Records bool
	// Several reports that others of its namespace are declared with its identity: its
	// variant tells it apart.
	Several bool
	// Extras are what other targets read of it, by the key they add.
	Extras map[string]any
	// Attached are resources of other targets that are planned right behind this
	// one. They are not hashed, counted, referred to or mapped.
	Attached []*Resource
	// Native is what its target alone knows of it.
	Native any
	// Dir and Base say where the document stands, for files read later.
	Dir, Base string
	// Whole says that an apply takes back what is not declared, as a sync does.
	Whole bool
	// Number tells the resources of a set apart.
	Number int
	// Word is how people wrote the type of an external.
	Word string
}

// Maker is the Native of an attached resource that makes others, below what it is
// attached to.
type Maker interface {
	// MakesID reports whether it makes the resource of a type that has an id.
	MakesID(t *Type, id string) bool
}

// MakesID reports whether what is attached to the resource makes the one of a type below
// it that has an id.
func (r *Resource) MakesID(t *Type, id string) bool {
	return slices.ContainsFunc(r.Attached, func(a *Resource) bool {
		m, ok := a.Native.(Maker)
		return ok && m.MakesID(t, id)
	})
}

// Root is the resource at the top of the parents.
func (r *Resource) Root() *Resource {
	for r.Parent != nil {
		r = r.Parent
	}
	return r
}

// Owner is the resource of others that this one is or belongs to, or nil.
func (r *Resource) Owner() *Resource {
	for r != nil && r.External == nil {
		r = r.Parent
	}
	return r
}

// OfOthers reports whether others own the resource, or what it belongs to.
func (r *Resource) OfOthers() bool { return r.Owner() != nil }

// Address names the resource for people: kind and ref.
func (r *Resource) Address() string { return r.Type.Kind + " " + r.Ref }

// Describe names a resource in a sentence: portal "dev", or where it has no
// ref that people wrote, api version "1.0" of "flights".
func (r *Resource) Describe() string {
	words := r.Type.Words
	own := r.OwnName()
	if r.Type.Single {
		own = ""
	}
	switch {
	case r.Explicit || r.Aliases != nil:
		return fmt.Sprintf("%s %q", words, r.Ref)
	case r.Parent == nil && own == "":
		return words
	case r.Parent == nil:
		return fmt.Sprintf("%s %q", words, own)
	case own == "":
		return fmt.Sprintf("%s of %q", words, ShownRef(r.Parent.Ref, r.Parent.Name))
	default:
		return fmt.Sprintf("%s %q of %q", words, own, ShownRef(r.Parent.Ref, r.Parent.Name))
	}
}

// OwnName is the name, the title, or what the identity says, as people are shown it.
func (r *Resource) OwnName() string {
	return r.nameWith(func(ref string) string { return ShownRef(ref, "") })
}

// RefName is the text that a ref is made of where people write none: what the name is,
// with refs themselves.
func (r *Resource) RefName() string { return r.nameWith(func(ref string) string { return ref }) }

func (r *Resource) nameWith(shown func(ref string) string) string {
	f := r.Type
	if r.External != nil {
		return r.External.Name(f)
	}
	for _, field := range f.Titles() {
		if s, ok := r.Fields.Field(field).Text(); ok && s != "" {
			return s
		}
	}
	var parts []string
	for _, field := range f.Identity {
		v := r.Fields.Lookup(value.ParsePath(field))
		switch s, ok := v.Text(); {
		case ok:
			parts = append(parts, ShortName(s))
		case v.Kind() == value.Expr && v.Expr().Op == value.OpRef:
			parts = append(parts, shown(v.Expr().Name))
		}
	}
	return strings.Join(parts, "-")
}

// NotText reports whether a value is written at a path that is neither a text nor
// stands for one.
func (r *Resource) NotText(p value.Path) bool {
	switch r.Fields.Lookup(p).Kind() {
	case value.Bool, value.Number, value.List, value.Map:
		return true
	case value.Absent, value.Null, value.String, value.Expr:
	}
	return false
}

// misnamed reports whether a ref is made of a name that lacks what is no text.
func (r *Resource) misnamed() bool {
	return !r.Explicit && slices.ContainsFunc(r.Type.NameFields(), func(f string) bool { return r.NotText(value.ParsePath(f)) })
}

// Called reports whether the resource has the name in a field of its own: what
// is only named after others does not answer to their names.
func (r *Resource) Called(name string) bool {
	f := r.Type
	if r.External != nil {
		return !r.External.Unnamed && r.External.Name(f) == name
	}
	for _, field := range f.NameFields() {
		if s, ok := r.Fields.Lookup(value.ParsePath(field)).Text(); ok && s == name {
			return true
		}
	}
	return false
}

// Identity is what must differ between two resources of one type and parent,
// as one text. References in it are followed; where one leads nowhere, or
// follow is nil, the identity is not known.
func (r *Resource) Identity(follow func(value.Path) *Resource) (string, bool) {
	f := r.Type
	fields := f.Identity
	parts := make([]string, 0, len(fields)+1)
	if f.Nest != "" && r.Above != nil {
		parts = append(parts, r.Above.anchor())
	} else if f.Nest != "" {
		fields = append([]string{f.Nest}, fields...)
	}
	for _, field := range fields {
		p := value.ParsePath(field)
		v := r.Fields.Lookup(p)
		switch {
		case v.Kind() == value.Expr && v.Expr().Op == value.OpRef && follow != nil:
			target := follow(p)
			if target == nil {
				return "", false
			}
			parts = append(parts, target.anchor()+strings.TrimPrefix(v.Expr().Field, fieldID))
		case v.Kind() == value.Expr:
			return "", false
		case v.IsAbsent() || v.Kind() == value.Null:
			parts = append(parts, "")
		default:
			parts = append(parts, value.Blocks(fmt.Sprint(Folded(f, field, v.Plain(func(value.Path, *value.Expression) any { return nil })))))
		}
	}
	return strings.Join(parts, "\x00"), true
}

// Variant is what tells a resource apart from others of one identity, as one text: its
// namespace, where each may have one; "" for none. One that is not known yet is unlike all others.
func (r *Resource) Variant() string {
	if r.Type.PerNamespace {
		return r.Namespace
	}
	if r.Type.Variant == "" {
		return ""
	}
	switch v := r.Fields.Lookup(value.ParsePath(r.Type.Variant)); {
	case v.Kind() == value.Expr:
		return r.anchor()
	case v.IsAbsent() || v.Kind() == value.Null:
		return ""
	default:
		return value.Blocks(fmt.Sprint(v.Plain(nil)))
	}
}

// Which says which of several an object is: by its id, and by its variant where its type
// has one.
func (t *Type) Which(o *Object) string {
	if v := t.VariantOf(o); v != "" {
		return "id " + o.ID + ", " + v
	}
	return "id " + o.ID
}

// InParentheses names the id of an object that has one, behind what it is about.
func (o *Object) InParentheses() string {
	if o.ID == "" {
		return ""
	}
	return " (id " + o.ID + ")"
}

// VariantOf is the variant of an object in words; "" where its type has none.
func (t *Type) VariantOf(o *Object) string {
	if t.PerNamespace {
		if o.Owner.Namespace == "" {
			return "no namespace"
		}
		return "namespace " + o.Owner.Namespace
	}
	if t.Variant == "" {
		return ""
	}
	if text, _ := o.Fields[t.Variant].(string); text != "" {
		return fmt.Sprintf("%s %q", t.Variant, text)
	}
	return "no " + t.Variant
}

// OfOthers reports whether an object is another namespace's, so that its identity is free
// in this one.
func (o *Object) OfOthers(t *Type, namespace string) bool {
	return t.PerNamespace && o.Owner.Namespace != "" && o.Owner.Namespace != namespace
}

// anchor stands for the resource in the identity of another.
func (r *Resource) anchor() string { return "\x01" + strconv.Itoa(r.Number) + "#" }

// NamePos is where the one field stands that a resource is known by, else where
// the resource does.
func (r *Resource) NamePos() value.Pos {
	if by := r.Type.Identity; len(by) == 1 {
		if v := r.Fields.Lookup(value.ParsePath(by[0])); !v.IsAbsent() {
			return v.Pos()
		}
	}
	return r.Pos
}

// Twice reports two declarations that mean one resource.
func Twice(r, other *Resource) diag.Diagnostic {
	pos, otherPos := r.NamePos(), other.NamePos()
	if pos == otherPos { // one mapping, used twice
		pos, otherPos = r.Pos, other.Pos
	}
	detail, fix := fmt.Sprintf("The %s is declared%s too.", r.Describe(), at(otherPos)), "keep one of the two."
	if f := r.Type; len(f.Identity) == 1 {
		field := f.Written(f.Identity[0])
		if f.Variant != "" {
			field += " and " + f.Variant
		}
		detail = fmt.Sprintf("The %s has the same %s as the one%s.", r.Describe(), field, at(otherPos))
		fix = fmt.Sprintf("keep one of the two, or give it another %s.", strings.ReplaceAll(field, " and ", " or "))
	}
	return diag.New(diag.CfgDuplicate, pos, detail, fix)
}

// at is a place in a text; a document that no file holds has none.
func at(p value.Pos) string {
	if p == (value.Pos{}) {
		return ""
	}
	return " at " + p.String()
}

// SameRef reports two resources of one type that go by one ref, which one of
// them at least was not given but has of its name.
func SameRef(r, other *Resource) diag.Diagnostic {
	detail := fmt.Sprintf("The %s goes by %q, which is made of its name, and so does the %s%s.", r.Describe(), ShownRef(r.Ref, ""), other.Describe(), at(other.NamePos()))
	pos := r.NamePos()
	switch {
	case r.Explicit:
		pos = r.RefPos
		detail = fmt.Sprintf("The ref %q is what the %s%s goes by, because it has no ref.", r.Ref, other.Describe(), at(other.NamePos()))
	case other.Explicit:
		detail = fmt.Sprintf("The %s has no ref, so it goes by %q, which is the ref of the %s%s.", r.Describe(), r.Ref, other.Type.Words, at(other.RefPos))
	}
	return diag.New(diag.CfgDuplicateRef, pos, detail, "give one of the two a ref that no other has.")
}

// Ambiguous reports that several resources fit a name. What says who names it,
// and how: the portal "dev" points at.
func Ambiguous(pos value.Pos, what, name string, found []*Resource) diag.Diagnostic {
	detail := fmt.Sprintf("%s %q, which several resources are called:", what, name)
	var refs []string
	for _, r := range found {
		detail += fmt.Sprintf("\n%s%s", r.Describe(), at(r.Pos))
		if r.Ref != name {
			refs = append(refs, r.Ref)
		}
	}
	slices.Sort(refs)
	fix := "give the one you mean a ref of its own, and use that."
	if len(slices.Compact(refs)) == len(found) {
		fix = fmt.Sprintf("use the ref of the one you mean: %s.", strings.Join(refs, " or "))
	}
	return diag.New(diag.RefAmbiguous, pos, detail, fix)
}
